import { AfterwordError } from "../../../errors.ts";
import type { SqliteFailure, SqliteResult, SqliteValue } from "../../../storage/sqlite/protocol.ts";
import { openSqliteThread, type SqliteThread } from "../../../storage/sqlite/thread.ts";
import type { StoreHealth } from "./store-health.ts";
import { pause } from "../../../wait.ts";

/** The file of shared state. Several processes of one machine may have it open at once. */
export interface StateFile {
  readonly run: RunStatement;
  /** Runs a statement whose effect survives a power cut once this resolves. */
  readonly runDurably: RunStatement;
  close(): Promise<void>;
}

type RunStatement = (sql: string, ...parameters: readonly SqliteValue[]) => Promise<SqliteResult>;

/**
 * Opens the file in a thread of its own. A new file gets mode 0600.
 *
 * @throws AfterwordError `data-directory-unusable`: it cannot be opened, is damaged, or a newer
 *   release wrote it
 */
export async function openStateFile(file: string, health: StoreHealth): Promise<StateFile> {
  const thread = await openSqliteThread({
    file,
    name: file,
    // Readers do not wait longer, and every request queues behind a write that waits.
    lockPatience: 250,
    maxWaiting: 1000,
    explain: (failure) => explain(failure, file),
  });
  try {
    await prepare(thread, file);
  } catch (error) {
    await thread.close();
    throw error;
  }
  return {
    run: (sql, ...parameters) =>
      readFirstResult(thread.send({ kind: "run", statement: { sql, parameters }, within: false })),
    runDurably: (sql, ...parameters) =>
      readFirstResult(
        thread.send({ kind: "batch", statements: [{ sql, parameters }], durable: true }),
      ),
    close: () => thread.close(),
  };

  async function readFirstResult(results: Promise<readonly SqliteResult[]>): Promise<SqliteResult> {
    try {
      const [result = { rows: [], changes: 0 }] = await results;
      health.works();
      return result;
    } catch (error) {
      health.failed(error instanceof Error ? error.message : String(error));
      throw error;
    }
  }
}

/** Retries while another process writes. It waits outside the thread, and so blocks no request. */
export async function retryPatiently<Value>(work: () => Promise<Value>): Promise<Value> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof BusyError) || attempt === maxAttempts) throw error;
    }
    await pause(attempt * 5);
  }
}

/** Each waits for up to 250 ms inside the thread. */
const maxAttempts = 5;

/** The statement was not run, because another process was writing. */
class BusyError extends Error {}

/** Explains what happened to the file, and what to do. */
function explain({ code, message }: SqliteFailure, file: string): Error {
  // The higher bits distinguish variants of one failure (https://sqlite.org/rescode.html).
  const primary = typeof code === "number" ? code & 0xff : 0;
  if (primary === 5) return new BusyError(`${file} cannot be written (${message})`);
  const known = failures[primary];
  return new AfterwordError(
    "data-directory-unusable",
    known === undefined
      ? `${file} cannot be used (${message}): data: in the configuration must be a directory of a local disk that this process may write`
      : `${file} ${known[0]} (${message}): ${known[1]}`,
  );
}

const damaged = [
  "is damaged",
  "move it away, and a new one is made at the next start. Conversations that are under way lose their language and variables, and escalations that are not settled are forgotten",
] as const;

const failures: Readonly<Record<number, readonly [what: string, cure: string]>> = {
  10: [
    "cannot be read or written, because the disk fails",
    "look at the system's log, and at the free space",
  ],
  11: damaged,
  13: ["cannot be written", "free some space"],
  26: damaged,
};

/**
 * Makes the tables of a new file.
 *
 * @throws AfterwordError `data-directory-unusable` for a file of another release
 */
async function prepare(thread: SqliteThread, file: string): Promise<void> {
  const found = await versionOf(thread, false);
  if (found !== 0 && found !== version) {
    const writer =
      found > version
        ? `a newer release of Afterword (schema ${found}, this one knows ${version}): run that release`
        : "a version of Afterword from before the first release, which this one cannot read: run that version";
    throw new AfterwordError(
      "data-directory-unusable",
      `${file} was written by ${writer}, or move the file away, and a new one is made at the next start`,
    );
  }
  if (found === version) return;
  await retryPatiently(() => thread.send({ kind: "begin", durable: false }));
  // Another process may have made the tables while this one waited.
  const pending = (await versionOf(thread, true)) === version ? [] : tables;
  for (const sql of [...pending, `PRAGMA user_version = ${version}`]) {
    await thread.send({ kind: "run", statement: { sql, parameters: [] }, within: true });
  }
  await thread.send({ kind: "commit" });
}

async function versionOf(thread: SqliteThread, within: boolean): Promise<number> {
  const statement = { sql: "PRAGMA user_version", parameters: [] };
  const [result] = await thread.send({ kind: "run", statement, within });
  return Number(result?.rows[0]?.["user_version"] ?? 0);
}

/** The file's `user_version`. Versions 1 and 2 are from before the first release. */
const version = 3;

const tables: readonly string[] = [
  "CREATE TABLE conversations (key TEXT PRIMARY KEY, expires INTEGER NOT NULL, value TEXT NOT NULL)",
  "CREATE INDEX conversations_expires ON conversations (expires)",
  `CREATE TABLE escalations (
      key TEXT PRIMARY KEY, revision INTEGER NOT NULL, value TEXT NOT NULL,
      event TEXT, wake INTEGER, open INTEGER NOT NULL, pending INTEGER NOT NULL, updated INTEGER NOT NULL,
      lease_from INTEGER, lease_until INTEGER
    )`,
  "CREATE INDEX escalations_event ON escalations (event) WHERE event IS NOT NULL",
  "CREATE INDEX escalations_wake ON escalations (wake) WHERE wake IS NOT NULL",
  "CREATE INDEX escalations_open ON escalations (updated) WHERE open = 1",
  "CREATE INDEX escalations_old ON escalations (updated) WHERE pending = 0",
  `CREATE TABLE claims (
      name TEXT PRIMARY KEY, holder TEXT NOT NULL, lease_from INTEGER NOT NULL, lease_until INTEGER NOT NULL
    )`,
  "CREATE TABLE marks (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
];
