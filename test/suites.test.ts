import { globSync, readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, it } from "vitest";
import { findTagged, tagOf } from "./suites.ts";

const root = join(import.meta.dirname, "..");

it("npm run test:fast has tests of every folder of src/ that has tests", () => {
  const { slow, long, all } = findTagged();
  const left = new Set([...slow, ...long, ...all]);
  const quick = globSync("test/**/*.test.ts", { cwd: root }).filter((file) => !left.has(file));
  const tested = new Set(quick.map((file) => dirname(file)));
  const folders = readdirSync(join(root, "src"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => relative(join(root, "src"), join(entry.parentPath, entry.name)))
    .filter((folder) => globSync(`test/${folder}/*.test.ts`, { cwd: root }).length > 0);
  expect(folders.filter((folder) => !tested.has(join("test", folder)))).toEqual([]);
});

it("a test file's first line says what leaves it out, and no unknown word is taken", () => {
  expect(tagOf("// Suite: long\n")).toBe("long");
  expect(tagOf('import { it } from "vitest";')).toBeNull();
  expect(() => tagOf("// Suite: lnog")).toThrow('"lnog"');
  for (const files of Object.values(findTagged())) expect(files).not.toEqual([]);
});
