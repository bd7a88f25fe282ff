import { checkSeal, type SealMark } from "../../../escalation/stores/seal-check.ts";
import { type Sealing, unsealed } from "../../../escalation/stores/sealing.ts";
import { createStoredEscalations } from "../../../escalation/stores/stored.ts";
import { createStoredConversations, type ConversationTexts } from "./conversations.ts";
import { createFileRows, sweepClaims } from "./file-rows.ts";
import type { StoreHealth } from "./store-health.ts";
import { openStateFile, retryPatiently, type StateFile } from "./state-file.ts";
import type { Damaged, StateStore } from "./state-store.ts";
import { memoryLifetime } from "../../../conversation/memory.ts";

export interface FileStoreOptions {
  /** Made when there is none; its directory too. */
  readonly file: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly health: StoreHealth;
  /** Called for every stored entry that cannot be read, which counts as missing. */
  readonly damaged: Damaged;
  /** Encrypts stored texts. Default: no encryption. */
  readonly sealing?: Sealing;
  /**
   * The most conversations. Beyond it, the one that was silent longest is dropped first. Default
   * 100,000.
   */
  readonly limit?: number;
}

/** How often expired conversations are deleted without any writes, in milliseconds. */
const sweepEvery = 60_000;

/**
 * Conversations and escalations in one SQLite file, for the processes of one machine.
 *
 * @throws AfterwordError `data-directory-unusable`, or `config-invalid` where the key does not fit
 *   to what is stored
 */
export async function openFileStore(options: FileStoreOptions): Promise<StateStore> {
  const { now, health, damaged, sealing = unsealed, limit = 100_000 } = options;
  const file = await openStateFile(options.file, health);
  try {
    await checkSeal(sealMark(file), sealing, {
      where: options.file,
      hasKeys: sealing !== unsealed,
    });
  } catch (error) {
    await file.close();
    throw error;
  }
  const sweeping = setInterval(() => {
    const at = now();
    Promise.all([sweepConversations(file, at), sweepClaims(file, at)]).catch(() => undefined);
  }, sweepEvery).unref();
  return {
    ...createStoredConversations({
      texts: createFileConversations(file, limit, now),
      sealing,
      damaged,
    }),
    escalations: createStoredEscalations({
      rows: createFileRows(file, now),
      sealing,
      damaged: () => damaged("escalation"),
    }),
    close() {
      clearInterval(sweeping);
      return file.close();
    },
  };
}

function sealMark(file: StateFile): SealMark {
  return {
    async read() {
      const { rows } = await file.run("SELECT value FROM marks WHERE name = 'seal'");
      return rows[0] === undefined ? null : String(rows[0]["value"]);
    },
    async write(text) {
      const set =
        "INSERT INTO marks (name, value) VALUES ('seal', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value";
      await retryPatiently(() => file.runDurably(set, text));
    },
  };
}

/** Milliseconds between moves of the expiry by reads, so that most reads write nothing. */
const touchEvery = 60_000;

/** Ensures {@link memoryLifetime} even if the last reads did not move the expiry. */
const lifetime = memoryLifetime + touchEvery;

/**
 * Stored conversations in the state file.
 *
 * @param limit the most conversations; the one that was silent longest is dropped first
 * @param now milliseconds since the epoch
 */
function createFileConversations(
  file: StateFile,
  limit: number,
  now: () => number,
): ConversationTexts {
  // Counting is slow, so it is done once for this many writes. Other processes write too: together
  // they may go over the limit by as many each, until one of them counts again.
  const between = Math.floor(limit / 100);
  let writes = between;

  return {
    async get(key) {
      const at = now();
      const { rows } = await file.run(
        "SELECT value, expires FROM conversations WHERE key = ? AND expires > ?",
        key,
        at,
      );
      const [row] = rows;
      if (row === undefined) return null;
      const expires = at + lifetime;
      if (expires - Number(row["expires"]) >= touchEvery) {
        await file.run("UPDATE conversations SET expires = ? WHERE key = ?", expires, key);
      }
      return String(row["value"]);
    },
    async put(key, value) {
      await file.run(
        `INSERT INTO conversations (key, expires, value) VALUES (?, ?, ?)
         ON CONFLICT (key) DO UPDATE SET expires = excluded.expires, value = excluded.value`,
        key,
        now() + lifetime,
        value,
      );
      writes += 1;
      if (writes <= between) return;
      writes = 0;
      await file.run(
        `DELETE FROM conversations WHERE key IN (
           SELECT key FROM conversations ORDER BY expires
           LIMIT max(0, (SELECT count(*) FROM conversations) - ?)
         )`,
        limit - between,
      );
    },
  };
}

/** Deletes expired conversations. */
async function sweepConversations(file: StateFile, now: number): Promise<void> {
  await file.run("DELETE FROM conversations WHERE expires <= ?", now);
}
