/**
 * Escalation records as rows of text, for a store outside this process: a table, or keys of a
 * server. The store does not read the text; the values by which records are found are stored beside
 * it. Every change is one atomic step. A call that fails rejects.
 */
export interface EscalationRows {
  get(key: string): Promise<Row | null>;
  /** By the digest of an event id. */
  byEvent(event: string): Promise<Row | null>;
  /** Writes at revision `expected` (0: no row) and ends a lease; false at another revision. */
  put(row: NewRow, expected: number): Promise<boolean>;
  delete(key: string): Promise<void>;
  /** Leases rows with `wake` at or before `now` that are not leased, the longest due first. */
  due(now: number, limit: number, lease: number): Promise<readonly Row[]>;
  /** Open rows, the latest first. */
  open(limit: number): Promise<readonly Row[]>;
  /** Deletes rows that are not pending and were last written before. Returns how many. */
  sweep(before: number): Promise<number>;
  claim(name: string, by: string, lease: number): Promise<boolean>;
  release(name: string, by: string): Promise<void>;
}

export interface Row {
  readonly key: string;
  readonly revision: number;
  readonly value: string;
}

export interface NewRow extends Row {
  /** Digest of the event id; empty for none. */
  readonly event: string;
  readonly wake: number | null;
  readonly open: boolean;
  readonly pending: boolean;
  readonly updated: number;
}
