import { expect, onTestFinished, test } from "vitest";
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
    onTestFinished(() => thread.close());
    await expect(thread.call(what)).rejects.toMatchObject({ code: "overloaded", message });
    expect(await thread.call("nothing")).toBe("done");
  },
);
