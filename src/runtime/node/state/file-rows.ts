import type { EscalationRows, Row } from "../../../escalation/stores/rows.ts";
import type { SqliteResult } from "../../../storage/sqlite/protocol.ts";
import { retryPatiently, type StateFile } from "./state-file.ts";

/**
 * A lease that begins this many milliseconds after now was granted before the clock was set back,
 * and is ignored. Processes of one machine have one clock, so this only has to cover the duration
 * of a call.
 */
const ahead = 10_000;

/**
 * Escalation records and claims in the state file. A write that another process blocks is retried
 * for a while.
 *
 * @param now milliseconds since the epoch
 */
export function createFileRows(file: StateFile, now: () => number): EscalationRows {
  return {
    get: async (key) => rowsOf(await file.run(`${select} WHERE key = ?`, key))[0] ?? null,
    findByEvent: async (event) =>
      rowsOf(await file.run(`${select} WHERE event = ? ORDER BY updated DESC LIMIT 1`, event))[0] ??
      null,
    async put({ key, revision, value, event, wake, open, pending, updated }, expected) {
      const values = [revision, value, event === "" ? null : event, wake] as const;
      const flags = [Number(open), Number(pending), updated] as const;
      // A power cut loses at most a count of a conversation in which nothing is pending.
      const write = open ? file.runDurably : file.run;
      const { changes } = await retryPatiently(() =>
        expected === 0
          ? write(insert, ...values, ...flags, key)
          : write(update, ...values, ...flags, key, expected),
      );
      return changes === 1;
    },
    async delete(key) {
      await retryPatiently(() => file.runDurably("DELETE FROM escalations WHERE key = ?", key));
    },
    async leaseDue(at, limit, lease) {
      const free = [at, at, at + ahead] as const;
      const found = await file.run(`SELECT 1 FROM escalations ${dueNow} LIMIT 1`, ...free);
      // Usually there is none, and then no other process's write has to be awaited.
      if (found.rows.length === 0) return [];
      const leased = await file.run(
        `UPDATE escalations SET lease_from = ?, lease_until = ?
         WHERE key IN (SELECT key FROM escalations ${dueNow} ORDER BY wake LIMIT ?)
         RETURNING key, revision, value, wake`,
        at,
        at + lease,
        ...free,
        limit,
      );
      const byWake = leased.rows.toSorted((a, b) => Number(a["wake"]) - Number(b["wake"]));
      return rowsOf({ ...leased, rows: byWake });
    },
    listOpen: async (limit) =>
      rowsOf(await file.run(`${select} WHERE open = 1 ORDER BY updated DESC LIMIT ?`, limit)),
    async sweep(before) {
      const { changes } = await retryPatiently(() =>
        file.runDurably("DELETE FROM escalations WHERE pending = 0 AND updated < ?", before),
      );
      return changes;
    },
    async claim(name, by, lease) {
      const { changes } = await retryPatiently(() => {
        const at = now();
        return file.run(claim, name, by, at, at + lease, at + ahead);
      });
      return changes === 1;
    },
    async release(name, by) {
      await retryPatiently(() =>
        file.run("DELETE FROM claims WHERE name = ? AND holder = ?", name, by),
      );
    },
  };
}

/** Deletes claims that have ended. */
export async function sweepClaims(file: StateFile, now: number): Promise<void> {
  await file.run("DELETE FROM claims WHERE lease_until <= ?", now);
}

const select = "SELECT key, revision, value FROM escalations";

const insert = `INSERT INTO escalations (revision, value, event, wake, open, pending, updated, key)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING`;

const update = `UPDATE escalations
  SET revision = ?, value = ?, event = ?, wake = ?, open = ?, pending = ?, updated = ?,
    lease_from = NULL, lease_until = NULL
  WHERE key = ? AND revision = ?`;

const dueNow = `WHERE wake IS NOT NULL AND wake <= ?
  AND (lease_until IS NULL OR lease_until <= ? OR lease_from > ?)`;

const claim = `INSERT INTO claims (name, holder, lease_from, lease_until) VALUES (?, ?, ?, ?)
  ON CONFLICT (name) DO UPDATE
    SET holder = excluded.holder, lease_from = excluded.lease_from, lease_until = excluded.lease_until
    WHERE holder = excluded.holder OR lease_until <= excluded.lease_from OR lease_from > ?`;

function rowsOf({ rows }: SqliteResult): readonly Row[] {
  return rows.map(({ key, revision, value }) => ({
    key: String(key),
    revision: Number(revision),
    value: String(value),
  }));
}
