import { expect, test } from "vitest";
import { createProgress } from "../../../src/cli/command/progress.ts";

function printSteps(live: boolean): string {
  let text = "";
  let now = 0;
  const terminal = { error: (part: string) => void (text += part), errorInteractive: live };
  const progress = createProgress(terminal, () => now);
  for (let step = 1; step <= 50; step++) {
    now += 50;
    progress.at(`step ${step}`);
  }
  progress.done("all done");
  return text;
}

test("a terminal has one line that is written over, ten times a second", () => {
  const lines = printSteps(true).split("\r\u001b[K");
  expect(lines.slice(0, 3)).toStrictEqual(["", "step 2", "step 4"]);
  expect(lines).toHaveLength(27);
  expect(lines.at(-1)).toBe("all done\n");
});

test("a log has a line every two seconds, and the last word", () => {
  expect(printSteps(false)).toBe("step 40\nall done\n");
});
