import { listAgents } from "../../backend/chat/agents.ts";
import { listRooms } from "../../backend/chat/rooms.ts";
import { readArguments, readChoice } from "../arguments.ts";
import { appOption, forApp } from "../backend/chat-access.ts";
import { databaseOption } from "../backend/database-option.ts";
import { tableOf } from "../backend/table.ts";
import type { Command } from "../command.ts";

const name = "backend room list";

export const backendRoomListCommand: Command = {
  name,
  summary: "Lists the rooms of the live chat, with the agents of each and how many are online.",
  usage: "[--app APP] [--format text|json] [--database ADDRESS]",
  options: [
    appOption,
    { name: "format", value: "F", help: "text (default) or json" },
    databaseOption,
  ],
  async run(argv, terminal) {
    const args = readArguments(name, argv, this.options, 0);
    const format = readChoice(name, "format", args.one("format"), ["text", "json"]);
    return forApp(name, args, terminal, async ({ database }, app) => {
      const agents = await listAgents(database.kysely, app.id);
      const rooms = (await listRooms(database.kysely, app.id)).map((room) => {
        const there = agents.filter((agent) => agent.rooms.includes(room.id));
        const online = there.filter((agent) => agent.online).length;
        return { ...room, agents: there.length, online };
      });
      if (format === "json") terminal.out(`${JSON.stringify(rooms, null, 2)}\n`);
      else if (rooms.length === 0) {
        terminal.out("no rooms; afterword backend room add ID adds one\n");
      } else {
        const rows = rooms.map((room) => [
          room.id,
          room.name,
          String(room.agents),
          String(room.online),
        ]);
        terminal.out(tableOf(["ID", "NAME", "AGENTS", "ONLINE"], rows, terminal.columns));
      }
      return 0;
    });
  },
};
