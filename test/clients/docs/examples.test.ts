// Suite: long
import { execFile } from "node:child_process";
import { readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createFolder } from "../../fixtures/folder.ts";
import { afterword } from "../../cli/terminal.ts";
import { findPackageRoot } from "../../../src/config/load/package-root.ts";
import { PROGRAM_PAGES, programOf } from "./markdown.ts";
import { startDemoGateway } from "../scenarios/gateway.ts";

const root = findPackageRoot();
const run = promisify(execFile);

/** The checkout's source for the package's name. */
const ENTRIES = {
  afterword: "src/runtime/web/index.ts",
  "afterword/node": "src/runtime/node/index.ts",
};

const place = createFolder(afterAll);
const programs = new Map<string, string>();

beforeAll(async () => {
  await symlink(join(root, "node_modules"), join(place, "node_modules"));
  for (const page of PROGRAM_PAGES) {
    const text = await readFile(join(root, page), "utf8");
    programs.set(page, programOf(text));
  }
});

/** The programs stand in an installed package's folder, and name the checkout's source. */
async function written(here: (code: string) => string = (code) => code): Promise<void> {
  for (const [page, code] of programs) {
    let program = here(code);
    for (const [name, entry] of Object.entries(ENTRIES)) {
      program = program.replaceAll(`from "${name}"`, `from ${JSON.stringify(join(root, entry))}`);
    }
    await writeFile(fileOf(page), program);
  }
}

function fileOf(page: string): string {
  return join(place, page.replaceAll(/\W/gu, "-") + ".mts");
}

async function printed(page: string): Promise<string> {
  const options = { cwd: place, timeout: 150_000 };
  const { stdout } = await run(process.execPath, [fileOf(page)], options);
  return stdout.trim();
}

test("the examples of docs/clients.md print what stands behind them", async () => {
  const gateway = await startDemoGateway();
  onTestFinished(() => gateway.close());
  await written((code) => code.replaceAll("http://127.0.0.1:8787", gateway.url));
  const comments = programs.get("docs/clients.md")?.matchAll(/\/\/=> (.*)$/gmu) ?? [];
  const expected = Array.from(comments, ([, text]) => text);
  expect(expected.length).toBeGreaterThan(10);
  expect((await printed("docs/clients.md")).split("\n")).toEqual(expected);
});

test("the examples of README and docs/library.md run where `afterword init` was run", async () => {
  await afterword(["init", "--dir", join(place, "config")]);
  const vendor = await readFile(join(root, "config/examples/vendor.yaml"), "utf8");
  await writeFile(join(place, "vendor.yaml"), vendor);
  await written();
  expect(await printed("README.md")).toBe("");
  const [url, health] = (await printed("docs/library.md")).split("\n");
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/u);
  expect(health).toBe("200");
});
