import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../../..");

it("docs/library.md names every code of an error", async () => {
  const source = await readFile(join(root, "src/errors.ts"), "utf8");
  const page = await readFile(join(root, "docs/library.md"), "utf8");
  const codes = [...source.matchAll(/^ {2}\| "([a-z-]+)"/gm)].map(([, code = ""]) => code);
  expect(codes).toContain("node-too-old");
  expect(codes.filter((code) => !page.includes(`\`${code}\``))).toEqual([]);
});
