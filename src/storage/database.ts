import type { CompiledQuery, Kysely, Transaction } from "kysely";

export type DialectName = "sqlite" | "postgres";

/** An open database, SQLite or PostgreSQL. Its functions do the same on both. */
export interface Database<Tables> {
  readonly dialect: DialectName;
  /** The name that the operator knows: a file, or an address without its password. */
  readonly name: string;
  /**
   * For single statements. Inside `transaction` and `durable` use their argument: SQLite has one
   * connection, so a statement on this one and the transaction would wait for each other, and the
   * statement fails after 30 seconds.
   */
  readonly kysely: Kysely<Tables>;
  /** All of `work`, or nothing if anything fails. Blocks SQLite meanwhile: only query in it. */
  transaction<T>(work: (transaction: Transaction<Tables>) => Promise<T>): Promise<T>;
  /**
   * As `transaction`, but it resolves only when everything is on the disk, so that a power cut
   * loses nothing.
   */
  durable<T>(work: (transaction: Transaction<Tables>) => Promise<T>): Promise<T>;
  /**
   * Runs statements that do not depend on each other's results as one transaction, on SQLite in a
   * single message to the thread. Returns their outcomes in order. Compile them with `.compile()`,
   * or `` sql`…`.compile(kysely) ``.
   */
  batch<const Q extends readonly CompiledQuery[]>(statements: Q): Promise<Outcomes<Q>>;
  /**
   * Closes the database after running statements have ended. Later calls reject; closing twice is
   * fine.
   */
  close(): Promise<void>;
}

/** The result of one statement of a batch. */
export interface StatementOutcome<Row> {
  /** The rows that it returned, or none. */
  readonly rows: readonly Row[];
  /** How many rows it wrote. */
  readonly changes: number;
}

export type Outcomes<Q extends readonly CompiledQuery[]> = {
  readonly [K in keyof Q]: Q[K] extends CompiledQuery<infer Row> ? StatementOutcome<Row> : never;
};
