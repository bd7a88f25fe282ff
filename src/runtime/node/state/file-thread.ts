import { Worker } from "node:worker_threads";
import {
  type FileCall,
  type FileOperation,
  type FileReply,
  type FileValue,
  fileWorker,
  type FileWorkerData,
} from "./file-worker.ts";

/** The thread in which the state file is used. */
export interface FileThread {
  /** Rejects with the reason why the file can't be used. */
  readonly opened: Promise<unknown>;
  /** Rejects with a {@link FileFailure} where the file says no. */
  call(operation: FileOperation, now: number): Promise<FileValue>;
  end(): Promise<void>;
}

/** What the file says. `busy`: another process was writing all the while, and nothing was done. */
export class FileFailure extends Error {
  readonly busy: boolean;

  constructor(message: string, busy: boolean) {
    super(message);
    this.busy = busy;
  }
}

/** A disk that stalls must not fill the memory with calls whose callers have long gone on. */
const mostWaiting = 1000;

interface Waiting {
  readonly resolve: (value: FileValue) => void;
  readonly reject: (reason: Error) => void;
}

export function startFileThread(workerData: FileWorkerData): FileThread {
  // Without those that this process was started with: some of them (--eval) are refused or
  // misunderstood here.
  const worker = new Worker(fileWorker, { workerData, execArgv: [] });
  const waiting = new Map<number, Waiting>();
  let last = 0;
  let ended: Error | null = null;

  const opened = new Promise<FileValue>((resolve, reject) => {
    waiting.set(last, { resolve, reject });
  });
  worker.on("message", (reply: FileReply) => {
    const caller = waiting.get(reply.id);
    waiting.delete(reply.id);
    if ("value" in reply) caller?.resolve(reply.value);
    else caller?.reject(new FileFailure(reply.failed, reply.busy));
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
