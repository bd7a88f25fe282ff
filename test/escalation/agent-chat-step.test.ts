import { expect, test } from "vitest";
import { addQueuePlace } from "../../src/escalation/agent-chat-step.ts";
import { record } from "./suites/records.ts";

/** What is said to a reader who is second in the queue, from two lines. */
function placeFrom(queued: string, wait: string): string | undefined {
  const say = (_: unknown, key: string): string => (key.endsWith("wait-minutes") ? wait : queued);
  const at = { position: 2, estimate: 300 };
  return addQueuePlace({ say }, record(), at).messages.at(-1)?.text;
}

test("place and waiting time are two sentences, with a blank between where the language has one", () => {
  expect(placeFrom("One is ahead.", "About 5 minutes.")).toBe("One is ahead. About 5 minutes.");
  expect(placeFrom("您前面还有1人在排队。", "预计等待5分钟左右。")).toBe(
    "您前面还有1人在排队。预计等待5分钟左右。",
  );
  expect(placeFrom("お待ちですか？", "5分ほどです。")).toBe("お待ちですか？5分ほどです。");
  expect(placeFrom("มีผู้รอ 1 คน", "ประมาณ 5 นาที")).toBe("มีผู้รอ 1 คน ประมาณ 5 นาที");
  expect(placeFrom("", "About 5 minutes.")).toBe("About 5 minutes.");
});
