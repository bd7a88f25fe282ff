import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { createThread } from "../../src/storage/thread.ts";

test.each([
  ["memory", 60_000, "This takes more memory than there is for it: do it in parts."],
  ["time", 2000, "This takes more than 2 seconds: do it in parts."],
])(
  "a call that takes too much %s fails with advice, and the next call succeeds",
  async (what, longest, message) => {
    const module = new URL("greedy-thread.ts", import.meta.url);
    const options = { module, does: "is greedy", longest, megabytes: 64 };
    const thread = createThread<string, string>(options);
    await expect(thread.call(what)).rejects.toMatchObject({ code: "overloaded", message });
    expect(await thread.call("nothing")).toBe("done");
  },
);

test("a thread that replaces one with several calls does not end for being idle", async () => {
  const module = new URL("greedy-thread.ts", import.meta.url);
  const options = { module, does: "is greedy", longest: 1500, idleAfter: 500 };
  const thread = createThread<string, string>(options);
  const lost = await Promise.allSettled([thread.call("time"), thread.call("time")]);
  expect(lost.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await expect(thread.call("time")).rejects.toMatchObject({ code: "overloaded" });
});

test("a process ends while its thread is idle", async () => {
  const program = `
    const { createThread } = await import(${JSON.stringify(new URL("../../src/storage/thread.ts", import.meta.url).href)});
    const module = new URL(${JSON.stringify(new URL("greedy-thread.ts", import.meta.url).href)});
    const thread = createThread({ module, does: "is greedy", idleAfter: 60_000 });
    console.log(await thread.call("nothing"));
  `;
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", program], {
    timeout: 30_000,
  });
  expect(stdout).toBe("done\n");
});
