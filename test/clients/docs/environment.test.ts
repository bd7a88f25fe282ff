import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../../..");

/** Set by Afterword itself, for the processes that it starts. */
const internal = new Set(["AFTERWORD_WORKER"]);

it("docs/operations.md names every variable that a command on Node reads", async () => {
  const page = await readFile(join(root, "docs/operations.md"), "utf8");
  const read = new Set<string>();
  for await (const file of glob("src/{backend,cli,config,gateway,runtime/node}/**/*.ts", {
    cwd: root,
  })) {
    const text = await readFile(join(root, file), "utf8");
    for (const [, name = ""] of text.matchAll(/\benv\["([A-Z_]+)"\]/g)) read.add(name);
  }
  expect(read.size).toBeGreaterThan(8);
  const missing = [...read].filter((name) => !internal.has(name) && !page.includes(`\`${name}\``));
  expect(missing).toEqual([]);
});
