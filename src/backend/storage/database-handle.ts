import type { CompiledQuery, Kysely, Transaction } from "kysely";
import type { Database } from "./tables/database.ts";

export type DialectName = "sqlite" | "postgres";

/** An open database, whichever it is. What is written here runs the same on both. */
export interface DatabaseHandle {
  readonly dialect: DialectName;
  /** What the operator knows it by: a file, or an address without its password. */
  readonly name: string;
  /**
   * For single statements. Inside `transaction` and `durable` use what they pass in: SQLite has one connection, so a statement
   * on this one would wait for the transaction that waits for it, and fails after 30 seconds.
   */
  readonly kysely: Kysely<Database>;
  /**
   * All of `work`, or nothing of it when it throws. A statement that fails ends the transaction, on both databases. On SQLite
   * it holds up everybody else: do nothing in it but ask the database.
   */
  transaction<T>(work: (transaction: Transaction<Database>) => Promise<T>): Promise<T>;
  /** As `transaction`, and on the disk before it resolves: a power cut takes nothing of it. */
  durable<T>(work: (transaction: Transaction<Database>) => Promise<T>): Promise<T>;
  /**
   * Statements that need nothing of each other, as one transaction: on SQLite in one go. Gives the number of rows that each
   * one wrote. Compile them with `.compile()`, or `` sql`…`.compile(kysely) ``.
   */
  batch(statements: readonly CompiledQuery[], options?: BatchOptions): Promise<readonly number[]>;
  /** Ends what is under way. Calls that come later reject; closing twice is fine. */
  close(): Promise<void>;
}

export interface BatchOptions {
  /** True: on the disk before it resolves. */
  readonly durable?: boolean;
}
