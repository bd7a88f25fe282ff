import type { Command } from "../command.ts";
import { unusable } from "../backend/unusable.ts";

const name = "backend key";

export const backendKeyCommand: Command = {
  name,
  summary: "Makes, lists and revokes the API keys that open the backend.",
  usage: "add|list|revoke",
  options: [],
  parts: new Map([
    ["add", async () => (await import("./backend-key-add.ts")).backendKeyAddCommand],
    ["list", async () => (await import("./backend-key-list.ts")).backendKeyListCommand],
    ["revoke", async () => (await import("./backend-key-revoke.ts")).backendKeyRevokeCommand],
  ]),
  async run([given]) {
    throw unusable(
      name,
      given === undefined ? "say add, list or revoke" : `say add, list or revoke, not "${given}"`,
    );
  },
};
