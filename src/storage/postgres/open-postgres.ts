import { setImmediate } from "node:timers/promises";
import {
  type CompiledQuery,
  Kysely,
  PostgresDialect,
  sql,
  type PostgresPool,
  type PostgresPoolClient,
} from "kysely";
import type { Database, StatementOutcome, Outcomes } from "../database.ts";
import {
  explainFailedConnection,
  readAddress,
  explainFailedQuery,
  type PostgresAddress,
} from "./explain.ts";
import { Pool, types, type PoolClient } from "pg";
import { AfterwordError } from "../../errors.ts";
import { waitAtMost } from "../../wait.ts";
import { toStorable } from "../storable.ts";

/**
 * Connects to a PostgreSQL database. Its tables may still be missing.
 *
 * @param address `postgres://user:password@host:5432/database`, with pg's parameters such as
 *   `sslmode=verify-full`
 * @param options `patient`: statements may take as long as they need
 * @throws AfterwordError `database-unusable`, without the password: the server does not answer, or
 *   refuses us
 */
export async function openPostgres<Tables>(
  address: string,
  { patient = false }: { readonly patient?: boolean } = {},
): Promise<Database<Tables>> {
  const { name, password } = readAddress(address);
  const pool = createPool(address, { name, password }, patient);
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  try {
    await sql`SELECT 1`.execute(kysely);
  } catch (error) {
    await pool.end();
    throw explainFailedConnection(error, { name, password });
  }
  let closing: Promise<void> | null = null;
  return {
    dialect: "postgres",
    name,
    kysely,
    transaction: (work) => kysely.transaction().execute(work),
    durable: (work) =>
      kysely.transaction().execute(async (transaction) => {
        await waitForDisk.execute(transaction);
        return work(transaction);
      }),
    batch: <const Q extends readonly CompiledQuery[]>(queries: Q) =>
      kysely.transaction().execute(async (transaction) => {
        const outcomes: StatementOutcome<unknown>[] = [];
        for (const query of queries) {
          const { rows, numAffectedRows = 0n } = await transaction.executeQuery(query);
          outcomes.push({ rows, changes: Number(numAffectedRows) });
        }
        // Each query has its outcome at its own index, with rows of its type.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        return outcomes as unknown as Outcomes<Q>;
      }),
    close() {
      // Kysely may not have passed on the latest statement yet.
      closing ??= setImmediate().then(() => pool.end());
      return closing;
    },
  };
}

/** Makes a server wait for its disk if it is set not to. Stricter settings stay as they are. */
const waitForDisk = sql`SELECT set_config('synchronous_commit', 'on', true)
  WHERE current_setting('synchronous_commit') = 'off'`;

const seconds = 1000;
/** Milliseconds for which closing waits for running statements. */
const closingLimit = 5 * seconds;
/** PostgreSQL's number of the type bigint. */
const int8 = 20;

/** Up to ten connections to PostgreSQL; failures are reported as by {@link explainFailedQuery}. */
function createPool(
  connectionString: string,
  address: PostgresAddress,
  patient: boolean,
): PostgresPool {
  const pool = new Pool({
    connectionString,
    application_name: "afterword",
    max: 10,
    keepAlive: true,
    connectionTimeoutMillis: 10 * seconds,
    // A transaction whose client hangs must not hold its locks for ever.
    idle_in_transaction_session_timeout: 60 * seconds,
    ...(!patient && timeLimits),
    idleTimeoutMillis: 30 * seconds,
    // Idle connections alone do not keep a process alive.
    allowExitOnIdle: true,
    types: { getTypeParser },
  });
  // A broken idle connection is replaced when needed; unhandled, its error would end the process.
  pool.on("error", () => undefined);
  // Number of connections that are in use or waited for.
  let borrowed = 0;
  const allReturned = Promise.withResolvers<void>();
  let ending: Promise<void> | null = null;
  const wrappers = new WeakMap<PoolClient, PostgresPoolClient>();
  return {
    options: pool.options,
    end() {
      ending ??= finish();
      return ending;
    },
    async connect() {
      if (ending !== null) {
        throw new AfterwordError("database-unusable", `The database ${address.name} is closed`);
      }
      borrowed += 1;
      try {
        const client = await pool.connect();
        const wrapped = wrappers.get(client) ?? wrapClient(client, address, countReturned);
        wrappers.set(client, wrapped);
        return wrapped;
      } catch (error) {
        countReturned();
        throw explainFailedQuery(error, address);
      }
    },
  };

  function countReturned(): void {
    borrowed -= 1;
    if (borrowed === 0 && ending !== null) allReturned.resolve();
  }

  async function finish(): Promise<void> {
    // The pool would never answer callers that still wait for a connection.
    if (borrowed > 0) await waitAtMost(closingLimit, allReturned.promise);
    await waitAtMost(closingLimit, pool.end());
  }
}

const timeLimits = {
  statement_timeout: 30 * seconds,
  // This limit is for a server that has vanished, so it is later than the server's own.
  query_timeout: 40 * seconds,
};

/** Numbers of 64 bits come as numbers: ids, counts and milliseconds all fit. */
const getTypeParser: typeof types.getTypeParser = (oid: number, format?: "text" | "binary") =>
  oid === int8 ? Number : types.getTypeParser(oid, format);

function wrapClient(
  client: PoolClient,
  address: PostgresAddress,
  onRelease: () => void,
): PostgresPoolClient {
  // A broken connection rejects the running statement. Between statements nothing listens for
  // errors.
  client.on("error", () => undefined);
  // Kysely's type also has cursors, which are not used here.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const query = runQuery as PostgresPoolClient["query"];
  return {
    query,
    release(destroy) {
      client.release(destroy);
      onRelease();
    },
  };

  async function runQuery(
    statement: string,
    parameters: readonly unknown[] = [],
  ): Promise<unknown> {
    try {
      const values = parameters.map((value) =>
        typeof value === "string" ? toStorable(value) : value,
      );
      return await client.query(statement, values);
    } catch (error) {
      throw explainFailedQuery(error, address);
    }
  }
}
