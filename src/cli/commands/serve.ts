import { loadConfig } from "../../config/load.ts";
import { serve } from "../../runtime/node/serve.ts";
import { readArguments, readPort } from "../arguments.ts";
import { type Command, configFile, configOption } from "../command.ts";
import { onHangup } from "../on-hangup.ts";
import { packageVersion } from "../package-version.ts";
import { untilStopped } from "../until-stopped.ts";

export const serveCommand: Command = {
  name: "serve",
  summary:
    "Runs the gateway; with `upstream: embedded` its own backend answers behind the same port.",
  usage: "[--config FILE] [--host H] [--port P]",
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
  ],
  async run(argv, terminal) {
    const args = readArguments("serve", argv, this.options, 0);
    const port = readPort("serve", args.one("port") ?? terminal.env["PORT"] ?? null);
    const host = args.one("host") ?? (terminal.env["HOST"] || null);
    const file = configFile(args.one("config"), terminal);
    const loadedAt = Date.now();
    const config = await loadConfig(file, { env: terminal.env });
    for (const warning of config.warnings) terminal.error(`${warning}\n`);
    const running = await serve({
      config,
      env: terminal.env,
      version: packageVersion(),
      reload: { file, loadedAt },
      ...(host === null ? {} : { host }),
      ...(port === null ? {} : { port }),
    });
    onHangup(() => void running.reload());
    terminal.out(`Afterword listens on ${running.url}\n`);
    await untilStopped(() => running.close());
    return 0;
  },
};
