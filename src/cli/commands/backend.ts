import type { Command, ListedCommand } from "../command/command.ts";
import { databaseOption } from "../backend/database-option.ts";
import { serviceOptions } from "../backend/service-options.ts";

/** The parts after `afterword backend`. */
export const BACKEND_PARTS: ReadonlyMap<string, ListedCommand> = new Map(
  Object.entries({
    init: {
      summary:
        "Writes a commented content file and the engine's texts, makes the database and a first key. Never overwrites.",
      load: async () => (await import("./backend-init.ts")).backendInitCommand,
    },
    key: {
      summary: "Makes, lists and revokes the API keys that open the backend.",
      load: async () => (await import("./backend-key.ts")).backendKeyCommand,
    },
    app: {
      summary:
        "Makes, lists, ties and revokes the apps of the live chat: an integration's id and secret.",
      load: async () => (await import("./backend-app.ts")).backendAppCommand,
    },
    agent: {
      summary: "Adds, lists and revokes agents of the live chat.",
      load: async () => (await import("./backend-agent.ts")).backendAgentCommand,
    },
    room: {
      summary: "Adds, lists and revokes rooms of the live chat.",
      load: async () => (await import("./backend-room.ts")).backendRoomCommand,
    },
    import: {
      summary:
        "Imports a sheet of questions and answers or another bot: its contents become files in the content directory. Stores CSV and JSON in Afterword's own form in the backend's database. Imports all of it, or nothing if it has a mistake.",
      load: async () => (await import("./backend-import.ts")).backendImportCommand,
    },
    test: {
      summary:
        "Asks questions of which you know the answer, shows what would be answered, and proposes a threshold.",
      load: async () => (await import("./backend-questions.ts")).backendTestCommand,
    },
    explain: {
      summary:
        "Shows which content a question finds, its score, and which words speak for and against it.",
      load: async () => (await import("./backend-questions.ts")).backendExplainCommand,
    },
    report: {
      summary:
        "Counts what readers did: events, sessions, clicks and ratings of the chatbot and of knowledge, per day, type or content.",
      load: async () => (await import("./backend-report.ts")).backendReportCommand,
    },
    backup: {
      summary:
        "Copies the database into a new file (mode 0600), while the backend runs and writes. Never overwrites.",
      load: async () => (await import("./backend-backup.ts")).backendBackupCommand,
    },
    restore: {
      summary:
        "Replaces the database with a backup. The database must not be in use, and is kept beside it.",
      load: async () => (await import("./backend-restore.ts")).backendRestoreCommand,
    },
    migrate: {
      summary:
        "Brings the database up to this release now, instead of at the next start: all steps, or none.",
      load: async () => (await import("./backend-migrate.ts")).backendMigrateCommand,
    },
    erase: {
      summary:
        "Erases one person's data from every store, all of it or nothing, and says what was there.",
      load: async () => (await import("./backend-erase.ts")).backendEraseCommand,
    },
  }),
);

export const backendCommand: Command = {
  name: "backend",
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
      help: "configuration whose backend.mail sends and reads the e-mail of tickets (default: no e-mail)",
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
