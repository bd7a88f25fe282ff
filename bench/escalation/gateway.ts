import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { node } from "../launch.ts";

/** A gateway in a process of its own. */
export interface Gateway {
  readonly url: string;
  /** SIGKILL; resolves when it is gone. */
  kill(): Promise<void>;
}

const root = fileURLToPath(new URL("../..", import.meta.url));

/** @param checkout whose sources; default these */
export async function startGateway(config: string, checkout: string = root): Promise<Gateway> {
  const main = join(resolve(checkout), "src/cli/main.ts");
  const child = spawn(node, [main, "serve", "--config", config, "--port", "0"], {
    env: { PATH: process.env["PATH"], AFTERWORD_LOG: "error" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const found = /(http:\/\/\S+)/u.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
    void ended.then(() => reject(new Error("the gateway ended before it listened")));
  });
  return {
    url,
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
