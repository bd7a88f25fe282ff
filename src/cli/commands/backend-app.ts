import { groupOf } from "../command/group.ts";
import type { Command } from "../command/command.ts";
import { registerApp, listApps, revokeApp, tieApp } from "../../backend/chat/agents/apps.ts";
import {
  createArgumentError,
  requireOnlyPositional,
  formatOption,
  readFormat,
  readLabel,
} from "../command/arguments.ts";
import { chatOptionsOf, runForApp } from "../backend/chat-access.ts";
import {
  findDatabase,
  databaseOptions,
  withDatabase,
  openOrCreate,
} from "../backend/database-option.ts";
import { SHOWN_ONCE } from "../backend/new-key.ts";
import { dayOf, printList, formatLabelled } from "../backend/print-list.ts";

const backendAppRevokeCommand: Command = {
  name: "backend app revoke",
  usage: "APP [--database ADDRESS] [--config FILE]",
  options: [...databaseOptions],
  positionals: 1,
  async run(args, terminal) {
    const app = requireOnlyPositional(
      args,
      "give the app's id or name; afterword backend app list shows them",
    );
    const revoke: Parameters<typeof runForApp>[2] = async (options, { id, name: label }) => {
      await revokeApp(options, id);
      terminal.out(`revoked ${label} (${id})\n`);
      return 0;
    };
    return runForApp(args, terminal, revoke, app);
  },
};

const backendAppTieCommand: Command = {
  name: "backend app tie",
  usage: "APP PROJECT|--none [--database ADDRESS] [--config FILE]",
  options: [
    { name: "none", help: "to no project, so that agents read no tickets" },
    ...databaseOptions,
  ],
  positionals: 2,
  async run(args, terminal) {
    const [app, given] = args.positionals;
    const none = args.has("none");
    if (app === undefined || none === (given !== undefined)) {
      throw createArgumentError(
        args.command,
        "give the app's id or name, then its project or --none",
      );
    }
    const project = given === undefined ? null : readLabel(args, "the project", given);
    const tie: Parameters<typeof runForApp>[2] = async (options, { id, name: label }) => {
      const known = await tieApp(options, id, project);
      terminal.out(`tied ${label} (${id}) to ${project ?? "no project"}\n`);
      if (!known) terminal.error(`${project} has neither a key nor a ticket here. Is it right?\n`);
      return 0;
    };
    return runForApp(args, terminal, tie, app);
  },
};

const backendAppListCommand: Command = {
  name: "backend app list",
  usage: "[--format text|json] [--database ADDRESS] [--config FILE]",
  options: [formatOption, ...databaseOptions],
  async run(args, terminal) {
    const format = readFormat(args);
    const listed = await withDatabase(findDatabase(args, terminal), (database) =>
      listApps({ database }),
    );
    const apps = listed.map((app) => ({
      name: app.name,
      appId: app.id,
      project: app.project,
      created: timeOf(app.created),
      revoked: app.revoked === null ? null : timeOf(app.revoked),
    }));
    printList(terminal, format, {
      items: apps,
      empty: "no apps; afterword backend app add NAME makes one",
      heading: ["NAME", "APP ID", "PROJECT", "CREATED", "REVOKED"],
      row: ({ name, appId, project, created, revoked }) => [
        name,
        appId,
        project ?? "-",
        dayOf(created),
        dayOf(revoked),
      ],
    });
    return 0;
  },
};

function timeOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}

const backendAppAddCommand: Command = {
  name: "backend app add",
  usage: "NAME [--format text|json] [--database ADDRESS] [--config FILE]",
  options: [formatOption, ...databaseOptions],
  positionals: 1,
  async run(args, terminal) {
    const format = readFormat(args);
    const given = requireOnlyPositional(args, "give the app a name that says what it is for");
    const label = readLabel(args, "the name", given);
    const database = await openOrCreate(args, terminal);
    try {
      const { appId, secret } = await registerApp(chatOptionsOf(database), label);
      terminal.out(
        format === "json"
          ? `${JSON.stringify({ name: label, appId, secret }, null, 2)}\n`
          : formatLabelled([
              ["name", label],
              ["App ID", appId],
              ["secret", secret],
            ]),
      );
    } finally {
      await database.close();
    }
    terminal.error(SHOWN_ONCE);
    return 0;
  },
};

export const backendAppCommand: Command = groupOf("backend app", {
  add: {
    summary:
      "Registers an app of the live chat, and shows its id and secret once: the database stores only a digest.",
    load: async () => backendAppAddCommand,
  },
  list: {
    summary: "Lists the apps of the live chat, without their secrets, which are not stored.",
    load: async () => backendAppListCommand,
  },
  tie: {
    summary:
      "Ties an app to the project whose tickets its agents may read, if they have the right TICKET_VIEW.",
    load: async () => backendAppTieCommand,
  },
  revoke: {
    summary:
      "Revokes an app's id and secret, and the tokens of its users and agents, within a second. Its data stays.",
    load: async () => backendAppRevokeCommand,
  },
});
