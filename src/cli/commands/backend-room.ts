import { groupOf } from "../command/group.ts";
import type { Command } from "../command/command.ts";
import { listRooms, saveRoom } from "../../backend/chat/agents/rooms.ts";
import { newRoom } from "../../api/chat/schema.ts";
import { ASSIGN_RULES } from "../../api/chat/states.ts";
import {
  createArgumentError,
  requireOnlyPositional,
  formatOption,
  readFormat,
  readLabel,
} from "../command/arguments.ts";
import { appOption, runForApp } from "../backend/chat-access.ts";
import { databaseOptions } from "../backend/database-option.ts";
import { listAgents } from "../../backend/chat/agents/agents.ts";
import { printList } from "../backend/print-list.ts";
import { revokeRoom } from "../../backend/chat/agents/revoke-room.ts";

const backendRoomRevokeCommand: Command = {
  name: "backend room revoke",
  usage: "ID [--app APP] [--database ADDRESS] [--config FILE]",
  options: [appOption, ...databaseOptions],
  positionals: 1,
  async run(args, terminal) {
    const given = requireOnlyPositional(
      args,
      "give the room's id; afterword backend room list shows them",
    );
    const id = given.trim();
    return runForApp(args, terminal, async (options, app) => {
      const outcome = await revokeRoom(options, app.id, id);
      if (outcome === "revoked") {
        terminal.out(`revoked room ${id}\n`);
        return 0;
      }
      const why =
        outcome === "unknown"
          ? `there is no room "${id}"; afterword backend room list shows all`
          : `room ${id} has ${outcome.openChats} open chats, and stays: close them first, or wait until they are closed for inactivity`;
      terminal.error(`afterword ${args.command}: ${why}\n`);
      return 1;
    });
  },
};

const backendRoomListCommand: Command = {
  name: "backend room list",
  usage: "[--app APP] [--format text|json] [--database ADDRESS] [--config FILE]",
  options: [appOption, formatOption, ...databaseOptions],
  async run(args, terminal) {
    const format = readFormat(args);
    return runForApp(args, terminal, async ({ database }, app) => {
      const agents = await listAgents(database.kysely, app.id);
      const rooms = (await listRooms(database.kysely, app.id)).map((room) => {
        const there = agents.filter((agent) => agent.rooms.includes(room.id));
        const online = there.filter((agent) => agent.online).length;
        return { ...room, agents: there.length, online };
      });
      printList(terminal, format, {
        items: rooms,
        empty: "no rooms; afterword backend room add ID adds one",
        heading: ["ID", "NAME", "ASSIGN", "AGENTS", "ONLINE"],
        row: ({ id, name, assign, agents, online }) => [
          id,
          name,
          assign,
          String(agents),
          String(online),
        ],
      });
      return 0;
    });
  },
};

const backendRoomAddCommand: Command = {
  name: "backend room add",
  usage:
    "ID [--name NAME] [--assign RULE] [--app APP] [--format text|json] [--database ADDRESS] [--config FILE]",
  options: [
    { name: "name", value: "NAME", help: "name of the room (default: its id)" },
    {
      name: "assign",
      value: "RULE",
      help: `which free agent is invited: ${ASSIGN_RULES.join(", ")} (default: ${ASSIGN_RULES[0]})`,
    },
    appOption,
    formatOption,
    ...databaseOptions,
  ],
  positionals: 1,
  async run(args, terminal) {
    const format = readFormat(args);
    const given = requireOnlyPositional(args, "give the room's id, such as 1 or sales");
    const id = readLabel(args, "the id", given);
    const label = args.one("name");
    const rule = args.one("assign");
    const fields = newRoom.safeParse({
      id,
      ...(label !== null && { name: readLabel(args, "--name", label) }),
      ...(rule !== null && { assign: rule }),
    });
    if (!fields.success) {
      const [issue] = fields.error.issues;
      const what = issue?.path[0] === "assign" ? "--assign" : "the id";
      throw createArgumentError(args.command, `${what} ${issue?.message ?? ""}`);
    }
    return runForApp(args, terminal, async ({ database }, app) => {
      const before = await listRooms(database.kysely, app.id);
      const room = await saveRoom(database.kysely, app.id, fields.data);
      const done = before.some((one) => one.id === room.id) ? "changed" : "added";
      terminal.out(
        format === "json"
          ? `${JSON.stringify({ appId: app.id, ...room }, null, 2)}\n`
          : `${done} room ${room.id} (${room.name}) of ${app.name}\n`,
      );
      return 0;
    });
  },
};

export const backendRoomCommand: Command = groupOf("backend room", {
  add: {
    summary: "Adds a room of the live chat, or changes its name or how agents are chosen in it.",
    load: async () => backendRoomAddCommand,
  },
  list: {
    summary: "Lists the rooms of the live chat, with the agents of each and how many are online.",
    load: async () => backendRoomListCommand,
  },
  revoke: {
    summary:
      "Removes a room of the live chat, and its agents from it. A room with chats that are not closed stays.",
    load: async () => backendRoomRevokeCommand,
  },
});
