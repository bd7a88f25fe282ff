import { env } from "cloudflare:test";
import { expect, inject, it } from "vitest";
import { createFetchedLines } from "../../../src/runtime/worker/escalation/fetched-lines.ts";

it("has its lines beside the script", async () => {
  const folder = inject("linesFolder");
  const log: string[] = [];
  const lines = createFetchedLines(
    folder,
    ["de", "xx"],
    [],
  )(env.AFTERWORD_LINES, {
    now: () => Date.now(),
    log: (_, event) => void log.push(event),
  });
  await lines.ready("de");
  expect(lines.ready("de")).toBeNull();
  await lines.ready("xx");
  expect(log).toEqual(["lines-not-fetched"]);
});
