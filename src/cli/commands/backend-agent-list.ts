import { listAgents } from "../../backend/chat/agents.ts";
import { readArguments, readChoice } from "../arguments.ts";
import { appOption, forApp } from "../backend/chat-access.ts";
import { databaseOption } from "../backend/database-option.ts";
import { tableOf } from "../backend/table.ts";
import type { Command } from "../command.ts";

const name = "backend agent list";

export const backendAgentListCommand: Command = {
  name,
  summary: "Lists the agents of the live chat, and which of them are online.",
  usage: "[--app APP] [--format text|json] [--database ADDRESS]",
  options: [
    appOption,
    { name: "format", value: "F", help: "text (default) or json" },
    databaseOption,
  ],
  async run(argv, terminal) {
    const args = readArguments(name, argv, this.options, 0);
    const format = readChoice(name, "format", args.one("format"), ["text", "json"]);
    return forApp(name, args, terminal, async ({ database }, { id }) => {
      const agents = await listAgents(database.kysely, id);
      if (format === "json") terminal.out(`${JSON.stringify(agents, null, 2)}\n`);
      else if (agents.length === 0) {
        terminal.out("no agents; afterword backend agent add LOGIN adds one\n");
      } else {
        const rows = agents.map((agent) => [
          agent.login,
          agent.name,
          agent.rooms.join(" ") || "-",
          agent.languages.join(" ") || "every one",
          `${agent.load} of ${agent.slots}`,
          agent.online ? "yes" : "-",
        ]);
        const heading = ["LOGIN", "NAME", "ROOMS", "LANGUAGES", "CHATS", "ONLINE"];
        terminal.out(tableOf(heading, rows, terminal.columns));
      }
      return 0;
    });
  },
};
