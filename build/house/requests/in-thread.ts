/**
 * Loaded first in every thread of the program that is measured: `--import in-thread.ts?folder=…` in
 * NODE_OPTIONS, which Node's worker threads follow as well. Each SIGUSR2 makes every thread write
 * to that folder which files ran a function since the signal before, as `N-THREAD.json`.
 */
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { type Profiler, Session } from "node:inspector";
import { join } from "node:path";
import { BroadcastChannel, isMainThread, threadId } from "node:worker_threads";

const folder = new URL(import.meta.url).searchParams.get("folder") ?? "";
const session = new Session();
session.connect();
session.post("Profiler.enable");
session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });

// Says that this thread takes part.
const mark = join(folder, `${threadId}.thread`);
writeFileSync(mark, "");
process.once("exit", () => rmSync(mark, { force: true }));

const channel = new BroadcastChannel("house");
channel.addEventListener("message", (event) => {
  if (event instanceof MessageEvent) take(Number(event.data));
});
channel.unref();
if (isMainThread) {
  let number = 0;
  process.on("SIGUSR2", () => {
    number += 1;
    channel.postMessage(number);
    take(number);
  });
}

/** Taking also begins to count anew. */
function take(number: number): void {
  session.post("Profiler.takePreciseCoverage", (error, { result }) => {
    if (error !== null) throw error;
    const files = result.filter(ranAFunction).map(({ url }) => url);
    const name = join(folder, `${number}-${threadId}.json`);
    // Moved there whole, so that nobody reads half of it.
    writeFileSync(`${name}.draft`, JSON.stringify(files));
    renameSync(`${name}.draft`, name);
  });
}

function ranAFunction({ url, functions }: Profiler.ScriptCoverage): boolean {
  if (!url.startsWith("file:")) return false;
  return functions.some((one) => !isModule(one) && one.ranges.some(({ count }) => count > 0));
}

/** The code of the module itself is a function without a name over all of it. */
function isModule({ functionName, ranges }: Profiler.FunctionCoverage): boolean {
  return functionName === "" && ranges[0]?.startOffset === 0;
}
