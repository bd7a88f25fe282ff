import { Worker } from "node:worker_threads";
import type { Derive } from "../chat/agents/passwords.ts";
import { type DeriveReply, deriveThread, type DeriveThreadData } from "./derive-thread.ts";

/**
 * Derives passwords in a thread of its own, which is started by the first one. Rejects what is
 * under way when the thread breaks; the next one starts another.
 */
export function deriveAside(): {
  readonly derive: Derive;
  readonly close: () => Promise<void>;
} {
  const waiting = new Map<number, PromiseWithResolvers<Uint8Array>>();
  let worker: Worker | null = null;
  let calls = 0;

  return {
    derive(password, salt, rounds) {
      const thread = (worker ??= started());
      const call = Promise.withResolvers<Uint8Array>();
      const id = (calls += 1);
      waiting.set(id, call);
      thread.postMessage({ id, password, salt, rounds });
      return call.promise;
    },
    async close() {
      await worker?.terminate();
    },
  };

  function started(): Worker {
    const workerData: DeriveThreadData = { afterwordPasswords: true };
    // Without the options that this process was started with: some of them (--eval) are refused or
    // misunderstood there.
    const thread = new Worker(deriveThread, { workerData, execArgv: [] });
    // A request that waits keeps the process alive by itself.
    thread.unref();
    thread.on("message", ({ id, derived }: DeriveReply) => {
      waiting.get(id)?.resolve(derived);
      waiting.delete(id);
    });
    const lose = (why: string): void => {
      // It ends once more behind its error, when what waits is another thread's.
      if (worker !== thread) return;
      worker = null;
      for (const { reject } of waiting.values()) {
        reject(new Error(`the thread that derives passwords ended: ${why}`));
      }
      waiting.clear();
    };
    thread.on("error", (error) => lose(String(error)));
    thread.on("exit", (code) => lose(`exit code ${code}`));
    return thread;
  }
}
