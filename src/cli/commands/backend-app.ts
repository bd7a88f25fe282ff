import { groupOf } from "../backend/group.ts";
import type { Command } from "../command.ts";

export const backendAppCommand: Command = groupOf(
  "backend app",
  "Makes, lists and revokes the apps of the live chat: an integration's id and secret.",
  new Map([
    ["add", async () => (await import("./backend-app-add.ts")).backendAppAddCommand],
    ["list", async () => (await import("./backend-app-list.ts")).backendAppListCommand],
    ["revoke", async () => (await import("./backend-app-revoke.ts")).backendAppRevokeCommand],
  ]),
);
