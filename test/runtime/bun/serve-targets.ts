import { serveExchanges } from "../../../src/runtime/bun/server/server.ts";
import { bunSockets } from "../../../src/runtime/bun/sockets.ts";
import { limits } from "../../../src/runtime/server-limits.ts";
import { answerByTarget } from "./answer-by-target.ts";

// Runs on Bun: answers by target, and writes lines of what happens. Its argument is limits that are
// to be others.

const sockets = bunSockets();
if (sockets === null) throw new Error("this is not Bun");
Object.assign(limits, JSON.parse(process.argv[2] ?? "{}"));
const tell = (line: string): void => void process.stdout.write(`${line}\n`);
const server = serveExchanges(
  sockets.listen,
  { hostname: "127.0.0.1", port: 0 },
  answerByTarget(tell),
  (error) => tell(`threw ${String(error)}`),
);
process.on("SIGTERM", () => {
  tell("draining");
  void server.stop(20_000).then(() => {
    tell("drained");
    process.exit(0);
  });
});
tell(`port ${server.port}`);
