import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createLabelledTokens } from "../../../../src/runtime/node/credentials/admin-token.ts";
import { workspace } from "../../../config/workspace.ts";

async function eventsOf(text: string, mode: number): Promise<readonly string[]> {
  const file = join(await workspace({ tokens: text }), "tokens");
  await chmod(file, mode);
  const events: string[] = [];
  createLabelledTokens(
    { AFTERWORD_ADMIN_TOKENS_FILE: file },
    (_, event) => void events.push(event),
  );
  return events;
}

test("a file with plain tokens that others can read is warned of", async () => {
  const plain = "ana:view:ana-has-a-long-token\n";
  const hashed = `ana:view:sha256:${"0".repeat(64)}\n`;
  expect(await eventsOf(plain, 0o644)).toEqual(["admin-tokens-readable"]);
  expect(await eventsOf(plain, 0o600)).toEqual([]);
  expect(await eventsOf(hashed, 0o644)).toEqual([]);
});
