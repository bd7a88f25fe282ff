import { Worker } from "node:worker_threads";
import {
  contentThread,
  type ContentThreadData,
  type ContentThreadReply,
  type ContentToCompile,
} from "./content-thread.ts";
import type { ReadContent } from "./parse.ts";

/**
 * A machine that stalls must not end reloading for good. Five thousand contents in YAML take two
 * seconds.
 */
const longest = 120_000;

/**
 * Validates and compiles content in a thread of its own, which ends with it: YAML of a few
 * megabytes takes seconds, and meanwhile no reader would get an answer. Rejects when the thread
 * breaks, or `signal` is aborted.
 */
export async function compileAside(
  content: ContentToCompile,
  signal: AbortSignal,
): Promise<ReadContent> {
  // `process.env` is no plain object, and cannot be sent to a thread.
  const workerData: ContentThreadData = {
    afterwordContent: { ...content, environment: { ...content.environment } },
  };
  // Without the options that this process was started with: some of them (--eval) are refused or
  // misunderstood there.
  const worker = new Worker(contentThread, { workerData, execArgv: [] });
  worker.unref();
  try {
    const reply = await firstMessage(
      worker,
      AbortSignal.any([signal, AbortSignal.timeout(longest)]),
    );
    if ("failed" in reply) throw new Error(reply.failed);
    return reply.read;
  } finally {
    await worker.terminate();
  }
}

function firstMessage(worker: Worker, signal: AbortSignal): Promise<ContentThreadReply> {
  return new Promise((resolve, reject) => {
    const aborted = (): void =>
      reject(new Error(`the content was given up: ${String(signal.reason)}`));
    if (signal.aborted) return aborted();
    signal.addEventListener("abort", aborted);
    worker.once("message", resolve);
    worker.once("error", (error) =>
      reject(new Error(`the content thread broke: ${String(error)}`)),
    );
    worker.once("exit", () => reject(new Error("the content thread ended")));
  });
}
