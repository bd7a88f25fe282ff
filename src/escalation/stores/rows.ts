/**
 * Escalation records as rows of text, for a store outside this process: a table, or keys of a
 * server. The store does not read the text; the values by which records are found are stored beside
 * it. Every change is one atomic step. A call that fails rejects.
 */
export interface EscalationRows {
  get(key: string): Promise<Row | null>;
  /** Finds the row with this digest of an event id. */
  findByEvent(event: string): Promise<Row | null>;
  /** Writes at revision `expected` (0: no row) and ends a lease; false at another revision. */
  put(row: NewRow, expected: number): Promise<boolean>;
  delete(key: string): Promise<void>;
  /** Leases unleased rows with `wake` at or before `now`, the longest due first. */
  leaseDue(now: number, limit: number, lease: number): Promise<readonly Row[]>;
  /** Lists open rows, the latest first. */
  listOpen(limit: number): Promise<readonly Row[]>;
  /** Deletes rows that are not pending and were last written before `before`. Returns how many. */
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
