import { listAgents } from "../../backend/chat/agents.ts";
import { listRooms } from "../../backend/chat/rooms.ts";
import { readArguments } from "../arguments.ts";
import { appOption, forApp } from "../backend/chat-access.ts";
import { databaseOption } from "../backend/database-option.ts";
import { printList } from "../backend/print-list.ts";
import type { Command } from "../command.ts";
import { formatOption, readFormat } from "../text-or-json.ts";

const name = "backend room list";

export const backendRoomListCommand: Command = {
  name,
  summary: "Lists the rooms of the live chat, with the agents of each and how many are online.",
  usage: "[--app APP] [--format text|json] [--database ADDRESS]",
  options: [appOption, formatOption, databaseOption],
  async run(argv, terminal) {
    const args = readArguments(name, argv, this.options, 0);
    const format = readFormat(name, args);
    return forApp(name, args, terminal, async ({ database }, app) => {
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
