import { randomBytes } from "node:crypto";
import { dirname, resolve } from "node:path";
import { openBackend } from "../../backend/node.ts";
import { AfterwordError } from "../../errors.ts";
import { isLoopbackHost } from "../../gateway/admin.ts";
import { loadSecret } from "../../runtime/node/keys.ts";
import { createListener } from "../../runtime/node/listener.ts";
import { createLogger, parseLogThreshold } from "../../runtime/node/log.ts";
import { readArguments, readPort } from "../arguments.ts";
import type { Command } from "../command.ts";
import { untilStopped } from "../until-stopped.ts";

export const backendCommand: Command = {
  name: "backend",
  summary:
    "Runs the self-hosted backend alone: authentication, discovery and the conversation engine.",
  usage: "[--content DIR] [--database FILE] [--host H] [--port P]",
  options: [
    { name: "content", value: "DIR", help: "contents and engine texts (default: config/backend)" },
    { name: "database", value: "FILE", help: "SQLite file (default: .afterword/backend.db)" },
    { name: "host", value: "H", help: "address to listen on (default: HOST, else 127.0.0.1)" },
    { name: "port", value: "P", help: "port to listen on, 0 for any (default: PORT, else 8799)" },
  ],
  async run(argv, terminal) {
    const args = readArguments("backend", argv, this.options, 0);
    const port = readPort("backend", args.one("port") ?? terminal.env["PORT"] ?? null) ?? 8799;
    const host = args.one("host") ?? (terminal.env["HOST"] || "127.0.0.1");
    if (!isLoopbackHost(host.includes(":") ? `[${host}]` : host)) {
      throw new AfterwordError(
        "demo-credentials-exposed",
        `afterword backend: its demo credentials are public knowledge, so it listens on loopback only, not on ${host}`,
      );
    }
    const database = resolve(args.one("database") ?? ".afterword/backend.db");
    const logger = createLogger({ threshold: parseLogThreshold(terminal.env["AFTERWORD_LOG"]) });
    const report = (error: unknown): void =>
      logger.log("error", "internal-error", { route: "backend", detail: String(error) });
    const key = await loadSecret(dirname(database), "token-key", () =>
      randomBytes(32).toString("base64url"),
    );
    const backend = await openBackend({
      content: resolve(args.one("content") ?? "config/backend"),
      database,
      signingKeys: [new TextEncoder().encode(key)],
      demo: true,
      report,
    });
    const listener = createListener(backend.app, { onError: report });
    try {
      const address = await listener.listen(port, host);
      terminal.out(
        `The backend listens on http://${host.includes(":") ? `[${host}]` : host}:${address.port}\n`,
      );
      await untilStopped(() => listener.drain(5000).then(() => undefined));
    } finally {
      await backend.close();
      await logger.flush();
    }
    return 0;
  },
};
