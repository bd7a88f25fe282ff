// Suite: long
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { backendCommand, BACKEND_PARTS } from "../../../src/cli/commands/backend.ts";
import { brokenLinks } from "../../clients/docs/markdown.ts";
import { sessionOf } from "../../clients/docs/session.ts";
import { root } from "../../runtime/processes/processes.ts";

vi.setConfig({ testTimeout: 180_000 });

const page = join(root, "docs", "backend-operations.md");

test("the page prints what it says when its session is pasted into a shell in an empty folder", async () => {
  const steps = await sessionOf(page, "8799");
  expect(steps.length).toBe(7);
  for (const { printed, expected } of steps) expect(counted(printed)).toBe(counted(expected ?? ""));
});

test("the page names every option of the backend and every part, and its links lead somewhere", async () => {
  const text = await readFile(page, "utf8");
  for (const { name } of backendCommand.options) expect(text).toContain(`\`--${name}`);
  for (const part of BACKEND_PARTS.keys()) {
    if (part !== "import") expect(text).toMatch(new RegExp(`backend ${part}\\b`));
  }
  expect(await brokenLinks([page])).toEqual([]);
});

/** The page may be older than the latest language. */
function counted(text: string): string {
  return text.replace(/\d+(?= languages\))/u, "many");
}
