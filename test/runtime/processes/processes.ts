import { type ChildProcess, spawn } from "node:child_process";
import { cp, mkdtemp, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** The checkout. */
export const root: string = join(import.meta.dirname, "../../..");

const built = process.env["AFTERWORD_BUILT"];

/** The command's module: the built one in the suite that starts many processes (vitest.config.ts). */
export const commandModule: string =
  built === undefined ? join(root, "src/cli/main.ts") : join(built, "cli/main.js");

/** A temporary folder, so that a start writes nothing to the checkout. */
export interface Workspace {
  readonly path: string;
  /** Its copy of config/afterword.yaml. */
  readonly config: string;
  /** Writes a file beside that; returns its path. */
  write(name: string, text: string): Promise<string>;
}

/**
 * A copy of config/ beside links to bin/ and src/: package.json's scripts run here as in the
 * checkout.
 */
export async function createWorkspace(): Promise<Workspace> {
  const path = await mkdtemp(join(tmpdir(), "afterword-e2e-"));
  await cp(join(root, "config"), join(path, "config"), {
    recursive: true,
    filter: (source) => !source.includes(".afterword"),
  });
  for (const name of ["bin", "src"]) await symlink(join(root, name), join(path, name));
  return {
    path,
    config: join(path, "config", "afterword.yaml"),
    async write(name, text) {
      const file = join(path, "config", name);
      // Moved there whole: a watcher of the folder must not find a partly written file.
      const draft = join(path, "draft");
      await writeFile(draft, text);
      await rename(draft, file);
      return file;
    },
  };
}

export async function workspace(): Promise<Workspace> {
  const made = await createWorkspace();
  onTestFinished(() => rm(made.path, { recursive: true, force: true }));
  return made;
}

export interface Ended {
  /** Exit code, or null when a signal ended the process. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array;
  /**
   * A program with its arguments that starts the command, such as one that drops rights. Default:
   * none.
   */
  readonly under?: readonly string[];
}

/** Runs `afterword …` to its end. */
export async function afterword(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const child = start([commandModule, ...args], options);
  child.process.stdin?.end(options.input ?? "");
  return child.ended;
}

export interface Server {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  stdout(): string;
  stderr(): string;
  /** Sends a signal and resolves when the process is gone. */
  stop(signal?: NodeJS.Signals): Promise<Ended>;
  kill(signal: NodeJS.Signals): void;
  readonly ended: Promise<Ended>;
}

/**
 * Starts `afterword serve` or `afterword backend` and waits for its address. Ended with the test at
 * the latest.
 */
export async function serveProcess(
  args: readonly string[],
  options: RunOptions = {},
): Promise<Server> {
  const server = await startServer([commandModule, ...args], options);
  onTestFinished(async () => void (await server.stop("SIGKILL")));
  return server;
}

/** What `npm start` or `npm run dev` runs, in a workspace. */
export async function npmStart(
  { path }: Workspace,
  env: Readonly<Record<string, string>>,
  script: "start" | "dev" = "start",
): Promise<Server> {
  const { scripts } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
    scripts: { start: string; dev: string };
  };
  const [command, ...args] = scripts[script].split(" ");
  if (command !== "node") throw new Error(`npm run ${script} runs ${scripts[script]}`);
  const server = await startServer(args, { cwd: path, env });
  // A watcher must end the processes that it started.
  onTestFinished(async () => void (await server.stop(script === "dev" ? "SIGTERM" : "SIGKILL")));
  return server;
}

/** As {@link serveProcess}, for a whole file: the caller stops it. */
export async function startServer(argv: readonly string[], options: RunOptions): Promise<Server> {
  const { process: child, ended, stdout, stderr } = start(argv, options);
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on("data", () => {
      const found = /listens on (\S+)\n/u.exec(stdout())?.[1];
      if (found !== undefined) resolve(found);
    });
    ended.then(
      (end) => reject(new Error(`ended before it listened (${end.code}): ${end.stderr}`)),
      reject,
    );
  });
  return {
    url,
    port: Number(new URL(url).port),
    pid: child.pid ?? 0,
    stdout,
    stderr,
    ended,
    kill: (signal) => void child.kill(signal),
    stop(signal = "SIGTERM") {
      child.kill(signal);
      return ended;
    },
  };
}

interface Started {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
  readonly stdout: () => string;
  readonly stderr: () => string;
}

function start(argv: readonly string[], { cwd = root, env = {}, under = [] }: RunOptions): Started {
  const [program = "", ...args] = [...under, process.execPath, ...argv];
  const child = spawn(program, args, { cwd, env: { ...cleanEnvironment(), ...env } });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  // A command may end without having read its input.
  child.stdin.on("error", () => undefined);
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, stdout, stderr }));
  });
  return { process: child, ended, stdout: () => stdout, stderr: () => stderr };
}

/** The environment of the machine that runs the tests must not affect them. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => {
    return !/^(?:AFTERWORD_.*|HOST|PORT|NODE_OPTIONS|VITEST.*|https?_proxy|no_proxy)$/iu.test(name);
  });
  return Object.fromEntries(kept);
}
