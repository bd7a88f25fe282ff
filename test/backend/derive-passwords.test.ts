import { expect, it, onTestFinished } from "vitest";
import { deriveInThread } from "../../src/backend/chat/agents/derive-passwords.ts";

it("a login is checked in another thread when the thread that derives passwords breaks", async () => {
  const { derive, close } = deriveInThread();
  onTestFinished(close);
  // No number of rounds: the thread throws.
  await expect(derive("password", "salt", -1)).rejects.toThrow(/thread that derives/);
  expect(await derive("password", "salt", 1)).toHaveLength(32);
});
