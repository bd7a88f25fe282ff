import { revokeRoom } from "../../backend/chat/revoke-room.ts";
import { readArguments } from "../arguments.ts";
import { appOption, forApp } from "../backend/chat-access.ts";
import { databaseOption } from "../backend/database-option.ts";
import type { Command } from "../command.ts";
import { onlyPositional } from "../only-positional.ts";

const name = "backend room revoke";

export const backendRoomRevokeCommand: Command = {
  name,
  summary:
    "Removes a room of the live chat, and its agents from it. A room with chats that are not closed stays.",
  usage: "ID [--app APP] [--database ADDRESS]",
  options: [appOption, databaseOption],
  async run(argv, terminal) {
    const args = readArguments(name, argv, this.options, 1);
    const given = onlyPositional(
      name,
      args,
      "give the room's id; afterword backend room list shows them",
    );
    const id = given.trim();
    return forApp(name, args, terminal, async (options, app) => {
      const outcome = await revokeRoom(options, app.id, id);
      if (outcome === "revoked") {
        terminal.out(`revoked room ${id}\n`);
        return 0;
      }
      const why =
        outcome === "unknown"
          ? `there is no room "${id}"; afterword backend room list shows all`
          : `room ${id} has ${outcome.openChats} open chats, and stays: close them first, or wait until they are closed for inactivity`;
      terminal.error(`afterword ${name}: ${why}\n`);
      return 1;
    });
  },
};
