import { groupOf } from "../backend/group.ts";
import type { Command } from "../command.ts";

export const backendKeyCommand: Command = groupOf(
  "backend key",
  "Makes, lists and revokes the API keys that open the backend.",
  new Map([
    ["add", async () => (await import("./backend-key-add.ts")).backendKeyAddCommand],
    ["list", async () => (await import("./backend-key-list.ts")).backendKeyListCommand],
    ["revoke", async () => (await import("./backend-key-revoke.ts")).backendKeyRevokeCommand],
  ]),
);
