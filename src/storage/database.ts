import type { CompiledQuery, Kysely, Transaction } from "kysely";

export type DialectName = "sqlite" | "postgres";

/** An open database, whichever it is. What is written here runs the same on both. */
export interface Database<Tables> {
  readonly dialect: DialectName;
  /** The name that the operator knows it by: a file, or an address without its password. */
  readonly name: string;
  /**
   * For single statements. Inside `transaction` and `durable` use what they pass in: SQLite has one
   * connection, so a statement on this one would wait for the transaction that waits for it, and
   * fails after 30 seconds.
   */
  readonly kysely: Kysely<Tables>;
  /** All of `work`, or nothing if anything fails. Blocks SQLite meanwhile: only query in it. */
  transaction<T>(work: (transaction: Transaction<Tables>) => Promise<T>): Promise<T>;
  /** As `transaction`, and on the disk before it resolves: a power cut takes nothing of it. */
  durable<T>(work: (transaction: Transaction<Tables>) => Promise<T>): Promise<T>;
  /**
   * Statements that need nothing of each other, as one transaction: on SQLite in one go. Gives what
   * each one came to, in their order. Compile them with `.compile()`, or
   * `` sql`…`.compile(kysely) ``.
   */
  batch<const Q extends readonly CompiledQuery[]>(statements: Q): Promise<Outcomes<Q>>;
  /** Ends what is under way. Calls that come later reject; closing twice is fine. */
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
