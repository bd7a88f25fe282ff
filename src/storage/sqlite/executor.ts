import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { SqliteRequest, SqliteResult, SqliteStatement } from "./protocol.ts";

/** Prepared statements are kept: as many as all of Afterword's queries are, and a few. */
const mostStatements = 500;

/** Does what is asked, one after the other. After `close` nothing else may be asked. */
export interface Executor {
  /** Throws SQLite's errors. */
  execute(request: SqliteRequest): readonly SqliteResult[];
  /**
   * Durable batches that arrived together, on the disk with one wait for it. Each stands for
   * itself: one that fails takes nothing with it. Gives, in their order, the results or the error
   * of each.
   */
  group(
    batches: readonly (readonly SqliteStatement[])[],
  ): readonly (readonly SqliteResult[] | Error)[];
}

export function createExecutor(database: DatabaseSync): Executor {
  const prepared = new Map<string, { statement: StatementSync; reads: boolean }>();

  return { execute, group };

  function execute(request: SqliteRequest): readonly SqliteResult[] {
    switch (request.kind) {
      case "run":
        if (request.within && !database.isTransaction) throw new Error(gone);
        return [run(request.statement)];
      case "batch":
        return batch(request.statements, request.durable);
      case "begin":
        begin(request.durable);
        return [];
      case "commit":
        commit();
        return [];
      case "rollback":
        rollback();
        return [];
      case "close":
        prepared.clear();
        database.close();
        return [];
    }
  }

  function group(
    batches: readonly (readonly SqliteStatement[])[],
  ): readonly (readonly SqliteResult[] | Error)[] {
    try {
      begin(true);
      const outcomes = batches.map((statements) => member(statements));
      commit();
      return outcomes;
    } catch (error) {
      rollback();
      const failure = error instanceof Error ? error : new Error(String(error));
      return batches.map(() => failure);
    }
  }

  function member(statements: readonly SqliteStatement[]): readonly SqliteResult[] | Error {
    prepare("SAVEPOINT member").statement.run();
    try {
      const results = statements.map(run);
      prepare("RELEASE member").statement.run();
      return results;
    } catch (error) {
      // A full disk has ended the whole transaction: then nothing of the others is kept either.
      if (!database.isTransaction) throw error;
      database.exec("ROLLBACK TO member; RELEASE member");
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  function run({ sql, parameters }: SqliteStatement): SqliteResult {
    const { statement, reads } = prepare(sql);
    if (!reads) return { rows: [], changes: Number(statement.run(...parameters).changes) };
    const rows = statement.all(...parameters);
    return { rows, changes: rows.length };
  }

  function batch(statements: readonly SqliteStatement[], durable: boolean): SqliteResult[] {
    begin(durable);
    try {
      const results = statements.map(run);
      commit();
      return results;
    } catch (error) {
      rollback();
      throw error;
    }
  }

  // How safely it is written is set before a transaction: SQLite refuses changes within one.
  function begin(durable: boolean): void {
    if (durable) database.exec("PRAGMA synchronous = FULL");
    try {
      database.exec("BEGIN IMMEDIATE");
    } catch (error) {
      database.exec("PRAGMA synchronous = NORMAL");
      throw error;
    }
  }

  function commit(): void {
    // A full disk ends a transaction unasked: its writes are gone, and callers must learn it.
    if (!database.isTransaction) throw new Error(gone);
    try {
      database.exec("COMMIT");
    } catch (error) {
      rollback();
      throw error;
    }
    database.exec("PRAGMA synchronous = NORMAL");
  }

  function rollback(): void {
    if (database.isTransaction) database.exec("ROLLBACK");
    database.exec("PRAGMA synchronous = NORMAL");
  }

  function prepare(sql: string): { statement: StatementSync; reads: boolean } {
    const known = prepared.get(sql);
    if (known !== undefined) return known;
    const statement = database.prepare(sql);
    const entry = { statement, reads: statement.columns().length > 0 };
    if (prepared.size >= mostStatements) prepared.clear();
    prepared.set(sql, entry);
    return entry;
  }
}

const gone = "the transaction was ended by SQLite, and nothing of it was kept";
