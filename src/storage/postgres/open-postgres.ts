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
 * @throws AfterwordError `database-unusable`: nobody answers, or not to us; never with the password
 *   in it
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
        await onTheDisk.execute(transaction);
        return work(transaction);
      }),
    batch: <const Q extends readonly CompiledQuery[]>(queries: Q) =>
      kysely.transaction().execute(async (transaction) => {
        const outcomes: StatementOutcome<unknown>[] = [];
        for (const query of queries) {
          const { rows, numAffectedRows = 0n } = await transaction.executeQuery(query);
          outcomes.push({ rows, changes: Number(numAffectedRows) });
        }
        // One for each query, in their order, with the rows of its type.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        return outcomes as unknown as Outcomes<Q>;
      }),
    close() {
      // A statement that was asked a moment ago is still on its way through kysely.
      closing ??= setImmediate().then(() => pool.end());
      return closing;
    },
  };
}

/** For servers set to answer before writing to disk; stricter settings stay as they are. */
const onTheDisk = sql`SELECT set_config('synchronous_commit', 'on', true)
  WHERE current_setting('synchronous_commit') = 'off'`;

const seconds = 1000;
/** How long closing waits for what is under way, in milliseconds. */
const closingPatience = 5 * seconds;
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
    ...(!patient && hurry),
    idleTimeoutMillis: 30 * seconds,
    // Idle connections alone do not keep a process alive.
    allowExitOnIdle: true,
    types: { getTypeParser },
  });
  // A broken idle connection is replaced when needed; unhandled, its error would end the process.
  pool.on("error", () => undefined);
  // Connections that are in use or waited for.
  let outside = 0;
  const allBack = Promise.withResolvers<void>();
  let ending: Promise<void> | null = null;
  const known = new WeakMap<PoolClient, PostgresPoolClient>();
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
      outside += 1;
      try {
        const client = await pool.connect();
        const wrapped = known.get(client) ?? wrap(client, address, handleReleased);
        known.set(client, wrapped);
        return wrapped;
      } catch (error) {
        handleReleased();
        throw explainFailedQuery(error, address);
      }
    },
  };

  function handleReleased(): void {
    outside -= 1;
    if (outside === 0 && ending !== null) allBack.resolve();
  }

  async function finish(): Promise<void> {
    // The pool would forget those who still wait for a connection.
    if (outside > 0) await waitAtMost(closingPatience, allBack.promise);
    await waitAtMost(closingPatience, pool.end());
  }
}

const hurry = {
  statement_timeout: 30 * seconds,
  // For a server that has gone without a word: later than its own limit.
  query_timeout: 40 * seconds,
};

/** Numbers of 64 bits come as numbers: ids, counts and milliseconds all fit. */
const getTypeParser: typeof types.getTypeParser = (oid: number, format?: "text" | "binary") =>
  oid === int8 ? Number : types.getTypeParser(oid, format);

function wrap(
  client: PoolClient,
  address: PostgresAddress,
  released: () => void,
): PostgresPoolClient {
  // A connection that breaks rejects the statement under way; between two, nothing listens.
  client.on("error", () => undefined);
  // Kysely's type also has cursors, which nobody here asks for.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const query = ask as PostgresPoolClient["query"];
  return {
    query,
    release(destroy) {
      client.release(destroy);
      released();
    },
  };

  async function ask(statement: string, parameters: readonly unknown[] = []): Promise<unknown> {
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
