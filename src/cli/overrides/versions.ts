import { createHash } from "node:crypto";
import { AfterwordError } from "../../errors.ts";
import {
  listKey,
  type PushedList,
  type PushedTexts,
  type PushedVersion,
  readList,
  versionKey,
} from "../../runtime/worker/pushed-texts.ts";
import type { TextStore } from "./text-store.ts";

/** How many versions are kept; the oldest that is not in force leaves. */
const mostVersions = 20;

/** What was pushed so far. Throws `config-invalid` when something else stands there. */
export async function readVersions(store: TextStore): Promise<PushedList> {
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
 * @returns the version in force, and whether it is new: equal texts are not pushed twice
 */
export async function pushTexts(
  store: TextStore,
  texts: PushedTexts,
  now: number,
): Promise<{ readonly version: PushedVersion; readonly isNew: boolean }> {
  const list = await readVersions(store);
  const text = JSON.stringify(texts);
  const hash = createHash("sha256").update(text).digest("hex");
  const inForce = list.versions.find(({ id }) => id === list.current);
  if (inForce?.hash === hash) return { version: inForce, isNew: false };
  const pushed = new Date(now).toISOString();
  const id = `${pushed.replace(/[-:]|\.\d+/g, "")}-${hash.slice(0, 12)}`;
  const version: PushedVersion = { id, pushed, hash };
  const others = list.versions.filter((other) => other.id !== id);
  const kept = others.slice(0, mostVersions - 1);
  await store.put(versionKey(id), text);
  await writeList(store, { format: 1, current: id, versions: [version, ...kept] });
  for (const { id: old } of others.slice(mostVersions - 1)) await store.delete(versionKey(old));
  return { version, isNew: true };
}

/**
 * Puts another version in force.
 *
 * @param wanted a version's id or its beginning; `deployed` for the texts of the deployment; null
 *   for the one that was pushed
 *   before the one in force, or the deployment's when there is none
 * @returns its id, or null for the texts of the deployment
 * @throws AfterwordError `argument-invalid` when there is no such version
 */
export async function rollBack(store: TextStore, wanted: string | null): Promise<string | null> {
  const list = await readVersions(store);
  const current = chosen(list, wanted);
  // Looked for before it is in force: a version whose texts are gone would be no way back.
  if (current !== null && (await store.get(versionKey(current))) === null) {
    throw new AfterwordError(
      "argument-invalid",
      `afterword overrides rollback: the texts of ${current} are not there any more; push again, or name another version`,
    );
  }
  await writeList(store, { ...list, current });
  return current;
}

function chosen({ current, versions }: PushedList, wanted: string | null): string | null {
  if (wanted === "deployed") return null;
  if (wanted === null) {
    if (current === null) {
      throw unknown("there is no version in force to go back from");
    }
    const at = versions.findIndex(({ id }) => id === current);
    return versions[at + 1]?.id ?? null;
  }
  const found = versions.filter(({ id }) => id.startsWith(wanted) || id.endsWith(`-${wanted}`));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only.id;
  throw unknown(`${found.length === 0 ? "no" : "more than one"} version is meant by "${wanted}"`);
}

function unknown(what: string): AfterwordError {
  return new AfterwordError(
    "argument-invalid",
    `afterword overrides rollback: ${what} (afterword overrides list)`,
  );
}

async function writeList(store: TextStore, list: PushedList): Promise<void> {
  await store.put(listKey, JSON.stringify(list));
}
