import { DatabaseSync } from "node:sqlite";
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Talk } from "../stage.ts";

/** As much of an old record as is needed here. */
export interface OldRecord {
  readonly key: string;
  readonly revision: number;
  readonly phase: { readonly name: string };
  readonly [member: string]: unknown;
}

export interface OldStore {
  get(key: string): Promise<OldRecord | null>;
  put(record: OldRecord): Promise<OldRecord | null>;
}

export interface OldState {
  readonly escalations: OldStore;
  get(key: string): Promise<unknown>;
  put(key: string, memory: unknown): Promise<void>;
  close(): Promise<void>;
}

/** What stands in the key of a sealed fixture: 32 bytes, as `state.key` wants them. */
export const sealingKey: Uint8Array = new Uint8Array(32).fill(7);

/** The state store of that version. */
export async function openOld(
  checkout: string,
  kind: "file" | "redis",
  place: string,
  now: number,
  keys: readonly Uint8Array[] = [],
): Promise<OldState> {
  const state = join(checkout, "src", "runtime/node/state");
  const { createSealing } = await import(join(checkout, "src", "escalation/stores/sealing.ts"));
  const sealing = keys.length === 0 ? undefined : await createSealing(keys);
  const standing = { works: () => undefined, failed: () => undefined };
  const damaged = (): void => {
    throw new Error("a record of its own that it cannot read");
  };
  const shared = { damaged, ...(sealing !== undefined && { sealing }) };
  if (kind === "redis") {
    const { openRedisStore } = await import(join(state, "redis-store.ts"));
    return openRedisStore({ address: place, standing: () => standing, ...shared });
  }
  const { openFileStore } = await import(join(state, "file-store.ts"));
  return openFileStore({ file: place, now: () => now, standing, ...shared });
}

/** Keys of all conversations and escalations in a state file. */
export function keysIn(file: string): {
  readonly conversations: readonly string[];
  readonly escalations: readonly string[];
} {
  const database = new DatabaseSync(file, { readOnly: true });
  const keys = (table: string): string[] =>
    database
      .prepare(`SELECT key FROM ${table} ORDER BY key`)
      .all()
      .map(({ key }) => String(key));
  const found = { conversations: keys("conversations"), escalations: keys("escalations") };
  database.close();
  return found;
}

/**
 * States that the gateway of that version reaches at the edge alone, where words of languages come
 * late, and one that lasts for a moment: made by its own code from records of conversations that
 * are in the state before.
 */
export async function addUnreachable(
  checkout: string,
  file: string,
  now: number,
  talks: ReadonlyMap<string, Talk>,
  keyOf: (label: string) => string,
): Promise<void> {
  const { take } = await import(join(checkout, "src", "escalation/turn.ts"));
  const { DEFAULT_ESCALATION } = await import(
    join(checkout, "src", "config/escalation-defaults.ts")
  );
  const state = await openOld(checkout, "file", file, now);
  const scope = {
    settings: DEFAULT_ESCALATION,
    say: (_: unknown, key: string) => `[${key}]`,
    understands: () => false,
    now: () => now,
  };
  const change = async (
    label: string,
    changed: (record: OldRecord) => OldRecord,
  ): Promise<void> => {
    if (!talks.has(label)) return;
    const record = await state.escalations.get(keyOf(label));
    if (record === null) throw new Error(`no record of ${label}`);
    await state.escalations.put(changed(record));
  };
  const typed = (record: OldRecord): OldRecord => {
    const says = {
      question: "igen",
      option: null,
      choice: null,
      unread: false,
      digest: "d",
      at: now,
    };
    return take(scope, record, says).record;
  };
  await change("offered-unheard", typed);
  await change("asked-unheard", typed);
  await change("out-of-hours", (record) => ({
    ...record,
    phase: { name: "reaching", rung: 1, since: now, why: "hours" },
    wake: now + 10_000,
  }));
  await state.close();
  compactWal(file);
}

/** The same state, encrypted. */
export async function sealedCopy(
  checkout: string,
  from: string,
  to: string,
  now: number,
): Promise<void> {
  const source = await openOld(checkout, "file", from, now);
  const target = await openOld(checkout, "file", to, now, [sealingKey]);
  await copyAll(source, target, keysIn(from));
  await source.close();
  await target.close();
  compactWal(from);
  compactWal(to);
}

export async function copyAll(
  source: OldState,
  target: OldState,
  keys: ReturnType<typeof keysIn>,
): Promise<void> {
  for (const key of keys.conversations) {
    const memory = await source.get(key);
    if (memory !== null) await target.put(key, memory);
  }
  for (const key of keys.escalations) {
    const record = await source.escalations.get(key);
    if (record === null) throw new Error(`no record ${key}`);
    await target.escalations.put({ ...record, revision: 0 });
  }
}

/** One file, without its log. */
export function compactWal(file: string): void {
  const database = new DatabaseSync(file);
  database.exec("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE; VACUUM");
  database.close();
  for (const suffix of ["-wal", "-shm"]) rmSync(file + suffix, { force: true });
}
