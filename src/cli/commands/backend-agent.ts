import { groupOf } from "../backend/group.ts";
import type { Command } from "../command.ts";

export const backendAgentCommand: Command = groupOf(
  "backend agent",
  "Adds, lists and revokes agents of the live chat.",
  new Map([
    ["add", async () => (await import("./backend-agent-add.ts")).backendAgentAddCommand],
    ["list", async () => (await import("./backend-agent-list.ts")).backendAgentListCommand],
    ["revoke", async () => (await import("./backend-agent-revoke.ts")).backendAgentRevokeCommand],
  ]),
);
