import { createAgent } from "../../backend/chat/agents.ts";
import { parseBy } from "../../backend/handling.ts";
import { Refusal } from "../../backend/refusal.ts";
import { newAgent } from "../../api/chat/schema.ts";
import type { NewChatAgent } from "../../api/chat/types.ts";
import { readArguments } from "../arguments.ts";
import { appOption, forApp } from "../backend/chat-access.ts";
import { databaseOption } from "../backend/database-option.ts";
import { labelled } from "../backend/labelled.ts";
import { readLabel } from "../backend/read-label.ts";
import type { Command } from "../command.ts";
import { onlyPositional } from "../only-positional.ts";
import { formatOption, readFormat } from "../text-or-json.ts";
import { unusable } from "../unusable.ts";

const name = "backend agent add";

export const backendAgentAddCommand: Command = {
  name,
  summary:
    "Adds an agent of the live chat, and shows the password once. The agent is online from the first login on.",
  usage:
    "LOGIN [--app APP] [--name NAME] [--nickname NAME] [--room ROOM]… [--language L]… [--slots N] [--no-edit] [--format text|json]",
  options: [
    appOption,
    { name: "name", value: "NAME", help: "the agent's name (default: the login)" },
    { name: "nickname", value: "NAME", help: "what users see in the place of the name" },
    {
      name: "room",
      value: "ROOM",
      help: "id of a room, which is made where there is none; may be given several times",
      many: true,
    },
    {
      name: "language",
      value: "L",
      help: "language of the agent (default: every one); may be given several times",
      many: true,
    },
    { name: "slots", value: "N", help: "chats at once, 0 to 1000 (default: 3)" },
    { name: "no-edit", help: "without the right CHAT_EDIT_USER_INFO to change users' data" },
    formatOption,
    databaseOption,
  ],
  async run(argv, terminal) {
    const args = readArguments(name, argv, this.options, 1);
    const format = readFormat(name, args);
    const given = onlyPositional(name, args, "name the agent by what is signed in with");
    const login = readLabel(name, "the login", given);
    const nickname = args.one("nickname");
    const slots = args.one("slots");
    const wanted = readAgent({
      login,
      name: readLabel(name, "--name", args.one("name") ?? login),
      rooms: args.all("room").map((room) => readLabel(name, "--room", room)),
      languages: args.all("language"),
      ...(nickname !== null && { nickname: readLabel(name, "--nickname", nickname) }),
      ...(slots !== null && { slots }),
      rights: { CHAT_EDIT_USER_INFO: !args.has("no-edit") },
    });
    return forApp(name, args, terminal, async (options, app) => {
      const { agent, password = "" } = await createAgent(options, app.id, wanted).catch(
        (error: unknown) => {
          if (!(error instanceof Refusal) || error.status !== 409) throw error;
          throw unusable(name, `there is an agent with the login "${login}" already`);
        },
      );
      terminal.out(
        format === "json"
          ? `${JSON.stringify({ appId: app.id, ...agent, password }, null, 2)}\n`
          : labelled([
              ["app", `${app.name} (${app.id})`],
              ["agent", agent.id],
              ["login", agent.login],
              ["password", password],
              ["rooms", agent.rooms.join(", ") || "none"],
              ["languages", agent.languages.join(", ") || "every one"],
              ["slots", String(agent.slots)],
            ]),
      );
      terminal.error(shownOnce);
      return 0;
    });
  },
};

/** By the schema of `POST /agents`, with its fields named as the options are. */
function readAgent(given: object): NewChatAgent {
  try {
    return parseBy(newAgent, given);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const said = error.message.replace(/^(\w+)(?:\.\d+)?:/, (field, word: string) => {
      const option = { languages: "--language", rooms: "--room", slots: "--slots" }[word];
      return option ?? field;
    });
    throw unusable(name, said);
  }
}

const shownOnce =
  "The password is shown this once: the database keeps what it can be checked against, and no more.\n";
