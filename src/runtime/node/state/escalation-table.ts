import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import type { NewRow, Row } from "../../../escalation/stores/rows.ts";

/**
 * Escalation records and claims, in SQLite. Every call blocks; times are milliseconds since the
 * epoch.
 */
export interface EscalationTable {
  get(key: string): Row | null;
  byEvent(event: string): Row | null;
  put(row: NewRow, expected: number): boolean;
  delete(key: string): void;
  due(now: number, limit: number, lease: number): readonly Row[];
  open(limit: number): readonly Row[];
  sweep(before: number): number;
  claim(name: string, by: string, lease: number, now: number): boolean;
  release(name: string, by: string): void;
  /** Deletes claims that have ended. */
  forgetClaims(now: number): void;
  /** The text that tells whether a key fits. */
  readMark(): string | null;
  writeMark(text: string): void;
}

/**
 * A lease that begins this much later than now was given before the clock was set back: nobody
 * waits for it. Processes of one machine have one clock, so that this only has to cover what a call
 * takes, in milliseconds.
 */
const ahead = 10_000;

export function createEscalationTable(database: DatabaseSync): EscalationTable {
  const row = "key, revision, value";
  const select = database.prepare(`SELECT ${row} FROM escalations WHERE key = ?`);
  const selectEvent = database.prepare(
    `SELECT ${row} FROM escalations WHERE event = ? ORDER BY updated DESC LIMIT 1`,
  );
  const insert = database.prepare(
    `INSERT INTO escalations (key, revision, value, event, wake, open, pending, updated)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING`,
  );
  const update = database.prepare(
    `UPDATE escalations SET revision = ?, value = ?, event = ?, wake = ?, open = ?, pending = ?, updated = ?,
       lease_from = NULL, lease_until = NULL
     WHERE key = ? AND revision = ?`,
  );
  const remove = database.prepare("DELETE FROM escalations WHERE key = ?");
  const selectDue = database.prepare(
    `SELECT ${row} FROM escalations
     WHERE wake IS NOT NULL AND wake <= ? AND (lease_until IS NULL OR lease_until <= ? OR lease_from > ?)
     ORDER BY wake LIMIT ?`,
  );
  const lease = database.prepare(
    "UPDATE escalations SET lease_from = ?, lease_until = ? WHERE key = ?",
  );
  const selectOpen = database.prepare(
    `SELECT ${row} FROM escalations WHERE open = 1 ORDER BY updated DESC LIMIT ?`,
  );
  const removeOld = database.prepare("DELETE FROM escalations WHERE pending = 0 AND updated < ?");
  const claim = database.prepare(
    `INSERT INTO claims (name, holder, lease_from, lease_until) VALUES (?, ?, ?, ?)
     ON CONFLICT (name) DO UPDATE
       SET holder = excluded.holder, lease_from = excluded.lease_from, lease_until = excluded.lease_until
       WHERE holder = excluded.holder OR lease_until <= excluded.lease_from OR lease_from > ?`,
  );
  const release = database.prepare("DELETE FROM claims WHERE name = ? AND holder = ?");
  const endedClaims = database.prepare("DELETE FROM claims WHERE lease_until <= ?");
  const mark = database.prepare("SELECT value FROM marks WHERE name = 'seal'");
  const setMark = database.prepare(
    "INSERT INTO marks (name, value) VALUES ('seal', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
  );

  return {
    get: (key) => toRow(select.get(key)),
    byEvent: (event) => toRow(selectEvent.get(event)),
    put(next, expected) {
      const { key, revision, value, wake, updated } = next;
      const event = next.event === "" ? null : next.event;
      const flags = [Number(next.open), Number(next.pending)] as const;
      const write = (): boolean =>
        (expected === 0
          ? insert.run(key, revision, value, event, wake, ...flags, updated)
          : update.run(revision, value, event, wake, ...flags, updated, key, expected)
        ).changes === 1;
      // Of a conversation in which nothing is going on, a power cut takes a count at most.
      return next.open ? durably(write) : write();
    },
    delete(key) {
      durably(() => remove.run(key));
    },
    due(now, limit, length) {
      const found = (): readonly Row[] => toRows(selectDue.all(now, now, now + ahead, limit));
      // Mostly there is none: then nobody's writing has to be waited for.
      if (found().length === 0) return [];
      return within(() => {
        const rows = found();
        for (const { key } of rows) lease.run(now, now + length, key);
        return rows;
      });
    },
    open: (limit) => toRows(selectOpen.all(limit)),
    sweep: (before) => durably(() => Number(removeOld.run(before).changes)),
    claim: (name, by, length, now) =>
      claim.run(name, by, now, now + length, now + ahead).changes === 1,
    release(name, by) {
      release.run(name, by);
    },
    forgetClaims(now) {
      endedClaims.run(now);
    },
    readMark() {
      const found = mark.get();
      return found === undefined ? null : String(found["value"]);
    },
    writeMark(text) {
      durably(() => setMark.run(text));
    },
  };

  /**
   * What is written here is on the disk when it returns, also after a power cut. The rest of the
   * file need not wait for that.
   */
  function durably<Value>(work: () => Value): Value {
    database.exec("PRAGMA synchronous = FULL");
    try {
      return work();
    } finally {
      database.exec("PRAGMA synchronous = NORMAL");
    }
  }

  function within<Value>(work: () => Value): Value {
    database.exec("BEGIN IMMEDIATE");
    try {
      const value = work();
      database.exec("COMMIT");
      return value;
    } catch (error) {
      database.exec("ROLLBACK");
      throw error;
    }
  }
}

type Found = Record<string, SQLOutputValue>;

function toRow(found: Found | undefined): Row | null {
  if (found === undefined) return null;
  return {
    key: String(found["key"]),
    revision: Number(found["revision"]),
    value: String(found["value"]),
  };
}

function toRows(found: readonly Found[]): readonly Row[] {
  return found.flatMap((one) => toRow(one) ?? []);
}
