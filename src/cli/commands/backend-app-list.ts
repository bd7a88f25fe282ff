import { listApps } from "../../backend/chat/apps.ts";
import { readArguments } from "../arguments.ts";
import { databaseOf, databaseOption, withDatabase } from "../backend/database-option.ts";
import { dayOf, printList } from "../backend/print-list.ts";
import type { Command } from "../command.ts";
import { formatOption, readFormat } from "../text-or-json.ts";

const name = "backend app list";

export const backendAppListCommand: Command = {
  name,
  summary: "Lists the apps of the live chat: no secret is shown, for nobody knows it any more.",
  usage: "[--format text|json] [--database ADDRESS]",
  options: [formatOption, databaseOption],
  async run(argv, terminal) {
    const args = readArguments(name, argv, this.options, 0);
    const format = readFormat(name, args);
    const listed = await withDatabase(databaseOf(args), (database) => listApps({ database }));
    const apps = listed.map((app) => ({
      name: app.name,
      appId: app.id,
      created: timeOf(app.created),
      revoked: app.revoked === null ? null : timeOf(app.revoked),
    }));
    printList(terminal, format, {
      items: apps,
      empty: "no apps; afterword backend app add NAME makes one",
      heading: ["NAME", "APP ID", "CREATED", "REVOKED"],
      row: ({ name, appId, created, revoked }) => [name, appId, dayOf(created), dayOf(revoked)],
    });
    return 0;
  },
};

function timeOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
