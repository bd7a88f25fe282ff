import { listAgents } from "../../backend/chat/agents.ts";
import { readArguments } from "../arguments.ts";
import { appOption, forApp } from "../backend/chat-access.ts";
import { databaseOption } from "../backend/database-option.ts";
import { printList } from "../backend/print-list.ts";
import type { Command } from "../command.ts";
import { formatOption, readFormat } from "../text-or-json.ts";

const name = "backend agent list";

export const backendAgentListCommand: Command = {
  name,
  summary: "Lists the agents of the live chat, and which of them are online.",
  usage: "[--app APP] [--format text|json] [--database ADDRESS]",
  options: [appOption, formatOption, databaseOption],
  async run(argv, terminal) {
    const args = readArguments(name, argv, this.options, 0);
    const format = readFormat(name, args);
    return forApp(name, args, terminal, async ({ database }, { id }) => {
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
