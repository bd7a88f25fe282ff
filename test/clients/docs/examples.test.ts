// Suite: long
import { execFile } from "node:child_process";
import { readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createFolder } from "../../fixtures/folder.ts";
import { afterword } from "../../cli/terminal.ts";
import { findPackageRoot } from "../../../src/config/load/package-root.ts";
import { demoGateway } from "../scenarios/gateway.ts";

const root = findPackageRoot();
const run = promisify(execFile);

/** The pages whose TypeScript is one program each, and the replacement of the package's name. */
const PAGES = ["README.md", "docs/clients.md", "docs/library.md"];
const ENTRIES = {
  afterword: "src/runtime/web/index.ts",
  "afterword/node": "src/runtime/node/index.ts",
};

const place = createFolder(afterAll);
const programs = new Map<string, string>();

beforeAll(async () => {
  await symlink(join(root, "node_modules"), join(place, "node_modules"));
  for (const page of PAGES) {
    const text = await readFile(join(root, page), "utf8");
    const blocks = Array.from(text.matchAll(/^(<!-- not run[^\n]*-->\n\n)?```ts\n(.*?)^```$/gmsu));
    const runnable = blocks.filter(([, notRun]) => notRun === undefined);
    programs.set(page, runnable.map(([, , block = ""]) => block).join("\n"));
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

test("the TypeScript of README, docs/clients.md and docs/library.md compiles", async () => {
  await written();
  const project = join(place, "tsconfig.json");
  const compilerOptions = {
    noEmit: true,
    // A page shows values without using them.
    noUnusedLocals: false,
    rewriteRelativeImportExtensions: false,
    allowImportingTsExtensions: true,
    typeRoots: [join(root, "node_modules/@types")],
  };
  const files = [...PAGES.map(fileOf), join(root, "src/**/*.d.ts")];
  const config = { extends: join(root, "tsconfig.json"), compilerOptions, include: files };
  await writeFile(project, JSON.stringify(config));
  const tsc = join(root, "node_modules/.bin/tsc");
  await run(tsc, ["-p", project], { cwd: root }).catch((error: unknown) => {
    throw new Error(`the examples do not compile: ${JSON.stringify(error)}`);
  });
});

test("the examples of docs/clients.md print what stands behind them", async () => {
  const gateway = await demoGateway();
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
