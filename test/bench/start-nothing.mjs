// Preloaded by commands.test.ts: nothing may be started here.
import childProcess from "node:child_process";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
import workerThreads from "node:worker_threads";

function refuse() {
  throw new Error("something was started");
}

for (const name of ["spawn", "spawnSync", "exec", "execSync", "execFile", "execFileSync", "fork"]) {
  childProcess[name] = refuse;
}
workerThreads.Worker = refuse;
net.Server.prototype.listen = refuse;
syncBuiltinESMExports();
