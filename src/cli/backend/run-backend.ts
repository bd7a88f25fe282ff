import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { readOwned } from "../../backend/auth/owned.ts";
import { openDatabase } from "../../backend/storage/open-database.ts";
import { readAllowedHost } from "../../backend/webhooks/allowed.ts";
import { isAddressRange } from "../../config/schema/address.ts";
import { isPostgresAddress } from "../../database-address.ts";
import type { MailConfig } from "../../config/config.ts";
import { createRefusedCredentials } from "../../gateway/exchange/refused-credentials.ts";
import {
  type AccessRequest,
  type BackendAccess,
  decideAccess,
} from "../../runtime/node/credentials/demo-credentials.ts";
import { createLogger, parseLogThreshold } from "../../runtime/node/log.ts";
import { openLoggedBackend } from "../../runtime/node/logged-backend.ts";
import { createTrustedPeers } from "../../runtime/node/server/exchange.ts";
import { type Arguments, readPort, createArgumentError } from "../command/arguments.ts";
import { dataDirectoryOf, databaseOf } from "./database-option.ts";
import { openListeners } from "./listeners.ts";
import { readServiceOptions } from "./service-options.ts";
import type { Terminal } from "../command/command.ts";
import { createProgress } from "../command/progress.ts";
import { shortenPath } from "../command/shortened.ts";
import { readPackageVersion } from "../../config/load/package-root.ts";
import { untilStopped } from "../command/signals.ts";
import { dropTrailing, toShellWord } from "../../text.ts";

/** Serves the backend alone until a signal ends it. */
export async function runBackend(args: Arguments, terminal: Terminal): Promise<number> {
  const port = portOf(args, terminal);
  const chatPort = readChatPort(args, port);
  // An empty host would be every address of the machine.
  const host = args.one("host") || terminal.env["HOST"] || "127.0.0.1";
  const publicUrl = publicUrlOf(args);
  const trustsPeer = createTrustedPeers(trustedOf(args));
  const service = readServiceOptions(args);
  const webhooks = readWebhookHosts(args);
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
    webhooks,
    trustsPeer,
    ...(publicUrl !== null && {
      bases: (product) => `${publicUrl}/${product}`,
      address: () => publicUrl,
    }),
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
}

function portOf(args: Arguments, terminal: Terminal): number {
  return (
    readPort(args, args.one("port"), "--port") ??
    readPort(args, terminal.env["PORT"] ?? null, "PORT") ??
    8799
  );
}

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
    addKey: `afterword backend key add NAME --database ${isPostgresAddress(database) ? "postgres://…" : toShellWord(shortenPath(database))}`,
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

/** Returns null for none. 0 means any free port, so it never equals the backend's own. */
function readChatPort(args: Arguments, port: number): number | null {
  const chatPort = readPort(args, args.one("chat-port"), "--chat-port");
  if (chatPort === null || chatPort === 0 || chatPort !== port) return chatPort;
  throw createArgumentError(
    "backend",
    `--chat-port ${port} is the backend's own port, where the chat answers anyway: choose another, or leave it out`,
  );
}

/** The hosts that webhooks may be on. Throws `argument-invalid` for any other text. */
function readWebhookHosts(args: Arguments): readonly string[] {
  const hosts = args.list("webhooks");
  const wrong = hosts.find((host) => readAllowedHost(host) === null);
  if (wrong === undefined) return hosts;
  throw createArgumentError(
    "backend",
    `--webhooks takes hosts such as hooks.example.com, host:port or .suffix, not "${wrong}"`,
  );
}

/** Returns the address without the slash at its end, or null for none. */
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
