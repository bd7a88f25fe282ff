import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import type { JsonRecord, JsonValue } from "../src/config/config.ts";
import { toJson } from "../src/config/json.ts";
import { findPackageRoot } from "../src/config/load/package-root.ts";

/** The documentation of a key of `afterword.yaml`. */
export interface DocumentedKey {
  readonly description: string;
  /** Undefined if the docs name none, or one that depends on another setting. */
  readonly default: JsonValue | undefined;
}

const ROW = /^\| (`.+?) +\| (.*?) +\| (.+?) +\|$/;

/** Where keys are documented: each table below a heading is about the keys of these mappings. */
const TABLES: readonly { readonly file: string; readonly headings: ReadonlyMap<string, string> }[] =
  [
    {
      file: "docs/configuration.md",
      headings: new Map([
        ["listen", "listen."],
        ["upstream", "upstream."],
        ["instances", "instances[]."],
        ["messages", "messages."],
        ["backend", "backend."],
        ["limits", "limits."],
        ["state", "state."],
        ["escalation", "escalation."],
        ["escalation.triggers", "escalation.triggers."],
        ["escalation.identity, escalation.chat, escalation.ticket", "escalation."],
      ]),
    },
    { file: "docs/callers.md", headings: new Map([["Callers", "callers[]."]]) },
  ];

/** Every key that has a row in a table of the docs, by path, such as `instances[].match.host`. */
export function documentedKeys(): ReadonlyMap<string, DocumentedKey> {
  const keys = new Map<string, DocumentedKey>();
  for (const { file, headings } of TABLES) {
    let prefix: string | undefined;
    for (const line of readFileSync(join(findPackageRoot(), file), "utf8").split("\n")) {
      const [, heading] = /^#+ (.+)$/.exec(line) ?? [];
      if (heading !== undefined) prefix = headings.get(heading);
      const [, names = "", given = "", meaning = ""] = ROW.exec(line) ?? [];
      if (prefix === undefined || names === "") continue;
      for (const path of pathsOf(names, prefix)) keys.set(path, documented(given, meaning));
    }
  }
  return keys;
}

/** The keys of a row; `.name` stands for one beside that before it. */
function pathsOf(names: string, prefix: string): readonly string[] {
  let beside = "";
  return [...names.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => {
    const path = name.startsWith(".") ? `${beside}${name}` : name;
    beside = path.replace(/\.[^.]+$/, "");
    return `${prefix}${path}`;
  });
}

function documented(given: string, meaning: string): DocumentedKey {
  const text = meaning.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1").replaceAll("\\|", "|");
  const [, code] = /^`([^`]+)`$/.exec(given) ?? [];
  const value = code === undefined ? undefined : toJson(parse(code));
  const says = ["", "needed", "none", "any"].includes(given) || code !== undefined;
  return { description: says ? text : `${text} Default: ${given}.`, default: value };
}

/** Returns the schema with the description and the default of each documented key. */
export function withDocumentedKeys(
  schema: JsonRecord,
  keys: ReadonlyMap<string, DocumentedKey>,
): JsonRecord {
  return inside(schema, "");

  /** All branches of a union describe the same key, so it is described once. */
  function inside(shape: JsonRecord, path: string): JsonRecord {
    const members = Object.entries(shape).map(([name, value]): [string, JsonValue] => {
      if (name === "properties" && isMapping(value)) {
        const properties = Object.entries(value).map(([key, one]): [string, JsonValue] => [
          key,
          said(one, path === "" ? key : `${path}.${key}`),
        ]);
        return [name, Object.fromEntries(properties)];
      }
      if (name === "items" && isMapping(value)) return [name, inside(value, `${path}[]`)];
      if (name !== "anyOf" || !Array.isArray(value)) return [name, value];
      return [name, value.map((one) => (isMapping(one) ? inside(one, path) : one))];
    });
    return Object.fromEntries(members);
  }

  function said(shape: JsonValue, path: string): JsonValue {
    if (!isMapping(shape)) return shape;
    const own = keys.get(path);
    // An instance without its own setting uses the global one.
    const key = own ?? keys.get(path.replace(/^instances\[\]\./, ""));
    const { description = key?.description, ...rest } = inside(shape, path);
    return {
      ...(description !== undefined && { description: key?.description ?? description }),
      ...(own?.default !== undefined && { default: own.default }),
      ...rest,
    };
  }
}

function isMapping(value: JsonValue): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
