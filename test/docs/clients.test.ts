import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { demoGateway } from "../scenarios/gateway.ts";

const root = join(import.meta.dirname, "../..");
const run = promisify(execFile);

test("the examples of docs/clients.md print what stands behind them", async () => {
  const gateway = await demoGateway();
  onTestFinished(() => gateway.close());
  const page = await readFile(join(root, "docs/clients.md"), "utf8");
  const code = [...page.matchAll(/^```ts\n(.*?)^```$/gmsu)]
    .map(([, block = ""]) => block)
    .join("\n");
  const expected = [...code.matchAll(/\/\/=> (.*)$/gmu)].map(([, text]) => text);
  expect(expected.length).toBeGreaterThan(10);

  const folder = await mkdtemp(join(tmpdir(), "afterword-docs-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "examples.mts");
  const here = code
    .replace('from "afterword"', `from ${JSON.stringify(join(root, "src/index.ts"))}`)
    .replaceAll("http://127.0.0.1:8787", gateway.url);
  await writeFile(file, here);
  const project = join(folder, "tsconfig.json");
  await writeFile(
    project,
    JSON.stringify({
      extends: join(root, "tsconfig.json"),
      compilerOptions: {
        noEmit: true,
        rewriteRelativeImportExtensions: false,
        allowImportingTsExtensions: true,
        typeRoots: [join(root, "node_modules/@types")],
      },
      include: [file],
    }),
  );
  const tsc = join(root, "node_modules/.bin/tsc");
  await run(tsc, ["-p", project], { cwd: root }).catch((error: unknown) => {
    throw new Error(`the examples do not compile: ${JSON.stringify(error)}`);
  });
  const { stdout } = await run(process.execPath, [file], { cwd: root, timeout: 150_000 });
  expect(stdout.trim().split("\n")).toEqual(expected);
});
