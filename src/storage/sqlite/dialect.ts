import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import type { SqliteThread } from "./thread.ts";
import type { SqliteResult, SqliteStatement, SqliteValue } from "./protocol.ts";
import type { Turns } from "./turns.ts";
import { toStorable } from "../storable.ts";

/** Makes a Kysely dialect for a SQLite file in a thread. Dialects of one thread share its connection and turns. */
export function createSqliteDialect(
  thread: SqliteThread,
  turns: Turns,
  { durable }: { readonly durable: boolean },
): Dialect {
  return {
    createAdapter: () => new SharedAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createDriver: () => createDriver(thread, turns, durable),
  };
}

/**
 * Lets {@link Turns} decide what waits, instead of kysely, which would run one statement at a time.
 */
class SharedAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/** Converts a compiled query for the thread. */
export function toStatement({ sql, parameters }: CompiledQuery): SqliteStatement {
  return { sql, parameters: parameters.map(toParameter) };
}

/**
 * A connection as kysely sees it. It only records the state of a transaction, because the file has
 * a single real connection.
 */
interface Connection extends DatabaseConnection {
  state: "single" | "open" | "failed";
  /** Rejects when the latest transaction could not begin. */
  begun: Promise<unknown>;
}

function createDriver(thread: SqliteThread, turns: Turns, durable: boolean): Driver {
  const opened = new WeakMap<DatabaseConnection, Connection>();
  const done = Promise.resolve();
  return {
    init: () => done,
    async acquireConnection() {
      const connection = connect(thread, turns);
      opened.set(connection, connection);
      return connection;
    },
    async beginTransaction(handle) {
      const connection = opened.get(handle);
      await turns.take(() => done);
      if (connection === undefined) return turns.leave();
      // The first statement goes with it in one message, and reports its failure.
      connection.begun = thread.send({ kind: "begin", durable });
      connection.begun.catch(() => undefined);
      connection.state = "open";
    },
    async commitTransaction(handle) {
      const connection = opened.get(handle);
      if (connection?.state === "failed") {
        throw new Error("a statement of this transaction failed, so nothing of it can be kept");
      }
      if (connection !== undefined) connection.state = "single";
      const committed = thread.send({ kind: "commit" });
      // The thread keeps the order, so the next call does not have to wait for the answer.
      turns.leave();
      await Promise.all([connection?.begun, committed]);
    },
    async rollbackTransaction(handle) {
      const connection = opened.get(handle);
      // A commit that failed has been rolled back in the thread.
      if (connection === undefined || connection.state === "single") return;
      connection.state = "single";
      const undone = thread.send({ kind: "rollback" });
      turns.leave();
      await undone;
    },
    releaseConnection: () => done,
    destroy: () => done,
  };
}

function connect(thread: SqliteThread, turns: Turns): Connection {
  const connection: Connection = {
    state: "single",
    begun: Promise.resolve(),
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      const statement = toStatement(query);
      if (connection.state === "failed") {
        throw new Error("a statement of this transaction failed, so it takes no others");
      }
      if (connection.state === "single") {
        const send = () => thread.send({ kind: "run", statement, within: false });
        return toResult(await turns.pass(send));
      }
      try {
        const sent = thread.send({ kind: "run", statement, within: true });
        const [, results] = await Promise.all([connection.begun, sent]);
        return toResult(results);
      } catch (error) {
        connection.state = "failed";
        throw error;
      }
    },
    async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
      yield await connection.executeQuery<R>(query);
    },
  };
  return connection;
}

function toResult<R>([result]: readonly SqliteResult[]): QueryResult<R> {
  const { rows = [], changes = 0 } = result ?? {};
  return {
    numAffectedRows: BigInt(changes),
    // Kysely derives the type of the rows from the statement.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    rows: rows as R[],
  };
}

/** Converts a query parameter for SQLite. Bytes are copied, as the thread takes over the copy. */
function toParameter(value: unknown): SqliteValue {
  switch (typeof value) {
    case "string":
      return toStorable(value);
    case "number":
    case "bigint":
      return value;
    default:
      if (value === null || value === undefined) return null;
      if (value instanceof Uint8Array) return new Uint8Array(value);
      throw new TypeError(
        `a ${typeof value} is no database value: store texts, numbers, bytes or null`,
      );
  }
}
