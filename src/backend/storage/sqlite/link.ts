import { Worker } from "node:worker_threads";
import { AfterwordError } from "../../../errors.ts";
import { atMost } from "../at-most.ts";
import { failedOpening, failedStatement } from "./explain.ts";
import { sqliteThread } from "./thread.ts";
import type {
  SqliteCall,
  SqliteFailure,
  SqliteReply,
  SqliteRequest,
  SqliteResult,
  SqliteStatement,
  SqliteThreadData,
} from "./protocol.ts";

/**
 * A SQLite file that is open in a thread of its own. Requests are done in the order in which they
 * are sent.
 */
export interface SqliteLink {
  send(request: Exclude<SqliteRequest, { kind: "close" }>): Promise<readonly SqliteResult[]>;
  /** Always ends: with what was sent before it, or after five seconds without. */
  close(): Promise<void>;
}

/** A disk that stalls must not fill the memory with requests whose clients have long gone. */
const mostWaiting = 10_000;

const closingPatience = 5000;

/**
 * Opens a SQLite file, or a database in memory for null. While nothing is asked, an open file does
 * not keep the process alive.
 *
 * @param name what messages call it
 * @throws AfterwordError `data-directory-unusable`
 */
export async function openLink(file: string | null, name: string): Promise<SqliteLink> {
  const workerData: SqliteThreadData = { afterwordDatabase: file };
  // Without those that this process was started with: some of them (--eval) are refused or
  // misunderstood here.
  const worker = new Worker(sqliteThread, { workerData, execArgv: [] });
  // In place, and no map: whenever a map is made anew because it is full of what was removed, the
  // old one keeps all that waited just then, with the requests behind it, until the next full
  // garbage collection.
  const waiting: (Waiting | null)[] = [];
  const free: number[] = [];
  let count = 0;
  let open = false;
  let ended: AfterwordError | null = null;
  let closing: Promise<void> | null = null;

  const exited = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
  const outgoing: SqliteCall[] = [];
  worker.on("message", (replies: readonly SqliteReply[]) => {
    for (const reply of replies) {
      const caller = answered(reply.id);
      if ("results" in reply) caller?.resolve(reply.results);
      else caller?.reject(reply.failed);
    }
    // Not before the file is open: a refusal ends the thread, and nothing else may keep the process
    // until it has ended.
    if (count === 0 && open) worker.unref();
  });
  worker.on("error", (error) => lose(died(String(error))));
  worker.on("exit", () => lose(closing === null ? died("without a reason") : "is closed"));

  await new Promise<unknown>((resolve, reject) => {
    wait({
      resolve,
      reject: (failure) => {
        const error = failure instanceof Error ? failure : failedOpening(failure, name);
        void worker.terminate().then(() => reject(error));
      },
    });
  });
  open = true;
  if (count === 0) worker.unref();
  return {
    send(request) {
      return closing === null ? call(request) : Promise.reject(unusable("is closed"));
    },
    close() {
      closing ??= end();
      return closing;
    },
  };

  function call(request: SqliteRequest): Promise<readonly SqliteResult[]> {
    if (ended !== null) return Promise.reject(ended);
    if (count >= mostWaiting) {
      return Promise.reject(unusable(`is too slow: ${mostWaiting} requests wait for its disk`));
    }
    return new Promise((resolve, reject) => {
      // All that requests of one turn of the event loop ask goes in one message.
      if (outgoing.length === 0) setImmediate(post);
      if (count === 0) worker.ref();
      const id = wait({
        resolve,
        reject: (failure) =>
          reject(failure instanceof Error ? failure : failedStatement(failure, name)),
      });
      outgoing.push({ ...request, id });
    });
  }

  /** The number that the reply will have. */
  function wait(caller: Waiting): number {
    const id = free.pop() ?? waiting.length;
    waiting[id] = caller;
    count += 1;
    return id;
  }

  function answered(id: number): Waiting | null {
    const caller = waiting[id] ?? null;
    if (caller === null) return null;
    waiting[id] = null;
    free.push(id);
    count -= 1;
    return caller;
  }

  function post(): void {
    const calls = outgoing.splice(0);
    worker.postMessage(calls, calls.flatMap(bytesOf));
  }

  async function end(): Promise<void> {
    await atMost(
      closingPatience,
      call({ kind: "close" }).then(() => exited),
    );
    await worker.terminate();
  }

  function lose(what: string): void {
    ended ??= unusable(what);
    for (const id of waiting.keys()) answered(id)?.reject(ended);
  }

  function unusable(what: string): AfterwordError {
    return new AfterwordError("database-unusable", `The database ${name} ${what}`);
  }
}

function died(why: string): string {
  return `is out of reach, because its thread has ended (${why}): start the process again`;
}

interface Waiting {
  readonly resolve: (results: readonly SqliteResult[]) => void;
  readonly reject: (failure: SqliteFailure | Error) => void;
}

/**
 * The buffers of a request's large values, which {@link toParameter} has copied and which may
 * change hands.
 */
function bytesOf(request: SqliteRequest): ArrayBuffer[] {
  if (request.kind !== "run" && request.kind !== "batch") return [];
  const statements = request.kind === "run" ? [request.statement] : request.statements;
  return statements.flatMap(buffersOf);
}

function buffersOf({ parameters }: SqliteStatement): ArrayBuffer[] {
  return parameters.flatMap((value) =>
    value instanceof Uint8Array && value.buffer instanceof ArrayBuffer ? [value.buffer] : [],
  );
}
