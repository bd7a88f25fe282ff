/** The messages between a process and the thread with its SQLite file. */

/** SQLite's values: it has no booleans and dates, so store 0 and 1, and milliseconds. */
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
  /** SQLite's extended code (https://sqlite.org/rescode.html), a system's (`EACCES`), or null. */
  readonly code: number | string | null;
}

/**
 * A call to the thread. Its answer has the same `id`; 0 is the answer to opening. Both are sent in
 * lists, because a message costs more than most statements.
 */
export type SqliteCall = { readonly id: number } & SqliteRequest;
export type SqliteReply =
  | { readonly id: number; readonly results: readonly SqliteResult[] }
  | { readonly id: number; readonly failed: SqliteFailure };

/** The data that the thread is started with. */
export interface SqliteThreadData {
  readonly afterwordDatabase: {
    /** Null means a database in memory. */
    readonly file: string | null;
    /** Milliseconds for which a statement waits for another process that is writing. */
    readonly lockPatience: number;
  };
}
