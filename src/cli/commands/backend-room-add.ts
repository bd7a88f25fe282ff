import { listRooms, saveRoom } from "../../backend/chat/rooms.ts";
import { newRoom } from "../../api/chat/schema.ts";
import { ASSIGN_RULES } from "../../api/chat/states.ts";
import { readArguments } from "../arguments.ts";
import { appOption, forApp } from "../backend/chat-access.ts";
import { databaseOption } from "../backend/database-option.ts";
import { readLabel } from "../backend/read-label.ts";
import type { Command } from "../command.ts";
import { onlyPositional } from "../only-positional.ts";
import { formatOption, readFormat } from "../text-or-json.ts";
import { unusable } from "../unusable.ts";

const name = "backend room add";

export const backendRoomAddCommand: Command = {
  name,
  summary: "Adds a room of the live chat, or changes its name or how agents are chosen in it.",
  usage: "ID [--name NAME] [--assign RULE] [--app APP] [--format text|json] [--database ADDRESS]",
  options: [
    { name: "name", value: "NAME", help: "what the room is called (default: its id)" },
    {
      name: "assign",
      value: "RULE",
      help: `who is invited among the free agents: ${ASSIGN_RULES.join(", ")} (default: ${ASSIGN_RULES[0]})`,
    },
    appOption,
    formatOption,
    databaseOption,
  ],
  async run(argv, terminal) {
    const args = readArguments(name, argv, this.options, 1);
    const format = readFormat(name, args);
    const given = onlyPositional(name, args, "give the room's id, such as 1 or sales");
    const id = readLabel(name, "the id", given);
    const label = args.one("name");
    const rule = args.one("assign");
    const wanted = newRoom.safeParse({
      id,
      ...(label !== null && { name: readLabel(name, "--name", label) }),
      ...(rule !== null && { assign: rule }),
    });
    if (!wanted.success) {
      const [issue] = wanted.error.issues;
      const what = issue?.path[0] === "assign" ? "--assign" : "the id";
      throw unusable(name, `${what} ${issue?.message ?? ""}`);
    }
    return forApp(name, args, terminal, async ({ database }, app) => {
      const before = await listRooms(database.kysely, app.id);
      const room = await saveRoom(database.kysely, app.id, wanted.data);
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
