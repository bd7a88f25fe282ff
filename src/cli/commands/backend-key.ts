import { groupOf } from "../command/group.ts";
import type { Command } from "../command/command.ts";
import { createStoredKeys, type KeySummary } from "../../backend/auth/stored-keys.ts";
import { isAfterwordError } from "../../errors.ts";
import {
  createArgumentError,
  requireOnlyPositional,
  formatOption,
  readFormat,
  readLabel,
} from "../command/arguments.ts";
import {
  findDatabase,
  databaseOptions,
  withDatabase,
  openOrCreate,
} from "../backend/database-option.ts";
import { formatKey, createKey, SHOWN_ONCE } from "../backend/new-key.ts";
import { dayOf, printList } from "../backend/print-list.ts";

const backendKeyRevokeCommand: Command = {
  name: "backend key revoke",
  usage: "NAME [--database ADDRESS] [--config FILE]",
  options: [...databaseOptions],
  positionals: 1,
  async run(args, terminal) {
    const key = requireOnlyPositional(args, "name the key; afterword backend key list shows them");
    const revoked = await withDatabase(findDatabase(args, terminal), (database) =>
      createStoredKeys(database, Date.now).revoke(key.trim()),
    );
    if (revoked) {
      terminal.out(`revoked ${key}\n`);
      return 0;
    }
    terminal.error(
      `afterword ${args.command}: no valid key is called "${key}"; afterword backend key list shows all\n`,
    );
    return 1;
  },
};

const backendKeyListCommand: Command = {
  name: "backend key list",
  usage: "[--format text|json] [--database ADDRESS] [--config FILE]",
  options: [formatOption, ...databaseOptions],
  async run(args, terminal) {
    const format = readFormat(args);
    const keys = await withDatabase(findDatabase(args, terminal), (database) =>
      createStoredKeys(database, Date.now).list(),
    );
    printList(terminal, format, {
      items: keys.map(toShownKey),
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

function toShownKey(key: KeySummary) {
  const { created, revoked } = key;
  return {
    ...key,
    created: new Date(created).toISOString(),
    revoked: revoked === null ? null : new Date(revoked).toISOString(),
  };
}

const adding = "backend key add";

const backendKeyAddCommand: Command = {
  name: adding,
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
    ...databaseOptions,
  ],
  positionals: 1,
  async run(args, terminal) {
    const format = readFormat(args);
    const keyName = requireOnlyPositional(args, "name the key, by what it is for");
    const entry = createKey({
      project: readLabel(args, "--project", args.one("project") ?? "main"),
      factor: readFactor(args.one("factor") ?? "1"),
      domains: args.all("domain").map(readDomain),
      persons: requireDistinct(
        args.all("personal").map((person) => readLabel(args, "--personal", person)),
      ),
    });
    const label = readLabel(args, "the name", keyName);
    const database = await openOrCreate(args, terminal);
    try {
      await createStoredKeys(database, Date.now).add(label, entry);
    } catch (error) {
      if (!isAfterwordError(error) || error.code !== "argument-invalid") throw error;
      throw createArgumentError(args.command, error.message);
    } finally {
      await database.close();
    }
    terminal.out(
      format === "json"
        ? `${JSON.stringify({ name: label, ...entry }, null, 2)}\n`
        : formatKey(label, entry),
    );
    terminal.error(SHOWN_ONCE);
    return 0;
  },
};

function readFactor(text: string): number {
  if (/^[1-5]$/.test(text)) return Number(text);
  throw createArgumentError(adding, `--factor is 1, 2, 3, 4 or 5, not "${text}"`);
}

/** As `isOriginAllowed` reads them: an origin, a host, or a host with everything below it. */
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
  throw createArgumentError(
    adding,
    `--domain is a host such as shop.example or .shop.example, or an origin such as https://shop.example:8443, not "${text}"`,
  );
}

function requireDistinct(names: readonly string[]): readonly string[] {
  const twice = names.find((one, index) => names.indexOf(one) !== index);
  if (twice === undefined) return names;
  throw createArgumentError(adding, `--personal ${twice} is given twice`);
}

export const backendKeyCommand: Command = groupOf("backend key", {
  add: {
    summary:
      "Makes an API key with its secrets, and shows them once: the database keeps digests only.",
    load: async () => backendKeyAddCommand,
  },
  list: {
    summary: "Lists the API keys by name, without keys and secrets, which are not stored.",
    load: async () => backendKeyListCommand,
  },
  revoke: {
    summary: "Makes an API key worthless, and every token that it was used for, within a second.",
    load: async () => backendKeyRevokeCommand,
  },
});
