import type { NewRow } from "../../../escalation/stores/rows.ts";
import type { ObjectStorage } from "../platform.ts";
import type { KeptRow } from "./object-rows.ts";
import { hasTable } from "./small-tables.ts";

/** One object's record, and what other objects were told of it. */
export interface RecordTable {
  /** Null: there is none. */
  row(): WholeRow | null;
  put(row: NewRow): void;
  delete(): void;
  /**
   * What the index objects know; null: the object of its event id, or the list of the open ones,
   * does not know it.
   */
  told(): Told;
  note(told: Told): void;
}

export interface WholeRow extends KeptRow {
  readonly event: string;
  readonly wake: number | null;
  readonly pending: boolean;
}

export interface Told {
  readonly key: string;
  readonly event: string | null;
  /** `updated` as the list has it. */
  readonly listed: number | null;
}

/** Tables are made by the first write: who only asks leaves nothing behind. */
export function createRecordTable({ sql }: Pick<ObjectStorage, "sql">): RecordTable {
  return {
    row() {
      const [found] = hasTable(sql, "escalation") ? [...sql.exec("SELECT * FROM escalation")] : [];
      if (found === undefined) return null;
      return {
        key: String(found["key"]),
        revision: Number(found["revision"]),
        value: String(found["value"]),
        event: String(found["event"]),
        wake: typeof found["wake"] === "number" ? found["wake"] : null,
        open: found["open"] === 1,
        pending: found["pending"] === 1,
        updated: Number(found["updated"]),
      };
    },
    put({ key, revision, value, event, wake, open, pending, updated }) {
      create();
      sql.exec(
        "INSERT OR REPLACE INTO escalation VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?)",
        key,
        revision,
        value,
        event,
        wake,
        Number(open),
        Number(pending),
        updated,
      );
    },
    delete() {
      if (hasTable(sql, "escalation")) sql.exec("DELETE FROM escalation");
    },
    told() {
      const [found] = hasTable(sql, "told") ? [...sql.exec("SELECT * FROM told")] : [];
      const { key, event, listed } = found ?? {};
      return {
        key: typeof key === "string" ? key : "",
        event: typeof event === "string" ? event : null,
        listed: typeof listed === "number" ? listed : null,
      };
    },
    note({ key, event, listed }) {
      create();
      sql.exec("INSERT OR REPLACE INTO told VALUES (1, ?, ?, ?)", key, event, listed);
    },
  };

  function create(): void {
    sql.exec(
      `CREATE TABLE IF NOT EXISTS escalation (id INTEGER PRIMARY KEY, key TEXT NOT NULL, revision INTEGER NOT NULL,
         value TEXT NOT NULL, event TEXT NOT NULL, wake INTEGER, open INTEGER NOT NULL, pending INTEGER NOT NULL,
         updated INTEGER NOT NULL)`,
    );
    sql.exec(
      "CREATE TABLE IF NOT EXISTS told (id INTEGER PRIMARY KEY, key TEXT NOT NULL, event TEXT, listed INTEGER)",
    );
  }
}
