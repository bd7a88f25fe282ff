import { listApps } from "../../backend/chat/apps.ts";
import { readArguments, readChoice } from "../arguments.ts";
import { databaseOf, databaseOption, withDatabase } from "../backend/database-option.ts";
import { tableOf } from "../backend/table.ts";
import type { Command } from "../command.ts";

const name = "backend app list";

export const backendAppListCommand: Command = {
  name,
  summary: "Lists the apps of the live chat: no secret is shown, for nobody knows it any more.",
  usage: "[--format text|json] [--database ADDRESS]",
  options: [{ name: "format", value: "F", help: "text (default) or json" }, databaseOption],
  async run(argv, terminal) {
    const args = readArguments(name, argv, this.options, 0);
    const format = readChoice(name, "format", args.one("format"), ["text", "json"]);
    const listed = await withDatabase(databaseOf(args), (database) => listApps({ database }));
    const apps = listed.map((app) => ({
      name: app.name,
      appId: app.id,
      created: timeOf(app.created),
      revoked: app.revoked === null ? null : timeOf(app.revoked),
    }));
    if (format === "json") terminal.out(`${JSON.stringify(apps, null, 2)}\n`);
    else if (apps.length === 0) terminal.out("no apps; afterword backend app add NAME makes one\n");
    else {
      const rows = apps.map((app) => [
        app.name,
        app.appId,
        dayOf(app.created),
        app.revoked === null ? "-" : dayOf(app.revoked),
      ]);
      terminal.out(tableOf(["NAME", "APP ID", "CREATED", "REVOKED"], rows, terminal.columns));
    }
    return 0;
  },
};

function timeOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}

function dayOf(time: string): string {
  return time.slice(0, 10);
}
