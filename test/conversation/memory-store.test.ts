import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { createMemoryStore } from "../../src/conversation/memory.ts";
import { describeConversationStore } from "./store-suite.ts";

describeConversationStore({
  name: "memory",
  limited: true,
  texts: false,
  open(limit) {
    let time = 1_000_000;
    return {
      store: createMemoryStore(() => time, limit),
      pass(milliseconds) {
        time += milliseconds;
      },
      close() {},
    };
  },
});

it("leaves nothing among the old objects when conversations are read in turns", async () => {
  const program = fileURLToPath(new URL("programs/old-bytes.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ["--expose-gc", program]);
  expect(Number(stdout)).toBeLessThan(4);
});
