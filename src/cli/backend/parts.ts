import type { Command } from "../command.ts";

/** What follows `afterword backend`. Loaded only when asked for. */
export const BACKEND_PARTS: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ["init", async () => (await import("../commands/backend-init.ts")).backendInitCommand],
  ["key", async () => (await import("../commands/backend-key.ts")).backendKeyCommand],
  ["app", async () => (await import("../commands/backend-app.ts")).backendAppCommand],
  ["agent", async () => (await import("../commands/backend-agent.ts")).backendAgentCommand],
  ["room", async () => (await import("../commands/backend-room.ts")).backendRoomCommand],
  ["import", async () => (await import("../commands/backend-import.ts")).backendImportCommand],
  ["report", async () => (await import("../commands/backend-report.ts")).backendReportCommand],
  ["backup", async () => (await import("../commands/backend-backup.ts")).backendBackupCommand],
  ["restore", async () => (await import("../commands/backend-restore.ts")).backendRestoreCommand],
  ["migrate", async () => (await import("../commands/backend-migrate.ts")).backendMigrateCommand],
  ["erase", async () => (await import("../commands/backend-erase.ts")).backendEraseCommand],
]);
