import { isRecord, parseJson } from "../../json/values.ts";
import type { Config } from "../../config/config.ts";
import type { TableSet } from "../../locales/types.ts";
import { type CompiledTables, readTables } from "./compiled-tables.ts";
import { type Format1Tables, readFormat1 } from "./pushed-format-1.ts";

// What `afterword overrides push` writes and workers read: a key for the list, one per version.

/** The key of the {@link PushedList}. */
export const listKey = "afterword:texts";

/** The key of one version's {@link PushedTexts}. */
export function versionKey(id: string): string {
  return `${listKey}:${id}`;
}

export interface PushedList {
  readonly format: 1;
  /** Version in force; null: the texts of the deployment. */
  readonly current: string | null;
  /** Newest first. */
  readonly versions: readonly PushedVersion[];
}

export interface PushedVersion {
  /** `20261121T101500Z-` and the beginning of the hash: sorts by time. */
  readonly id: string;
  /** ISO 8601. */
  readonly pushed: string;
  /** SHA-256 (hex) of {@link PushedTexts} as JSON. */
  readonly hash: string;
}

/** All that instances say, by name; an instance that is not here keeps what was deployed. */
export interface PushedTexts {
  readonly format: 2;
  readonly tables: CompiledTables;
  /** Instance → index of its table set. */
  readonly instances: { readonly [name: string]: number };
}

/** The list, or null when the text is none. */
export function readList(text: string): PushedList | null {
  const value = parseJson(text);
  if (!isRecord(value) || value["format"] !== 1) return null;
  const { current, versions } = value;
  if (current !== null && typeof current !== "string") return null;
  if (!Array.isArray(versions) || !versions.every(isVersion)) return null;
  return { format: 1, current, versions };
}

/**
 * The configuration as it speaks with these texts, or why it can't. An instance that they do not
 * name keeps what was deployed.
 *
 * @param hash SHA-256 (hex) of a text
 */
export async function withTexts(
  deployed: Config,
  version: PushedVersion,
  text: string,
  hash: (text: string) => string | Promise<string>,
): Promise<Config | "damaged" | "newer-format" | "unusable"> {
  if ((await hash(text)) !== version.hash) return "damaged";
  const value = parseJson(text);
  if (!isRecord(value) || (value["format"] !== 1 && value["format"] !== 2)) return "newer-format";
  const { instances } = value;
  if (!isRecord(instances)) return "unusable";
  try {
    const sets = setsOf(value);
    const own = (name: string): number | null => {
      const index = Object.hasOwn(instances, name) ? instances[name] : null;
      return typeof index === "number" && index in sets ? index : null;
    };
    return {
      ...deployed,
      hash: await hash(`${deployed.hash}\n${version.hash}`),
      tableSets: [...sets, ...deployed.tableSets],
      instances: deployed.instances.map((instance) => ({
        ...instance,
        tableSet: own(instance.name) ?? sets.length + instance.tableSet,
      })),
    };
  } catch {
    return "unusable";
  }
}

function isVersion(value: unknown): value is PushedVersion {
  return (
    isRecord(value) && ["id", "pushed", "hash"].every((name) => typeof value[name] === "string")
  );
}

/** @throws TypeError or RangeError for tables of another shape */
function setsOf({ format, tables }: Readonly<Record<string, unknown>>): readonly TableSet[] {
  if (format === 1 && hasLists<Format1Tables>(tables, ["runs", "lines", "keys", "sets"])) {
    return readFormat1(tables);
  }
  if (format === 2 && hasLists<CompiledTables>(tables, ["lines", "sets"]))
    return readTables(tables);
  throw new TypeError("these are no tables");
}

/** Written by `afterword overrides` and vouched for by the hash: the lists tell the whole. */
function hasLists<Tables>(
  value: unknown,
  names: readonly (string & keyof Tables)[],
): value is Tables {
  return isRecord(value) && names.every((name) => Array.isArray(value[name]));
}
