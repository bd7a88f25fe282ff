import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { root } from "../e2e/processes.ts";
import { brokenLinks } from "./markdown.ts";
import { sessionOf } from "./session.ts";

vi.setConfig({ testTimeout: 180_000 });

const page = join(root, "docs", "import.md");

test("each export of another bot becomes contents, as the page on imports says", async () => {
  const steps = await sessionOf(page, "8787");
  expect(steps.length).toBe(5);
  for (const { printed, expected } of steps) expect(printed).toBe(expected ?? "");
  expect(await brokenLinks([page])).toEqual([]);
});
