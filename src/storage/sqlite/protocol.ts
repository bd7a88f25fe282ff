/** What passes between a process and the thread that has its SQLite file open. */

/**
 * What SQLite takes and gives. Booleans and dates are no values of it: store 0 and 1, and
 * milliseconds.
 */
export type SqliteValue = string | number | bigint | null | Uint8Array;

export interface SqliteStatement {
  readonly sql: string;
  readonly parameters: readonly SqliteValue[];
}

export type SqliteRequest =
  /** `within`: the statement belongs to the open transaction and must not run without it. */
  | { readonly kind: "run"; readonly statement: SqliteStatement; readonly within: boolean }
  | {
      readonly kind: "batch";
      readonly statements: readonly SqliteStatement[];
      readonly durable: boolean;
    }
  | { readonly kind: "begin"; readonly durable: boolean }
  | { readonly kind: "commit" }
  | { readonly kind: "rollback" }
  | { readonly kind: "close" };

export interface SqliteResult {
  readonly rows: readonly Readonly<Record<string, SqliteValue>>[];
  /** Rows written. */
  readonly changes: number;
}

export interface SqliteFailure {
  readonly message: string;
  /**
   * SQLite's extended result code (https://sqlite.org/rescode.html), the system's such as `EACCES`,
   * or null.
   */
  readonly code: number | string | null;
}

/**
 * The thread answers every call with its `id`; `id` 0 answers the opening itself. Calls and replies
 * travel in lists, because a message between threads costs more than most statements.
 */
export type SqliteCall = { readonly id: number } & SqliteRequest;
export type SqliteReply =
  | { readonly id: number; readonly results: readonly SqliteResult[] }
  | { readonly id: number; readonly failed: SqliteFailure };

/** What the thread is started with. */
export interface SqliteThreadData {
  readonly afterwordDatabase: {
    /** Null: a database in memory. */
    readonly file: string | null;
    /** How long a statement waits for another process that is writing, in milliseconds. */
    readonly lockPatience: number;
  };
}
