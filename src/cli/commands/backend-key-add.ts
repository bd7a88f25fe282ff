import { storedKeys } from "../../backend/auth/stored-keys.ts";
import { openDatabase } from "../../backend/storage/open-database.ts";
import { isAfterwordError } from "../../errors.ts";
import { readArguments } from "../arguments.ts";
import { databaseOf, databaseOption } from "../backend/database-option.ts";
import { keyLines, newKey, SHOWN_ONCE } from "../backend/new-key.ts";
import { readLabel } from "../backend/read-label.ts";
import type { Command } from "../command.ts";
import { onlyPositional } from "../only-positional.ts";
import { formatOption, readFormat } from "../text-or-json.ts";
import { unusable } from "../unusable.ts";

const name = "backend key add";

export const backendKeyAddCommand: Command = {
  name,
  summary:
    "Makes an API key with its secrets, and shows them once: the database keeps digests only.",
  usage:
    "NAME [--project P] [--factor 1..5] [--domain HOST]… [--personal NAME]… [--format text|json]",
  options: [
    { name: "project", value: "P", help: "project whose data the key opens (default: main)" },
    {
      name: "factor",
      value: "N",
      help: "how many times the usual rate limits it has, 1 to 5 (default: 1)",
    },
    {
      name: "domain",
      value: "HOST",
      help: "makes a domain key for browsers on this host, as shop.example, .shop.example (with all below it) or https://shop.example:8443; may be given several times",
      many: true,
    },
    {
      name: "personal",
      value: "NAME",
      help: "makes a secret for one person; may be given several times",
      many: true,
    },
    formatOption,
    databaseOption,
  ],
  async run(argv, terminal) {
    const args = readArguments(name, argv, this.options, 1);
    const format = readFormat(name, args);
    const keyName = onlyPositional(name, args, "name the key, by what it is for");
    const entry = newKey({
      project: readLabel(name, "--project", args.one("project") ?? "main"),
      factor: readFactor(args.one("factor") ?? "1"),
      domains: args.all("domain").map(readDomain),
      persons: distinct(
        args.all("personal").map((person) => readLabel(name, "--personal", person)),
      ),
    });
    const label = readLabel(name, "the name", keyName);
    const database = await openDatabase(databaseOf(args));
    try {
      await storedKeys(database, Date.now).add(label, entry);
    } catch (error) {
      if (!isAfterwordError(error) || error.code !== "argument-invalid") throw error;
      throw unusable(name, error.message);
    } finally {
      await database.close();
    }
    terminal.out(
      format === "json"
        ? `${JSON.stringify({ name: label, ...entry }, null, 2)}\n`
        : keyLines(label, entry),
    );
    terminal.error(SHOWN_ONCE);
    return 0;
  },
};

function readFactor(text: string): number {
  if (/^[1-5]$/.test(text)) return Number(text);
  throw unusable(name, `--factor is 1, 2, 3, 4 or 5, not "${text}"`);
}

/** As `originAllowed` reads them: an origin, a host, or a host with everything below it. */
function readDomain(text: string): string {
  const domain = text.trim().toLowerCase();
  if (domain.includes("://")) {
    const url = URL.parse(domain);
    const web = url?.protocol === "https:" || url?.protocol === "http:";
    if (url !== null && web && url.origin === domain.replace(/\/$/, "")) return url.origin;
  } else {
    const host = domain.replace(/^\./, "");
    if (URL.parse(`https://${host}/`)?.host === host && host !== "") return domain;
  }
  throw unusable(
    name,
    `--domain is a host such as shop.example or .shop.example, or an origin such as https://shop.example:8443, not "${text}"`,
  );
}

function distinct(names: readonly string[]): readonly string[] {
  const twice = names.find((one, index) => names.indexOf(one) !== index);
  if (twice === undefined) return names;
  throw unusable(name, `--personal ${twice} is given twice`);
}
