import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createClient } from "@redis/client";
import { onTestFinished } from "vitest";
import { freePort } from "../../fixtures/free-port.ts";

/** A Redis server for the test: in memory, on loopback. */
export interface RedisServer {
  readonly port: number;
  /** `redis://127.0.0.1:PORT` */
  readonly address: string;
  /** Ends it as a crash would. */
  kill(): Promise<void>;
  /** Starts an empty one at the same port. */
  start(): Promise<void>;
  /** Suspends it: connections stay open, but get no answer. */
  freeze(): void;
  thaw(): void;
}

/**
 * The server that these tests use: the one AFTERWORD_TEST_REDIS names, else one that is started for
 * the test. All keys have one prefix and a random part, so that a shared server is not disturbed.
 */
export async function redisAddress(): Promise<string> {
  return given === "" ? (await startRedis()).address : given;
}

const given = process.env["AFTERWORD_TEST_REDIS"] ?? "";

/**
 * Starts a server, which ends with the test.
 *
 * @param options further options of redis-server
 * @param speaks `tls`: it accepts no other connections
 */
export async function startRedis(
  options: readonly string[] = [],
  speaks: "plain" | "tls" = "plain",
): Promise<RedisServer> {
  const { end: ending, ...server } = await runRedis(options, speaks);
  onTestFinished(ending);
  return server;
}

/** The same for a whole file: the caller ends it. */
export async function runRedis(
  options: readonly string[] = [],
  speaks: "plain" | "tls" = "plain",
): Promise<RedisServer & { end(): Promise<void> }> {
  const port = await freePort();
  const args = [
    ...(speaks === "tls" ? ["--port", "0", "--tls-port"] : ["--port"]),
    String(port),
    ...options,
  ];
  let child = await run(args);
  return {
    port,
    address: `redis://127.0.0.1:${port}`,
    kill: () => end(child),
    end: () => end(child),
    async start() {
      child = await run(args);
    },
    freeze: () => void child.kill("SIGSTOP"),
    thaw: () => void child.kill("SIGCONT"),
  };
}

/** Sends one command and returns its reply. */
export type RedisCommand = (...words: readonly string[]) => Promise<unknown>;

/** For changes that a test makes without the store; closed with the test. */
export async function redisCommand(address: string): Promise<RedisCommand> {
  const client = createClient({ url: address });
  // This connection ends with a server that a test ends.
  client.on("error", () => undefined);
  await client.connect();
  onTestFinished(() => client.destroy());
  return (...words) => client.sendCommand(words);
}

const needed = `redis-server is missing: install the package redis-server (apt-get install redis-server)${
  given === ""
    ? ", or name a server with AFTERWORD_TEST_REDIS=redis://…"
    : "; this test ends its server"
}`;

async function run(args: readonly string[]): Promise<ChildProcess> {
  const child = spawn("redis-server", [
    ...["--bind", "127.0.0.1"],
    ...["--save", "", "--appendonly", "no", "--daemonize", "no"],
    ...args,
  ]);
  let output = "";
  const ready = new Promise<void>((resolve, reject) => {
    child.once("error", (cause: NodeJS.ErrnoException) =>
      reject(cause.code === "ENOENT" ? new Error(needed) : cause),
    );
    child.once("exit", () => reject(new Error(`redis-server ended: ${output}`)));
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      if (output.includes("Ready to accept connections")) resolve();
    });
  });
  await ready;
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}
