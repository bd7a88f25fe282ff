// Suite: slow
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { createFolder } from "../../fixtures/folder.ts";
import { root } from "../../runtime/processes/processes.ts";
import { brokenLinks } from "./markdown.ts";
import { pasted } from "./session.ts";

vi.setConfig({ testTimeout: 180_000 });

const page = join(root, "docs", "import.md");

test("the page on imports prints what it says, beside the sheet that it shows", async () => {
  const cwd = createFolder();
  const [, sheet = ""] = /```csv\n(.*?)```/su.exec(await readFile(page, "utf8")) ?? [];
  await writeFile(join(cwd, "faq.csv"), sheet);
  const steps = await pasted(page, (text) => text, {}, cwd);
  expect(steps.length).toBe(1);
  for (const { printed, expected } of steps) expect(printed).toBe(expected ?? "");
  expect(await brokenLinks([page])).toEqual([]);
});
