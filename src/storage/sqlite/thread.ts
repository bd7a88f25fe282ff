import { Worker } from "node:worker_threads";
import { AfterwordError } from "../../errors.ts";
import { waitAtMost } from "../../wait.ts";
import type {
  SqliteCall,
  SqliteFailure,
  SqliteReply,
  SqliteRequest,
  SqliteResult,
  SqliteThreadData,
} from "./protocol.ts";
import { sqliteWorker } from "./worker.ts";

/** A SQLite file in a thread of its own, where disk and locks block nothing else. Requests run in order. */
export interface SqliteThread {
  send(request: Exclude<SqliteRequest, { kind: "close" }>): Promise<readonly SqliteResult[]>;
  /** Resolves once all earlier requests have run, or after five seconds. */
  close(): Promise<void>;
}

export interface SqliteThreadOptions {
  /** Created if it is missing, with its directory; null for a database in memory. */
  readonly file: string | null;
  /** The name in messages. */
  readonly name: string;
  /** How long a statement waits for another process that is writing, in milliseconds. */
  readonly lockPatience: number;
  /** Limit of waiting requests, so that a stalled disk does not fill memory with abandoned ones. */
  readonly maxWaiting: number;
  /** The error of a file that could not be opened, or of a statement that failed. */
  readonly explain: (failure: SqliteFailure, during: "opening" | "statement") => Error;
}

/** Milliseconds. */
const closeTimeout = 5000;

/** Opens a file, or rejects with `explain`'s result. An idle file does not keep the process up. */
export async function openSqliteThread(options: SqliteThreadOptions): Promise<SqliteThread> {
  const { file, name, lockPatience, maxWaiting, explain } = options;
  const workerData: SqliteThreadData = { afterwordDatabase: { file, lockPatience } };
  // A worker refuses or misunderstands some options of this process, such as --eval.
  const worker = new Worker(sqliteWorker, { workerData, execArgv: [] });
  const waiting = new Map<number, Waiting>();
  const outgoing: SqliteCall[] = [];
  let last = 0;
  let ended: AfterwordError | null = null;
  let closing: Promise<void> | null = null;

  const exited = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
  worker.on("error", (error) => loseThread(describeDeath(String(error))));
  worker.on("exit", () =>
    loseThread(closing === null ? describeDeath("without a reason") : "is closed"),
  );
  worker.on("message", (replies: readonly SqliteReply[]) => {
    // Under --watch Node sends messages of its own here.
    if (!Array.isArray(replies)) return;
    for (const reply of replies) settle(waiting, reply, explain);
    // Until the file is open, the thread must keep the process alive, so that a refusal is
    // reported.
    if (waiting.size === 0 && last > 0) worker.unref();
  });

  try {
    await new Promise<unknown>((resolve, reject) => waiting.set(0, { resolve, reject }));
  } catch (error) {
    await worker.terminate();
    throw error;
  }
  worker.unref();
  return {
    send(request) {
      return closing === null ? call(request) : Promise.reject(createError("is closed"));
    },
    close() {
      closing ??= end();
      return closing;
    },
  };

  function call(request: SqliteRequest): Promise<readonly SqliteResult[]> {
    if (ended !== null) return Promise.reject(ended);
    if (waiting.size >= maxWaiting) {
      return Promise.reject(createError(`is too slow: ${maxWaiting} requests wait for its disk`));
    }
    return new Promise((resolve, reject) => {
      // The calls of one turn of the event loop are sent in one message.
      if (outgoing.length === 0) setImmediate(postCalls);
      if (waiting.size === 0) worker.ref();
      const id = ++last;
      waiting.set(id, { resolve, reject });
      outgoing.push({ ...request, id });
    });
  }

  function postCalls(): void {
    const calls = outgoing.splice(0);
    worker.postMessage(calls, calls.flatMap(bytesOf));
  }

  async function end(): Promise<void> {
    await waitAtMost(
      closeTimeout,
      call({ kind: "close" }).then(() => exited),
    );
    await worker.terminate();
  }

  function loseThread(what: string): void {
    ended ??= createError(what);
    for (const caller of waiting.values()) caller.reject(ended);
    waiting.clear();
  }

  function createError(what: string): AfterwordError {
    return new AfterwordError("database-unusable", `The database ${name} ${what}`);
  }
}

function describeDeath(why: string): string {
  return `is out of reach, because its thread has ended (${why}): start the process again`;
}

function settle(
  waiting: Map<number, Waiting>,
  reply: SqliteReply,
  explain: SqliteThreadOptions["explain"],
): void {
  const caller = waiting.get(reply.id);
  waiting.delete(reply.id);
  if ("results" in reply) caller?.resolve(reply.results);
  else caller?.reject(explain(reply.failed, reply.id === 0 ? "opening" : "statement"));
}

interface Waiting {
  readonly resolve: (results: readonly SqliteResult[]) => void;
  readonly reject: (reason: Error) => void;
}

/** Lists the buffers of a request's binary values. They are copies, so they can be transferred. */
function bytesOf(request: SqliteRequest): ArrayBuffer[] {
  if (request.kind !== "run" && request.kind !== "batch") return [];
  const statements = request.kind === "run" ? [request.statement] : request.statements;
  return statements.flatMap(({ parameters }) =>
    parameters.flatMap((value) =>
      value instanceof Uint8Array && value.buffer instanceof ArrayBuffer ? [value.buffer] : [],
    ),
  );
}
