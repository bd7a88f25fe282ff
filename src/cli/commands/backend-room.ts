import { groupOf } from "../backend/group.ts";
import type { Command } from "../command.ts";

export const backendRoomCommand: Command = groupOf(
  "backend room",
  "Adds, lists and revokes rooms of the live chat.",
  new Map([
    ["add", async () => (await import("./backend-room-add.ts")).backendRoomAddCommand],
    ["list", async () => (await import("./backend-room-list.ts")).backendRoomListCommand],
    ["revoke", async () => (await import("./backend-room-revoke.ts")).backendRoomRevokeCommand],
  ]),
);
