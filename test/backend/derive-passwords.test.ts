import { expect, it } from "vitest";
import { deriveInThread } from "../../src/backend/chat/agents/derive-passwords.ts";

it("a login is checked in another thread when the thread that derives passwords breaks", async () => {
  // No number of rounds: the thread throws.
  await expect(deriveInThread("password", "salt", -1)).rejects.toThrow(/thread that derives/);
  expect(await deriveInThread("password", "salt", 1)).toHaveLength(32);
});
