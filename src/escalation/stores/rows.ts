/**
 * Keeps escalation records as rows of text in a store outside this process: a table, or keys of a
 * server. The text may be encrypted, so the values by which rows are found are stored beside it.
 * Every change is atomic. A failed call rejects.
 */
export interface EscalationRows {
  get(key: string): Promise<Row | null>;
  /** Finds the row with this digest of an event id. */
  findByEvent(event: string): Promise<Row | null>;
  /**
   * Writes a row, and ends its lease, if the stored row has the revision `expected`, or if it is 0 and
   * there is no row. Returns false otherwise.
   */
  put(row: NewRow, expected: number): Promise<boolean>;
  delete(key: string): Promise<void>;
  /** Leases rows that are due and not leased, the longest due first. `lease` is in milliseconds. */
  leaseDue(now: number, limit: number, lease: number): Promise<readonly Row[]>;
  /** Lists open rows, the latest first. */
  listOpen(limit: number): Promise<readonly Row[]>;
  /** Deletes rows that are not pending and were last written before `before`. Returns how many. */
  sweep(before: number): Promise<number>;
  /** Gives a name to `by` for `lease` milliseconds; false while somebody else has it. */
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
  /** When the record is due, in milliseconds since the epoch; null for never. */
  readonly wake: number | null;
  readonly open: boolean;
  readonly pending: boolean;
  /** Milliseconds since the epoch. */
  readonly updated: number;
}
