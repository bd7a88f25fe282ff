import { revokeApp } from "../../backend/chat/apps.ts";
import { readArguments } from "../arguments.ts";
import { forApp } from "../backend/chat-access.ts";
import { databaseOption } from "../backend/database-option.ts";
import type { Command } from "../command.ts";
import { onlyPositional } from "../only-positional.ts";

const name = "backend app revoke";

export const backendAppRevokeCommand: Command = {
  name,
  summary:
    "Makes an app's id and secret worthless, and the tokens of its users and agents, within a second. What it has stored stays.",
  usage: "APP [--database ADDRESS]",
  options: [databaseOption],
  async run(argv, terminal) {
    const args = readArguments(name, argv, this.options, 1);
    const app = onlyPositional(
      name,
      args,
      "give the app's id or name; afterword backend app list shows them",
    );
    const revoke: Parameters<typeof forApp>[3] = async (options, { id, name: label }) => {
      await revokeApp(options, id);
      terminal.out(`revoked ${label} (${id})\n`);
      return 0;
    };
    return forApp(name, args, terminal, revoke, app);
  },
};
