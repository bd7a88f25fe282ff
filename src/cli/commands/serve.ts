import { AfterwordError } from "../../errors.ts";
import { readPort } from "../command/arguments.ts";
import { type Command, findConfigFile, configOption, type Terminal } from "../command/command.ts";
import { formatAnnouncement } from "../../runtime/node/credentials/admin-token.ts";
import { untilStopped, onHangup } from "../command/signals.ts";

export const serveCommand: Command = {
  name: "serve",
  usage: "[--config FILE] [--host H] [--port P] [--workers N]",
  options: [
    configOption,
    {
      name: "host",
      value: "H",
      help: "address to listen on (default: HOST, else the configuration's)",
    },
    {
      name: "port",
      value: "P",
      help: "port to listen on, 0 for any (default: PORT, else the configuration's)",
    },
    {
      name: "workers",
      value: "N",
      help: "worker processes that share the port (default: AFTERWORD_WORKERS, else 1)",
    },
  ],
  async run(args, terminal) {
    const workers = readWorkers(args.one("workers") ?? terminal.env["AFTERWORD_WORKERS"] ?? "");
    const given: ServeArguments = {
      file: findConfigFile(args.one("config"), terminal),
      // An empty host would be every address of the machine.
      host: args.one("host") || terminal.env["HOST"] || null,
      port:
        readPort(args, args.one("port"), "--port") ??
        readPort(args, terminal.env["PORT"] ?? null, "PORT"),
    };
    if (workers === 1) return serveAlone(given, terminal);
    const worker = terminal.env["AFTERWORD_WORKER"];
    return worker === undefined
      ? serveWithWorkers(workers, terminal)
      : serveAsWorker(Number(worker), given, terminal);
  },
};

interface ServeArguments {
  readonly file: string;
  readonly host: string | null;
  readonly port: number | null;
}

async function serveAlone(
  { file, host, port }: ServeArguments,
  terminal: Terminal,
): Promise<number> {
  const [{ loadConfig }, { serve }] = await Promise.all([
    import("../../config/load/load.ts"),
    import("../../runtime/node/serve.ts"),
  ]);
  const loadedAt = Date.now();
  const config = await loadConfig(file, { env: terminal.env });
  for (const warning of config.warnings) terminal.error(`${warning}\n`);
  const running = await serve({
    config,
    env: terminal.env,
    reload: { file, loadedAt },
    ...(host === null ? {} : { host }),
    ...(port === null ? {} : { port }),
  });
  onHangup(() => void running.reload());
  terminal.out(formatAnnouncement(running.url, running.adminToken));
  await untilStopped(() => running.close());
  return 0;
}

/** Runs the primary process, which supervises the workers and does not load the gateway itself. */
async function serveWithWorkers(workers: number, terminal: Terminal): Promise<number> {
  const { Primary } = await import("../../runtime/node/workers/primary.ts");
  const primary = new Primary({
    workers,
    env: terminal.env,
    out: (text) => terminal.out(text),
    error: (text) => terminal.error(text),
  });
  onHangup(() => primary.reload());
  // The primary ends when no worker is left. After a second signal it exits, and its workers exit
  // too.
  void untilStopped(async () => primary.stop());
  return primary.ended;
}

async function serveAsWorker(
  worker: number,
  given: ServeArguments,
  terminal: Terminal,
): Promise<number> {
  const { runWorker } = await import("../../runtime/node/workers/worker-process.ts");
  const warn = (line: string): void => terminal.error(line);
  return runWorker({ worker, ...given, env: terminal.env, warn });
}

/** A number far above any machine's cores is a typing mistake. */
const maxWorkers = 256;

function readWorkers(text: string): number {
  if (text === "") return 1;
  const workers = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (workers >= 1 && workers <= maxWorkers) return workers;
  throw new AfterwordError(
    "argument-invalid",
    `afterword serve: "${text}" is not a number of workers (1 to ${maxWorkers})`,
  );
}
