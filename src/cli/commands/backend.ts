import type { Command } from "../command/command.ts";
import { databaseOption } from "../backend/database-option.ts";
import { serviceOptions } from "../backend/service-options.ts";

/** The parts after `afterword backend`. Loaded only when asked for. */
export const BACKEND_PARTS: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ["init", async () => (await import("./backend-init.ts")).backendInitCommand],
  ["key", async () => (await import("./backend-key.ts")).backendKeyCommand],
  ["app", async () => (await import("./backend-app.ts")).backendAppCommand],
  ["agent", async () => (await import("./backend-agent.ts")).backendAgentCommand],
  ["room", async () => (await import("./backend-room.ts")).backendRoomCommand],
  ["import", async () => (await import("./backend-import.ts")).backendImportCommand],
  ["test", async () => (await import("./backend-questions.ts")).backendTestCommand],
  ["explain", async () => (await import("./backend-questions.ts")).backendExplainCommand],
  ["report", async () => (await import("./backend-report.ts")).backendReportCommand],
  ["backup", async () => (await import("./backend-backup.ts")).backendBackupCommand],
  ["restore", async () => (await import("./backend-restore.ts")).backendRestoreCommand],
  ["migrate", async () => (await import("./backend-migrate.ts")).backendMigrateCommand],
  ["erase", async () => (await import("./backend-erase.ts")).backendEraseCommand],
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
  // Most parts need little of what the server needs, and start in half the time without it.
  run: async (args, terminal) =>
    (await import("../backend/run-backend.ts")).runBackend(args, terminal),
};
