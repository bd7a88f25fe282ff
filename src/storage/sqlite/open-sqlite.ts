import { setImmediate } from "node:timers/promises";
import { type CompiledQuery, Kysely } from "kysely";
import { AfterwordError } from "../../errors.ts";
import type { Database, Outcomes } from "../database.ts";
import { waitAtMost } from "../../wait.ts";
import { createSqliteDialect, toStatement } from "./dialect.ts";
import type { SqliteFailure } from "./protocol.ts";
import { openSqliteThread } from "./thread.ts";
import { createTurns } from "./turns.ts";

/** How long a call waits for another one's transaction, in milliseconds. */
const TURN_TIMEOUT = 30_000;

/** How long closing waits for running transactions, in milliseconds. */
const CLOSE_TIMEOUT = 5000;

/**
 * Opens a SQLite file, and creates it if it is missing; null is a database in memory. Its tables may
 * still be missing.
 *
 * @throws AfterwordError `data-directory-unusable`
 */
export async function openSqlite<Tables>(file: string | null): Promise<Database<Tables>> {
  const name = file ?? "in memory";
  const thread = await openSqliteThread({
    file,
    name,
    lockPatience: 5000,
    maxWaiting: 10_000,
    explain: (failure, during) =>
      during === "opening"
        ? explainFailedOpening(failure, name)
        : explainFailedStatement(failure, name),
  });
  const turns = createTurns(TURN_TIMEOUT, () => {
    const message = `The database ${name} has had one transaction open for ${TURN_TIMEOUT / 1000} seconds, and nothing else can use it meanwhile`;
    return new AfterwordError("database-unusable", message);
  });
  let closing: Promise<void> | null = null;
  const kysely = new Kysely<Tables>({
    dialect: createSqliteDialect(thread, turns, { durable: false }),
  });
  const safe = new Kysely<Tables>({
    dialect: createSqliteDialect(thread, turns, { durable: true }),
  });
  return {
    dialect: "sqlite",
    name,
    kysely,
    transaction: (work) => kysely.transaction().execute(work),
    durable: (work) => safe.transaction().execute(work),
    async batch<const Q extends readonly CompiledQuery[]>(queries: Q) {
      const statements = queries.map(toStatement);
      const send = () => thread.send({ kind: "batch", statements, durable: false });
      // Each query has its outcome at its own index, with rows of its type.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      return (await turns.pass(send)) as unknown as Outcomes<Q>;
    },
    close() {
      closing ??= end();
      return closing;
    },
  };

  async function end(): Promise<void> {
    // Kysely may not have passed on the latest statement yet.
    await setImmediate();
    const turn = turns.take(() => Promise.resolve());
    await waitAtMost(CLOSE_TIMEOUT, turn);
    await thread.close();
    // Waiting calls fail because it is closed.
    await turn.then(
      () => turns.leave(),
      () => undefined,
    );
  }
}

/**
 * Makes the error of a failed statement. A fault of the file or the disk becomes an
 * {@link AfterwordError} that says what to do. A fault of the statement, such as a duplicate of a
 * unique value, keeps SQLite's message and `errcode`.
 */
function explainFailedStatement({ message, code }: SqliteFailure, name: string): Error {
  const cure = cureOf(code);
  if (cure === undefined) return Object.assign(new Error(message), { errcode: code });
  return new AfterwordError("database-unusable", `The database ${name} ${cure} (${message})`);
}

function explainFailedOpening({ message, code }: SqliteFailure, name: string): AfterwordError {
  const cure = cureOf(code) ?? notOpened;
  return new AfterwordError("data-directory-unusable", `The database ${name} ${cure} (${message})`);
}

function cureOf(code: SqliteFailure["code"]): string | undefined {
  return typeof code === "string" ? systemCures[code] : cures[(code ?? 0) & 0xff];
}

const notOpened =
  "cannot be opened: it must be a file, not a directory, on a local disk, which this process may write, in a directory that it may write";
const notWritable = "cannot be written: let this process write the file and its directory";
const diskFull = "cannot grow, because the disk is full: free some space";
const damaged =
  "is damaged or no database at all: put a backup in its place, or move it away, and an empty one is made at the next start";
const belowFile = "lies below a file: name a directory that exists or can be made";

/** Primary result codes (https://sqlite.org/rescode.html) that an operator can act on. */
const cures: Readonly<Record<number, string>> = {
  5: "is locked by another process for more than 5 seconds: end that process, or give each its own database",
  6: "is locked: end the process that holds it",
  8: notWritable,
  10: "cannot be read or written, because the disk fails: look at the system's log, and at the free space",
  11: damaged,
  13: diskFull,
  14: notOpened,
  26: damaged,
};

/** The same for errors of the system, which occur before SQLite opens the file. */
const systemCures: Readonly<Record<string, string>> = {
  EACCES: notWritable,
  EPERM: notWritable,
  EROFS: "cannot be written, because its disk is mounted read-only: name a file on another disk",
  EISDIR: "is a directory: name a file in it",
  ENOTDIR: belowFile,
  EEXIST: belowFile,
  ENOSPC: diskFull,
  EDQUOT: diskFull,
};
