import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import http from "node:http";
import { closeConnectionInFlight } from "../../../src/runtime/node/workers/primary.ts";
import { ended } from "../../fixtures/connection-end.ts";

/**
 * Two workers, each with a connection on its way: the first declines it, because it has to end,
 * while the second does not respond yet. Prints how all connections ended, and those that came
 * after.
 */
if (cluster.isPrimary) await primary();
else {
  const server = http.createServer((_, response) => response.end("x"));
  process.on("message", () => {
    server.close();
    setTimeout(() => process.exit(), 100);
  });
  server.listen(0, "127.0.0.1");
}

async function primary(): Promise<void> {
  const [first, second] = [await worker(), await worker()];
  for (const { one } of [first, second]) one.process.kill("SIGSTOP");
  first.one.send("end");
  const comers = [1, 2, 3].map(() => ended(second.port));
  await new Promise((resolve) => setTimeout(resolve, 300));
  const gone = once(first.one, "exit");
  first.one.process.kill("SIGCONT");
  await gone;
  await new Promise((resolve) => setTimeout(resolve, 300));
  second.one.process.kill("SIGCONT");
  const ends = await Promise.all(comers);
  for (let i = 0; i < 3; i++) ends.push(await ended(second.port));
  process.stdout.write(JSON.stringify(ends));
  process.exit();
}

function worker(): Promise<{ readonly one: Worker; readonly port: number }> {
  const one = cluster.fork();
  one.on("error", () => undefined);
  closeConnectionInFlight(one);
  return new Promise((resolve) => {
    one.once("listening", ({ port }) => resolve({ one, port }));
  });
}
