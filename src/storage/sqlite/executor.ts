import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { SqliteRequest, SqliteResult, SqliteStatement } from "./protocol.ts";

/** How many prepared statements are kept: more than Afterword has queries. */
const MAX_STATEMENTS = 500;

/** Executes requests one after the other. `close` must be the last. */
export interface Executor {
  /** Throws SQLite's errors. */
  execute(request: SqliteRequest): readonly SqliteResult[];
}

export function createExecutor(database: DatabaseSync): Executor {
  const statements = createStatements(database);

  return { execute };

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
        statements.clear();
        database.close();
        return [];
    }
  }

  function run({ sql, parameters }: SqliteStatement): SqliteResult {
    const { statement, reads } = statements.prepare(sql);
    if (!reads) return { rows: [], changes: Number(statement.run(...parameters).changes) };
    const rows = statement.all(...parameters);
    return { rows, changes: rows.length };
  }

  function batch(all: readonly SqliteStatement[], durable: boolean): SqliteResult[] {
    begin(durable);
    try {
      const results = all.map(run);
      commit();
      return results;
    } catch (error) {
      rollback();
      throw error;
    }
  }

  // SQLite lets `synchronous` be changed only outside of a transaction.
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
    // SQLite itself ends a transaction when the disk is full, and callers must learn that its writes are lost.
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
}

/** Prepared statements, by their SQL. */
function createStatements(database: DatabaseSync) {
  const prepared = new Map<string, { statement: StatementSync; reads: boolean }>();
  return {
    prepare(sql: string): { readonly statement: StatementSync; readonly reads: boolean } {
      const known = prepared.get(sql);
      if (known !== undefined) return known;
      const statement = database.prepare(sql);
      const entry = { statement, reads: statement.columns().length > 0 };
      if (prepared.size >= MAX_STATEMENTS) prepared.clear();
      prepared.set(sql, entry);
      return entry;
    },
    clear: () => prepared.clear(),
  };
}

const gone = "the transaction was ended by SQLite, and nothing of it was kept";
