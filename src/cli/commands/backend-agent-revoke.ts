import { listAgents, loginKey } from "../../backend/chat/agents.ts";
import { revokeAgent } from "../../backend/chat/revoke-agent.ts";
import { readArguments } from "../arguments.ts";
import { appOption, forApp } from "../backend/chat-access.ts";
import { databaseOption } from "../backend/database-option.ts";
import type { Command } from "../command.ts";
import { onlyPositional } from "../only-positional.ts";

const name = "backend agent revoke";

export const backendAgentRevokeCommand: Command = {
  name,
  summary:
    "Takes an agent's login away at once, passes invitations on, and looks for others for the agent's chats. The name stays in histories.",
  usage: "LOGIN [--app APP] [--database ADDRESS]",
  options: [appOption, databaseOption],
  async run(argv, terminal) {
    const args = readArguments(name, argv, this.options, 1);
    const login = onlyPositional(
      name,
      args,
      "name the agent's login; afterword backend agent list shows them",
    );
    return forApp(name, args, terminal, async (options, app) => {
      const agents = await listAgents(options.database.kysely, app.id);
      const agent =
        agents.find((one) => one.login === loginKey(login)) ??
        agents.find(({ id }) => id === login.trim());
      if (agent === undefined) {
        terminal.error(
          `afterword ${name}: there is no agent "${login}"; afterword backend agent list shows all\n`,
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
