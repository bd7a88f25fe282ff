import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { readOwned } from "../../backend/auth/owned.ts";
import { openDatabase } from "../../backend/storage/open-database.ts";
import { isAddressRange } from "../../config/schema/address.ts";
import { isPostgresAddress } from "../../database-address.ts";
import type { MailConfig } from "../../config/config.ts";
import { createRefusedCredentials } from "../../gateway/exchange/refused-credentials.ts";
import {
  type AccessRequest,
  type BackendAccess,
  decideAccess,
} from "../../runtime/node/demo-credentials.ts";
import { createLogger, parseLogThreshold } from "../../runtime/node/log.ts";
import { openLoggedBackend } from "../../runtime/node/logged-backend.ts";
import { createTrustedPeers } from "../../runtime/node/exchange.ts";
import { type Arguments, readPort, createArgumentError } from "../command/arguments.ts";
import { dataDirectoryOf, databaseOf, databaseOption } from "../backend/database-option.ts";
import { openListeners } from "../backend/listeners.ts";
import { readServiceOptions, serviceOptions } from "../backend/service-options.ts";
import type { Command, Terminal } from "../command/command.ts";
import { createProgress } from "../command/progress.ts";
import { shortenPath } from "../command/shortened.ts";
import { readPackageVersion } from "../command/package-version.ts";
import { untilStopped } from "../command/signals.ts";
import { dropTrailing } from "../../text.ts";

/** The parts after `afterword backend`. Loaded only when asked for. */
export const BACKEND_PARTS: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ["init", async () => (await import("../commands/backend-init.ts")).backendInitCommand],
  ["key", async () => (await import("../commands/backend-key.ts")).backendKeyCommand],
  ["app", async () => (await import("../commands/backend-app.ts")).backendAppCommand],
  ["agent", async () => (await import("../commands/backend-agent.ts")).backendAgentCommand],
  ["room", async () => (await import("../commands/backend-room.ts")).backendRoomCommand],
  ["import", async () => (await import("../commands/backend-import.ts")).backendImportCommand],
  ["test", async () => (await import("../commands/backend-questions.ts")).backendTestCommand],
  ["explain", async () => (await import("../commands/backend-questions.ts")).backendExplainCommand],
  ["report", async () => (await import("../commands/backend-report.ts")).backendReportCommand],
  ["backup", async () => (await import("../commands/backend-backup.ts")).backendBackupCommand],
  ["restore", async () => (await import("../commands/backend-restore.ts")).backendRestoreCommand],
  ["migrate", async () => (await import("../commands/backend-migrate.ts")).backendMigrateCommand],
  ["erase", async () => (await import("../commands/backend-erase.ts")).backendEraseCommand],
]);

export const backendCommand: Command = {
  name: "backend",
  summary:
    "Runs the self-hosted backend alone: authentication, discovery, the conversation engine and the services beside it.",
  usage:
    "[--content DIR] [--database ADDRESS] [--host H] [--port P] [--chat-port P] [--public-url URL] [--no-demo]",
  options: [
    { name: "content", value: "DIR", help: "contents and engine texts (default: config/backend)" },
    databaseOption,
    { name: "host", value: "H", help: "address to listen on (default: HOST, else 127.0.0.1)" },
    { name: "port", value: "P", help: "port to listen on, 0 for any (default: PORT, else 8799)" },
    {
      name: "chat-port",
      value: "P",
      help: "further port where the live chat alone answers, such as the specification's 8000; 0 for any (default: none)",
    },
    {
      name: "public-url",
      value: "URL",
      help: "address that clients see, when a proxy is in front; it may have a path",
    },
    {
      name: "trust-proxies",
      value: "ADDRESS,…",
      help: "proxies in front, as addresses or ranges, whose X-Forwarded-For says who the client is",
      many: true,
    },
    ...serviceOptions,
    {
      name: "mail-config",
      value: "FILE",
      help: "configuration whose backend.mail says how tickets are answered by e-mail (default: none are)",
    },
    {
      name: "webhooks",
      value: "HOST,…",
      help: "hosts that forms and registered webhooks may call: host, host:port or .suffix",
      many: true,
    },
    {
      name: "no-demo",
      help: "refuse the well-known demo credentials, which otherwise work on a loopback address",
    },
  ],
  parts: BACKEND_PARTS,
  async run(args, terminal) {
    const port =
      readPort(args, args.one("port"), "--port") ??
      readPort(args, terminal.env["PORT"] ?? null, "PORT") ??
      8799;
    const chatPort = readChatPort(args, port);
    const host = args.one("host") ?? (terminal.env["HOST"] || "127.0.0.1");
    const publicUrl = publicUrlOf(args);
    const trustsPeer = createTrustedPeers(trustedOf(args));
    const service = readServiceOptions(args);
    const mail = await readMail(args, terminal);
    const database = databaseOf(args);
    const data = dataDirectoryOf(database);
    const logger = createLogger({ threshold: parseLogThreshold(terminal.env["AFTERWORD_LOG"]) });
    const { log } = logger;
    const access = await openAccess(terminal, {
      host,
      publicUrl,
      noDemo: args.has("no-demo"),
      data,
      database,
    });
    const parts = new AsyncDisposableStack();
    parts.defer(() => logger.flush());
    const backend = await openLoggedBackend({
      access,
      content: resolve(args.one("content") ?? "config/backend"),
      data,
      database,
      env: terminal.env,
      log,
      ...service,
      mail,
      // Generated credentials open the demo projects too.
      projects: service.projects(access.demo || access.entries.length > 0),
      webhooks: args.list("webhooks"),
      trustsPeer,
      ...(publicUrl !== null && { bases: (product) => `${publicUrl}/${product}` }),
      version: readPackageVersion(),
    });
    parts.defer(() => backend.close());
    backend.reportTo(
      createRefusedCredentials({
        log,
        clock: () => performance.now(),
        count: () => undefined,
        audit: () => undefined,
      }),
    );
    try {
      const listeners = await openListeners(
        [
          { of: "backend", app: backend.app, port, portOption: "--port or PORT" },
          ...(chatPort === null
            ? []
            : [{ of: "chat", app: backend.chat, port: chatPort, portOption: "--chat-port" }]),
        ],
        {
          host,
          onError: (error) =>
            log("error", "internal-error", { route: "backend", detail: String(error) }),
          upgrade: {
            accepts: (incoming) => backend.sockets.accepts(incoming),
            open: (incoming, socket, head) => backend.sockets.open({ incoming, socket, head }),
          },
        },
      );
      terminal.out(listeners.listening);
      await untilStopped(() => {
        const drained = listeners.drain(5000);
        backend.endStreams();
        return drained;
      });
    } finally {
      await parts.disposeAsync();
    }
    return 0;
  },
};

/** Brings the database up to date, decides which credentials work, and tells the operator. */
async function openAccess(
  terminal: Terminal,
  options: Pick<AccessRequest, "host" | "publicUrl" | "noDemo" | "data"> & {
    readonly database: string;
  },
): Promise<BackendAccess> {
  const { database } = options;
  const progress = createProgress(terminal);
  // A new database has no steps that anybody waits for.
  const known = isPostgresAddress(database) || existsSync(database);
  const opened = await openDatabase(database, {
    ...(known && {
      report: ({ name, number, count }) =>
        progress.done(`The database is brought up to this release: ${number} of ${count}, ${name}`),
    }),
  });
  const access = await decideAccess({
    ...options,
    mode: terminal.env["AFTERWORD_DEMO_CREDENTIALS"],
    command: "afterword backend: ",
    addKey: `afterword backend key add NAME --database ${isPostgresAddress(database) ? "postgres://…" : shortenPath(database)}`,
    hasKey: async () => (await readOwned(opened)).keys.length > 0,
  }).finally(() => opened.close());
  if (access.file !== null) {
    terminal.error(`Credentials in the place of the demo ones: ${access.file}\n`);
  }
  if (access.closed) {
    terminal.error("There is no key yet: afterword backend key add NAME makes one\n");
  }
  return access;
}

function trustedOf(args: Arguments): readonly string[] {
  const proxies = args.list("trust-proxies");
  const wrong = proxies.find((one) => !isAddressRange(one));
  if (wrong === undefined) return proxies;
  throw createArgumentError(
    "backend",
    `--trust-proxies takes IP addresses and ranges such as 10.0.0.0/8, not "${wrong}"`,
  );
}

/** Null for none. 0 is a free one, and so never that of the backend. */
/** E-mail of tickets as a configuration has it: passwords stay out of the command line. */
async function readMail(args: Arguments, { env }: Terminal): Promise<MailConfig | null> {
  const file = args.one("mail-config");
  if (file === null) return null;
  const { loadConfig } = await import("../../config/load/load.ts");
  const { mail } = (await loadConfig(file, { env })).backend;
  if (mail !== null) return mail;
  throw createArgumentError(
    "backend",
    `--mail-config takes a configuration with backend.mail; ${file} has none`,
  );
}

function readChatPort(args: Arguments, port: number): number | null {
  const chatPort = readPort(args, args.one("chat-port"), "--chat-port");
  if (chatPort === null || chatPort === 0 || chatPort !== port) return chatPort;
  throw createArgumentError(
    "backend",
    `--chat-port ${port} is the backend's own port, where the chat answers anyway: choose another, or leave it out`,
  );
}

/** Without the slash at its end. */
function publicUrlOf(args: Arguments): string | null {
  const given = args.one("public-url");
  if (given === null) return null;
  const url = URL.parse(given);
  const plain = url !== null && url.search === "" && url.hash === "" && url.username === "";
  if (plain && /^https?:$/.test(url.protocol)) return dropTrailing(url.href, "/");
  throw createArgumentError(
    "backend",
    `--public-url is an address such as https://bot.example.com, not "${given}"`,
  );
}
