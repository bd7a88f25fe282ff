import { type KeySummary, storedKeys } from "../../backend/auth/stored-keys.ts";
import { readArguments, readChoice } from "../arguments.ts";
import { databaseOf, databaseOption, withDatabase } from "../backend/database-option.ts";
import { tableOf } from "../backend/table.ts";
import type { Command } from "../command.ts";

const name = "backend key list";

export const backendKeyListCommand: Command = {
  name,
  summary:
    "Lists the API keys by name: neither a key nor a secret is shown, for nobody knows them any more.",
  usage: "[--format text|json] [--database FILE|postgres://…]",
  options: [{ name: "format", value: "F", help: "text (default) or json" }, databaseOption],
  async run(argv, terminal) {
    const args = readArguments(name, argv, this.options, 0);
    const format = readChoice(name, "format", args.one("format"), ["text", "json"]);
    const keys = await withDatabase(databaseOf(args), (database) =>
      storedKeys(database, Date.now).list(),
    );
    if (format === "json") terminal.out(`${JSON.stringify(keys.map(toJson), null, 2)}\n`);
    else if (keys.length === 0) terminal.out("no keys; afterword backend key add NAME makes one\n");
    else terminal.out(tableOf(heading, keys.map(toRow), terminal.columns));
    return 0;
  },
};

const heading = ["NAME", "PROJECT", "FACTOR", "DOMAINS", "CREATED", "REVOKED"];

function toRow({
  name,
  project,
  factor,
  domains,
  created,
  revoked,
}: KeySummary): readonly string[] {
  const listed = domains.length === 0 ? "-" : domains.join(" ");
  const ended = revoked === null ? "-" : dayOf(revoked);
  return [name, project, String(factor), listed, dayOf(created), ended];
}

function toJson(key: KeySummary): object {
  const { created, revoked } = key;
  return {
    ...key,
    created: new Date(created).toISOString(),
    revoked: revoked === null ? null : new Date(revoked).toISOString(),
  };
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
