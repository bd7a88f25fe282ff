import { pbkdf2Sync } from "node:crypto";
import {
  isMainThread,
  type MessagePort,
  parentPort,
  Worker,
  workerData,
} from "node:worker_threads";
import type { Derive } from "../chat/agents/passwords.ts";

/** What the thread is started with. */
interface ThreadData {
  readonly afterwordPasswords: true;
}

interface Call {
  readonly id: number;
  readonly password: string;
  readonly salt: string;
  readonly rounds: number;
}

interface Reply {
  readonly id: number;
  readonly derived: Uint8Array;
}

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
    const ours: ThreadData = { afterwordPasswords: true };
    // Without the options that this process was started with: some of them (--eval) are refused or
    // misunderstood there.
    const thread = new Worker(new URL(import.meta.url), { workerData: ours, execArgv: [] });
    // A request that waits keeps the process alive by itself.
    thread.unref();
    thread.on("message", ({ id, derived }: Reply) => {
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

// This module is the thread's as well.
if (!isMainThread && parentPort !== null && isOurs(workerData)) serve(parentPort);

function serve(port: MessagePort): void {
  // In this thread, and not in libuv's four, which tokens, compression and name look-ups of the
  // whole process share.
  port.on("message", ({ id, password, salt, rounds }: Call) => {
    const derived = new Uint8Array(pbkdf2Sync(password, salt, rounds, 32, "sha512"));
    port.postMessage({ id, derived } satisfies Reply);
  });
}

/** Another worker may merely import this module. */
function isOurs(data: unknown): data is ThreadData {
  return typeof data === "object" && data !== null && "afterwordPasswords" in data;
}
