import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

export interface Server {
  stop(): Promise<void>;
  /** Its output so far. */
  printed(): string;
}

/**
 * Starts a program and waits until its output matches `ready`. Only processes that were started
 * here are ended.
 */
export async function startServer(
  command: string,
  args: readonly string[],
  options: {
    readonly cwd: string;
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly ready: RegExp;
  },
): Promise<Server> {
  const child = spawn(command, args, { cwd: options.cwd, env: options.env, stdio: "pipe" });
  let printed = "";
  const ready = Promise.withResolvers<void>();
  const read = (bytes: Buffer): void => {
    printed += bytes.toString("utf8");
    if (options.ready.test(printed)) ready.resolve();
  };
  child.stdout.on("data", read);
  child.stderr.on("data", read);
  child.once("error", ready.reject);
  child.once("exit", () => ready.reject(new Error(`${command} ended:\n${printed}`)));
  const late = setTimeout(
    () => ready.reject(new Error(`${command} is late:\n${printed}`)),
    150_000,
  );
  try {
    await ready.promise;
  } catch (error) {
    await end(child);
    throw error;
  } finally {
    clearTimeout(late);
  }
  return { stop: () => end(child), printed: () => printed };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const gone = once(child, "exit");
  child.kill("SIGTERM");
  const late = setTimeout(() => child.kill("SIGKILL"), 5000);
  await gone;
  clearTimeout(late);
}
