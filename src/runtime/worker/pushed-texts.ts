import { isRecord, parseJson } from "../../json/values.ts";
import type { Config } from "../../config/config.ts";
import { AfterwordError } from "../../errors.ts";
import { type CompiledTables, compileTables, readTables } from "./compiled-tables.ts";
import type { KeyedTexts } from "./platform.ts";

// The texts that `afterword overrides push` writes and workers read: a key for the list, one per
// version.

/** The format of {@link PushedTexts}. */
const TEXTS_FORMAT = 2;

/** The key of the {@link PushedList}. */
export const listKey = "afterword:texts";

/** The key of one version's {@link PushedTexts}. */
export function toVersionKey(id: string): string {
  return `${listKey}:${id}`;
}

export interface PushedList {
  readonly format: 1;
  /** Version in force; null for the texts of the deployment. */
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
  /** Absent if `afterword overrides` pushed it. */
  readonly publication?: PushedPublication;
}

/** The console's history entry of a version. */
export interface PushedPublication {
  readonly number: number;
  readonly label: string;
  readonly note: string;
  readonly restores: number | null;
  readonly files: readonly PublishedTexts[];
}

/** The lines of a language that a publication changed; null for Afterword's. */
export interface PublishedTexts {
  /** The first of `instances`, which all have the same texts. */
  readonly instance: string;
  readonly instances: readonly string[];
  readonly locale: string;
  readonly before: ChangedTexts;
  readonly after: ChangedTexts;
}

export type ChangedTexts = Readonly<Record<string, string | null>>;

/** All texts of instances, by name. An instance that is missing keeps its deployed texts. */
export interface PushedTexts {
  readonly format: typeof TEXTS_FORMAT;
  readonly tables: CompiledTables;
  /** Instance → index of its table set. */
  readonly instances: { readonly [name: string]: number };
}

/** The most versions that are kept; the oldest that is not in force is dropped. */
const maxVersions = 20;

/** Reads the pushed versions. Throws `config-invalid` when the key holds something else. */
export async function readVersions(store: KeyedTexts): Promise<PushedList> {
  const text = await store.get(listKey);
  if (text === null) return { format: 1, current: null, versions: [] };
  const list = readList(text);
  if (list !== null) return list;
  throw new AfterwordError(
    "config-invalid",
    `what stands under the key ${listKey} is no list of versions: delete it with \`wrangler kv key delete ${listKey}\`, and push again`,
  );
}

/**
 * Stores texts as a new version and puts it in force. The texts are there before anything points to
 * them.
 *
 * @param now milliseconds since the epoch
 * @param hashOf SHA-256 (hex)
 * @param publication what the console notes of it
 * @returns the list as it is now, the version in force, and whether it is new: equal texts are not
 *   pushed twice
 */
export async function pushTexts(
  store: KeyedTexts,
  texts: PushedTexts,
  now: number,
  hashOf: (text: string) => string | Promise<string>,
  publication?: PushedPublication,
): Promise<{
  readonly list: PushedList;
  readonly version: PushedVersion;
  readonly isNew: boolean;
}> {
  const list = await readVersions(store);
  const text = JSON.stringify(texts);
  const hash = await hashOf(text);
  const inForce = list.versions.find(({ id }) => id === list.current);
  if (inForce?.hash === hash) return { list, version: inForce, isNew: false };
  const others = list.versions;
  // Texts that return within a second are a separate version.
  let at = now;
  while (others.some((other) => other.id === idOf(at, hash))) at += 1000;
  const id = idOf(at, hash);
  const pushed = new Date(at).toISOString();
  const version: PushedVersion = { id, pushed, hash, ...(publication && { publication }) };
  const kept = others.slice(0, maxVersions - 1);
  await store.put(toVersionKey(id), text);
  const written: PushedList = { format: 1, current: id, versions: [version, ...kept] };
  await writeList(store, written);
  for (const { id: old } of others.slice(maxVersions - 1)) await store.delete(toVersionKey(old));
  return { list: written, version, isNew: true };
}

function idOf(at: number, hash: string): string {
  return `${new Date(at).toISOString().replace(/[-:]|\.\d+/g, "")}-${hash.slice(0, 12)}`;
}

export async function writeList(store: KeyedTexts, list: PushedList): Promise<void> {
  await store.put(listKey, JSON.stringify(list));
}

/** Lists the texts of all instances of a configuration. */
export function pushedTextsOf({ tableSets, instances }: Config): PushedTexts {
  // The deployment's texts come after pushed ones, and may no longer be used.
  const used = [...new Set(instances.map(({ tableSet }) => tableSet))];
  return {
    format: TEXTS_FORMAT,
    tables: compileTables(used.flatMap((index) => tableSets[index] ?? [])),
    instances: Object.fromEntries(
      instances.map(({ name, tableSet }) => [name, used.indexOf(tableSet)]),
    ),
  };
}

/** Parses the list; null when the text is not a list. */
export function readList(text: string): PushedList | null {
  const value = parseJson(text);
  if (!isRecord(value) || value["format"] !== 1) return null;
  const { current, versions } = value;
  if (current !== null && typeof current !== "string") return null;
  if (!Array.isArray(versions) || !versions.every(isVersion)) return null;
  return { format: 1, current, versions };
}

/**
 * Returns the configuration with these texts, or the reason why it can't use them. An instance that
 * they do not name keeps its deployed texts.
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
  if (!isRecord(value) || Number(value["format"]) > TEXTS_FORMAT) return "newer-format";
  const { format, instances, tables } = value;
  if (format !== TEXTS_FORMAT || !isRecord(instances) || !areTables(tables)) return "unusable";
  try {
    const sets = readTables(tables);
    const readOwn = (name: string): number | null => {
      const index = Object.hasOwn(instances, name) ? instances[name] : null;
      return typeof index === "number" && index in sets ? index : null;
    };
    return {
      ...deployed,
      hash: await hash(`${deployed.hash}\n${version.hash}`),
      tableSets: [...sets, ...deployed.tableSets],
      instances: deployed.instances.map((instance) => ({
        ...instance,
        tableSet: readOwn(instance.name) ?? sets.length + instance.tableSet,
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

/** Written by `afterword overrides` and verified by the hash, so checking the lists is enough. */
function areTables(value: unknown): value is CompiledTables {
  return isRecord(value) && Array.isArray(value["lines"]) && Array.isArray(value["sets"]);
}
