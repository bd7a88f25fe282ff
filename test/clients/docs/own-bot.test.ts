// Suite: slow
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test, vi } from "vitest";

import { root } from "../../runtime/processes/processes.ts";
import { freePort } from "../../fixtures/free-port.ts";
import { brokenLinks, testedBlocks } from "./markdown.ts";
import { sessionOf } from "./session.ts";
import { createFolder } from "../../fixtures/folder.ts";

vi.setConfig({ testTimeout: 180_000 });

const page = join(root, "docs", "own-bot.md");

test("the page on a bot of one's own prints what it says, from an empty folder on", async () => {
  const steps = await sessionOf(page, "8787");
  expect(steps.length).toBe(7);
  for (const { printed, expected } of steps) expect(printed).toBe(expected ?? "");
  expect(await brokenLinks([page])).toEqual([]);
});

test("the page is true beside a checkout, with npm itself, and kill %1 stops the server", async () => {
  const cwd = createFolder();
  await symlink(root, join(cwd, "afterword"));
  const port = String(await freePort());
  const blocks = testedBlocks(await readFile(page, "utf8"));
  const mark = "----- next block";
  const session = blocks.map(({ script }) => script).join(`\necho '${mark}'\n`);
  // As in a terminal: jobs are process groups of their own.
  const script = `set -m\ntrap "kill %1 2>/dev/null || true" EXIT\n${session}\nkill %1\nwhile curl -s http://127.0.0.1:8787/ >/dev/null; do sleep 0.2; done\necho stopped`;
  const here = (line: string): string => line.replaceAll("8787", port);
  const { PATH = "", HOME = "" } = process.env;
  const shell = spawn("bash", ["-euc", here(script)], {
    cwd,
    env: { PATH, HOME, PORT: port },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [outputs] = await Promise.all([text(shell.stdout), once(shell, "exit")]);
  const printed = outputs.split(`${mark}\n`).map((output) => output.trimEnd());
  const expected = blocks.map((block) => here(block.printed?.text ?? ""));
  expect(printed).toEqual([...expected.slice(0, -1), `${expected.at(-1) ?? ""}\nstopped`]);
});
