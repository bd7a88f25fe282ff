import { Worker } from "node:worker_threads";
import { freezeDeep } from "../../../config/json.ts";
import type { LoadOptions } from "../../../config/load.ts";
import { type ConfigReply, configWorker, type ConfigWorkerData } from "./config-worker.ts";
import type { Started } from "./restart-needed.ts";

/** What a load found; `config` is null when there is an error among the diagnostics. */
export type ConfigLoad = Exclude<ConfigReply, { failed: string }>;

/** Loads the same configuration again and again, one load at a time. */
export interface ConfigLoader {
  /** Rejects when the thread could not do its work. */
  load(): Promise<ConfigLoad>;
  close(): Promise<void>;
}

/**
 * A disk that stalls must not end reloading for good; ten thousand instances take a fifth of it. In
 * milliseconds.
 */
const longestLoad = 120_000;

/**
 * Who edits once edits again: so long the thread stays, with its parsers loaded. In milliseconds.
 */
const idleAfter = 10_000;

/**
 * Loads in a thread: parsing and compiling block whoever does it for 50 to 300 ms even with the
 * shipped tables alone, and meanwhile no request would be answered. The thread is there only while
 * it is needed.
 */
export function createConfigLoader(
  file: string,
  options: LoadOptions,
  started: Started,
): ConfigLoader {
  let worker: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;

  return {
    async load() {
      clearTimeout(idle);
      const running = worker ?? start();
      try {
        const reply = await ask(running);
        if ("failed" in reply) throw new Error(reply.failed);
        idle = setTimeout(() => void end(), idleAfter).unref();
        // A copy between threads is not frozen as its original was.
        return freezeDeep(reply);
      } catch (error) {
        await end();
        throw error;
      }
    },
    close: end,
  };

  function start(): Worker {
    const workerData: ConfigWorkerData = {
      afterwordConfig: file,
      options: plain(options),
      started,
    };
    // Without the options that this process was started with: some of them (--eval) are refused or
    // misunderstood there.
    const fresh = new Worker(configWorker, { workerData, execArgv: [] });
    fresh.unref();
    // Whoever waits for a load is told by `ask`; without a listener a broken thread would end the
    // process.
    fresh.on("error", () => undefined);
    fresh.on("exit", () => {
      if (worker === fresh) worker = null;
    });
    worker = fresh;
    return fresh;
  }

  async function end(): Promise<void> {
    clearTimeout(idle);
    const ending = worker;
    worker = null;
    await ending?.terminate();
  }
}

function ask(worker: Worker): Promise<ConfigReply> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      clearTimeout(timer);
      worker.off("message", onMessage).off("error", onError).off("exit", onExit);
      act();
    };
    const fail = (why: string): void => settle(() => reject(new Error(why)));
    const onMessage = (reply: ConfigReply): void => settle(() => resolve(reply));
    const onError = (error: unknown): void => fail(`the loading thread broke: ${String(error)}`);
    const onExit = (): void => fail("the loading thread ended");
    const timer = setTimeout(() => fail(`loading took over ${longestLoad} ms`), longestLoad);
    timer.unref();
    worker.on("message", onMessage).on("error", onError).on("exit", onExit);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage("load");
  });
}

/** `process.env` is no plain object, and cannot be sent to a thread. */
function plain(options: LoadOptions): LoadOptions {
  return options.env === undefined ? options : { ...options, env: { ...options.env } };
}
