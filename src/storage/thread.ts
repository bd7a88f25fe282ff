import { AfterwordError } from "../errors.ts";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";

/**
 * Runs work in a thread. The first call starts the thread, and so does the next one after a failure.
 * An idle thread does not keep the process alive.
 */
export interface Thread<Request, Reply> {
  /** Rejects when the work fails, the thread ends, or (`overloaded`) a call exceeds its limits. */
  call(request: Request): Promise<Reply>;
}

export interface ThreadOptions {
  /** The module that calls {@link answerInThread} for the same `does`. */
  readonly module: URL;
  /** Completes "the thread that …" in messages. */
  readonly does: string;
  /** Time limit of a call in milliseconds. Default: none. */
  readonly longest?: number;
  /** Memory limit of the thread in megabytes. Default: the process's own. */
  readonly megabytes?: number;
  /** Milliseconds until an idle thread ends. Default: it stays. */
  readonly idleAfter?: number;
}

/** Starts no thread yet. Requests and replies are copied between threads. */
export function createThread<Request, Reply>(options: ThreadOptions): Thread<Request, Reply> {
  const { module, does, longest, megabytes, idleAfter } = options;
  const waiting = new Map<number, PromiseWithResolvers<Reply>>();
  let worker: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;
  let last = 0;

  return {
    async call(request) {
      clearTimeout(idle);
      worker ??= start();
      // A call that waits keeps the process alive, and an idle thread does not.
      worker.ref();
      const id = ++last;
      const call = Promise.withResolvers<Reply>();
      waiting.set(id, call);
      worker.postMessage({ id, request });
      const late = longest === undefined ? undefined : setTimeout(giveUp, longest, longest).unref();
      try {
        return await call.promise;
      } finally {
        clearTimeout(late);
        if (waiting.size === 0) release();
      }
    },
  };

  function release(): void {
    // Node forgets an earlier `unref` when the thread begins to run.
    worker?.unref();
    // Calls that end together, as with a lost thread, each come here.
    clearTimeout(idle);
    if (idleAfter !== undefined) idle = setTimeout(() => end("was idle"), idleAfter).unref();
  }

  function start(): Worker {
    const thread = new Worker(module, {
      workerData: { afterwordThread: does } satisfies ThreadData,
      // A worker refuses or misunderstands some options of this process, such as --eval.
      execArgv: [],
      ...(megabytes !== undefined && { resourceLimits: { maxOldGenerationSizeMb: megabytes } }),
    });
    thread.on("message", (reply: ThreadReply<Reply>) => {
      // Under --watch Node sends messages of its own here.
      const call = waiting.get(reply.id);
      if (call === undefined) return;
      waiting.delete(reply.id);
      if ("result" in reply) call.resolve(reply.result);
      else call.reject(new Error(`the thread that ${does} failed: ${reply.failed}`));
    });
    thread.on("error", (error) => {
      const excess = isOutOfMemory(error) ? "more memory than there is for it" : null;
      loseThread(thread, String(error), excess);
    });
    thread.on("exit", (code) => loseThread(thread, `exit code ${code}`));
    return thread;
  }

  function giveUp(limit: number): void {
    end(`took over ${limit} ms`, `more than ${limit / 1000} seconds`);
  }

  function end(why: string, excess: string | null = null): void {
    clearTimeout(idle);
    const ending = worker;
    if (ending === null) return;
    loseThread(ending, why, excess);
    void ending.terminate();
  }

  /** @param excess the limit that a call exceeded; null if the thread ends for another reason */
  function loseThread(thread: Worker, why: string, excess: string | null = null): void {
    // A thread that failed also exits. By then the waiting calls may be those of its successor.
    if (worker !== thread) return;
    worker = null;
    const error = createLossError(`the thread that ${does} ended: ${why}`, excess);
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  }
}

function createLossError(why: string, excess: string | null): Error {
  const cause = new Error(why);
  if (excess === null) return cause;
  return new AfterwordError("overloaded", `This takes ${excess}: do it in parts.`, { cause });
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}

/**
 * Answers the calls of {@link createThread} within its thread. Elsewhere, such as in another worker
 * that imports this module, it does nothing.
 *
 * @example
 * const thread = createThread({ module: new URL(import.meta.url), does: "shouts" });
 * answerInThread("shouts", (text: string) => text.toUpperCase());
 */
export function answerInThread(does: string, work: (request: never) => unknown): void {
  const port = parentPort;
  if (isMainThread || port === null || !isOurs(workerData, does)) return;
  port.on("message", async ({ id, request }: { readonly id: number; readonly request: never }) => {
    try {
      port.postMessage({ id, result: await work(request) } satisfies ThreadReply<unknown>);
    } catch (error) {
      const failed = error instanceof Error ? (error.stack ?? error.message) : String(error);
      port.postMessage({ id, failed } satisfies ThreadReply<unknown>);
    }
  });
}

interface ThreadData {
  /** The purpose of the thread. */
  readonly afterwordThread: string;
}

type ThreadReply<Reply> =
  | { readonly id: number; readonly result: Reply }
  | { readonly id: number; readonly failed: string };

function isOurs(data: unknown, does: string): boolean {
  return (
    typeof data === "object" &&
    data !== null &&
    "afterwordThread" in data &&
    data.afterwordThread === does
  );
}
