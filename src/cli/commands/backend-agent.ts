import { groupOf } from "../command/group.ts";
import { listRooms } from "../../backend/chat/agents/rooms.ts";
import type { Command } from "../command/command.ts";
import {
  createAgent,
  listAgents,
  toLoginKey,
  revokeAgent,
} from "../../backend/chat/agents/agents.ts";
import { parseBy } from "../../backend/auth/handling.ts";
import { Refusal } from "../../backend/http/refusal.ts";
import { newAgent } from "../../api/chat/schema-agents.ts";
import type { NewChatAgent } from "../../api/chat/schema-agents.ts";
import {
  createArgumentError,
  requireOnlyPositional,
  formatOption,
  readFormat,
  readLabel,
} from "../command/arguments.ts";
import { appOption, runForApp } from "../backend/chat-access.ts";
import { databaseOptions } from "../backend/database-option.ts";
import { printList, formatLabelled } from "../backend/print-list.ts";

const backendAgentRevokeCommand: Command = {
  name: "backend agent revoke",
  usage: "LOGIN [--app APP] [--database ADDRESS] [--config FILE]",
  options: [appOption, ...databaseOptions],
  positionals: 1,
  async run(args, terminal) {
    const login = requireOnlyPositional(
      args,
      "name the agent's login; afterword backend agent list shows them",
    );
    return runForApp(args, terminal, async (options, app) => {
      const agents = await listAgents(options.database.kysely, app.id);
      const agent =
        agents.find((one) => one.login === toLoginKey(login)) ??
        agents.find(({ id }) => id === login.trim());
      if (agent === undefined) {
        terminal.error(
          `afterword ${args.command}: there is no agent "${login}"; afterword backend agent list shows all\n`,
        );
        return 1;
      }
      const chats = await revokeAgent(options, app.id, agent.id);
      const passedOn = chats === 0 ? "" : `, open chats that were passed on: ${chats}`;
      terminal.out(`revoked ${agent.login}${passedOn}\n`);
      return 0;
    });
  },
};

const backendAgentListCommand: Command = {
  name: "backend agent list",
  usage: "[--app APP] [--format text|json] [--database ADDRESS] [--config FILE]",
  options: [appOption, formatOption, ...databaseOptions],
  async run(args, terminal) {
    const format = readFormat(args);
    return runForApp(args, terminal, async ({ database }, { id }) => {
      printList(terminal, format, {
        items: await listAgents(database.kysely, id),
        empty: "no agents; afterword backend agent add LOGIN adds one",
        heading: ["LOGIN", "NAME", "ROOMS", "LANGUAGES", "CHATS", "ONLINE"],
        row: (agent) => [
          agent.login,
          agent.name,
          agent.rooms.join(" ") || "-",
          agent.languages.join(" ") || "every one",
          `${agent.load} of ${agent.slots}`,
          agent.online ? "yes" : "-",
        ],
      });
      return 0;
    });
  },
};

const backendAgentAddCommand: Command = {
  name: "backend agent add",
  usage:
    "LOGIN [--app APP] [--name NAME] [--nickname NAME] [--room ROOM]… [--language L]… [--slots N] [--no-edit] [--tickets] [--edit-tickets] [--queue N]… [--supervise] [--format text|json]",
  options: [
    appOption,
    { name: "name", value: "NAME", help: "the agent's name (default: the login)" },
    { name: "nickname", value: "NAME", help: "shown to users instead of the name" },
    {
      name: "room",
      value: "ROOM",
      help: "id of a room, which is created if it is missing; may be given several times",
      many: true,
    },
    {
      name: "language",
      value: "L",
      help: "language of the agent (default: all); may be given several times",
      many: true,
    },
    { name: "slots", value: "N", help: "chats at once, 0 to 1000 (default: 3)" },
    { name: "no-edit", help: "without the right CHAT_EDIT_USER_INFO to change users' data" },
    {
      name: "tickets",
      help: "with the right TICKET_VIEW to read the tickets of the app's project",
    },
    {
      name: "edit-tickets",
      help: "with the rights TICKET_VIEW and TICKET_EDIT to read and answer them",
    },
    {
      name: "queue",
      value: "N",
      help: "number of a ticket queue that these rights cover (default: all); may be given several times",
      many: true,
    },
    { name: "supervise", help: "with the right SUPERVISE to see tickets of every queue" },
    formatOption,
    ...databaseOptions,
  ],
  positionals: 1,
  async run(args, terminal) {
    const format = readFormat(args);
    const given = requireOnlyPositional(args, "name the agent's login");
    const login = readLabel(args, "the login", given);
    const nickname = args.one("nickname");
    const slots = args.one("slots");
    const fields = readAgent({
      login,
      name: readLabel(args, "--name", args.one("name") ?? login),
      rooms: args.all("room").map((room) => readLabel(args, "--room", room)),
      languages: args.all("language"),
      ...(nickname !== null && { nickname: readLabel(args, "--nickname", nickname) }),
      ...(slots !== null && { slots }),
      rights: {
        CHAT_EDIT_USER_INFO: !args.has("no-edit"),
        TICKET_VIEW: args.has("tickets") || args.has("edit-tickets"),
        TICKET_EDIT: args.has("edit-tickets"),
        SUPERVISE: args.has("supervise"),
      },
      queues: { TICKET_VIEW: args.all("queue"), TICKET_EDIT: args.all("queue") },
    });
    return runForApp(args, terminal, async (options, app) => {
      const rooms = await listRooms(options.database.kysely, app.id);
      const { agent, password = "" } = await createAgent(options, app.id, fields).catch(
        (error: unknown) => {
          if (!(error instanceof Refusal) || error.status !== 409) throw error;
          throw createArgumentError(
            args.command,
            `there is an agent with the login "${login}" already`,
          );
        },
      );
      terminal.out(
        format === "json"
          ? `${JSON.stringify({ appId: app.id, ...agent, password }, null, 2)}\n`
          : formatLabelled([
              ["app", `${app.name} (${app.id})`],
              ["agent", agent.id],
              ["login", agent.login],
              ["password", password],
              ["rooms", agent.rooms.join(", ") || "none"],
              ["languages", agent.languages.join(", ") || "every one"],
              ["slots", String(agent.slots)],
            ]),
      );
      for (const room of agent.rooms) {
        if (rooms.some(({ id }) => id === room)) continue;
        terminal.error(`created room ${room} of ${app.name}: there was none with this id\n`);
      }
      terminal.error(shownOnce);
      return 0;
    });
  },
};

/** Reads an agent by the schema of `POST /agents`. Its errors name options instead of fields. */
function readAgent(given: object): NewChatAgent {
  try {
    return parseBy(newAgent, given);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const message = error.message.replace(/^(\w+)(?:\.\w+)*:/, (field, word: string) => {
      const option = {
        languages: "--language",
        rooms: "--room",
        slots: "--slots",
        queues: "--queue",
      }[word];
      return option ?? field;
    });
    throw createArgumentError("backend agent add", message);
  }
}

const shownOnce =
  "The password is shown only once: the database stores no more than a hash of it.\n";

export const backendAgentCommand: Command = groupOf("backend agent", {
  add: {
    summary:
      "Adds an agent of the live chat, and shows the password once. The agent is online after the first login.",
    load: async () => backendAgentAddCommand,
  },
  list: {
    summary: "Lists the agents of the live chat, and which of them are online.",
    load: async () => backendAgentListCommand,
  },
  revoke: {
    summary:
      "Revokes an agent's login at once, and passes invitations and open chats on to other agents. The name stays in histories.",
    load: async () => backendAgentRevokeCommand,
  },
});
