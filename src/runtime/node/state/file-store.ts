import { Worker } from "node:worker_threads";
import { decodeMemory, encodeMemory } from "../../../conversation/stored-memory.ts";
import { AfterwordError } from "../../../errors.ts";
import {
  type FileCall,
  type FileOperation,
  type FileReply,
  fileWorker,
  type FileWorkerData,
} from "./file-worker.ts";
import type { Standing } from "./standing.ts";
import type { StateStore } from "./state-store.ts";

export interface FileStoreOptions {
  /** Made when there is none; its directory too. */
  readonly file: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly standing: Standing;
  /** Told of every stored conversation that cannot be read; its reader gets null. */
  readonly damaged: () => void;
  /** At most so many conversations; the one that was silent longest leaves first. Default 100,000. */
  readonly limit?: number;
}

/** How often expired conversations are deleted although nobody writes, in milliseconds. */
const sweepEvery = 60_000;

/**
 * Conversations in one SQLite file, for the processes of one machine. The file is used in a thread of its own: neither the
 * disk nor another process's lock holds up a request that needs no memory.
 *
 * @throws AfterwordError `data-directory-unusable`
 */
export async function openFileStore(options: FileStoreOptions): Promise<StateStore> {
  const { file, now, standing, damaged } = options;
  const thread = startThread({ afterwordStateFile: file, limit: options.limit ?? 100_000 });
  try {
    await thread.opened;
  } catch (cause) {
    await thread.end();
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new AfterwordError("data-directory-unusable", message, { cause });
  }
  const sweeping = setInterval(() => {
    call({ kind: "sweep" }).catch(() => undefined);
  }, sweepEvery).unref();

  return {
    async get(key) {
      const value = await call({ kind: "get", key });
      if (value === null) return null;
      const memory = decodeMemory(value);
      if (memory === null) damaged();
      return memory;
    },
    async put(key, memory) {
      await call({ kind: "put", key, value: encodeMemory(memory) });
    },
    async close() {
      clearInterval(sweeping);
      await thread.call({ kind: "close" }, now()).catch(() => undefined);
      await thread.end();
    },
  };

  async function call(operation: FileOperation): Promise<string | null> {
    try {
      const value = await thread.call(operation, now());
      standing.works();
      return value;
    } catch (error) {
      standing.failed(error instanceof Error ? error.message : String(error));
      throw error;
    }
  }
}

/** A disk that stalls must not fill the memory with calls whose callers have long gone on. */
const mostWaiting = 1000;

interface Thread {
  /** Rejects with the reason why the file can't be used. */
  readonly opened: Promise<unknown>;
  call(operation: FileOperation, now: number): Promise<string | null>;
  end(): Promise<void>;
}

interface Waiting {
  readonly resolve: (value: string | null) => void;
  readonly reject: (reason: Error) => void;
}

function startThread(workerData: FileWorkerData): Thread {
  // Without those that this process was started with: some of them (--eval) are refused or misunderstood here.
  const worker = new Worker(fileWorker, { workerData, execArgv: [] });
  const waiting = new Map<number, Waiting>();
  let last = 0;
  let ended: Error | null = null;

  const opened = new Promise<string | null>((resolve, reject) => {
    waiting.set(last, { resolve, reject });
  });
  worker.on("message", (reply: FileReply) => {
    const caller = waiting.get(reply.id);
    waiting.delete(reply.id);
    if ("value" in reply) caller?.resolve(reply.value);
    else caller?.reject(new Error(reply.failed));
  });
  worker.on("error", (error) => lose(`the thread of the state file ended: ${String(error)}`));
  worker.on("exit", () => lose("the state file is closed"));

  return {
    opened,
    call(operation, now) {
      if (ended !== null) return Promise.reject(ended);
      if (waiting.size >= mostWaiting) {
        return Promise.reject(new Error(`${mostWaiting} calls wait for the state file`));
      }
      return new Promise((resolve, reject) => {
        const id = ++last;
        waiting.set(id, { resolve, reject });
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
        worker.postMessage({ ...operation, id, now } satisfies FileCall);
      });
    },
    async end() {
      await worker.terminate();
    },
  };

  function lose(reason: string): void {
    ended ??= new Error(reason);
    for (const caller of waiting.values()) caller.reject(ended);
    waiting.clear();
  }
}
