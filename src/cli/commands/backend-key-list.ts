import { type KeySummary, storedKeys } from "../../backend/auth/stored-keys.ts";
import { readArguments } from "../arguments.ts";
import { databaseOf, databaseOption, withDatabase } from "../backend/database-option.ts";
import { dayOf, printList } from "../backend/print-list.ts";
import type { Command } from "../command.ts";
import { formatOption, readFormat } from "../text-or-json.ts";

const name = "backend key list";

export const backendKeyListCommand: Command = {
  name,
  summary:
    "Lists the API keys by name: neither a key nor a secret is shown, for nobody knows them any more.",
  usage: "[--format text|json] [--database FILE|postgres://…]",
  options: [formatOption, databaseOption],
  async run(argv, terminal) {
    const args = readArguments(name, argv, this.options, 0);
    const format = readFormat(name, args);
    const keys = await withDatabase(databaseOf(args), (database) =>
      storedKeys(database, Date.now).list(),
    );
    printList(terminal, format, {
      items: keys.map(shown),
      empty: "no keys; afterword backend key add NAME makes one",
      heading: ["NAME", "PROJECT", "FACTOR", "DOMAINS", "CREATED", "REVOKED"],
      row: (key) => [
        key.name,
        key.project,
        String(key.factor),
        key.domains.length === 0 ? "-" : key.domains.join(" "),
        dayOf(key.created),
        dayOf(key.revoked),
      ],
    });
    return 0;
  },
};

function shown(key: KeySummary) {
  const { created, revoked } = key;
  return {
    ...key,
    created: new Date(created).toISOString(),
    revoked: revoked === null ? null : new Date(revoked).toISOString(),
  };
}
