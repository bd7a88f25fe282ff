import { globSync, readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, it } from "vitest";
import { long, slow } from "./suites.ts";

const root = join(import.meta.dirname, "..");
const left = [...long.unit, ...slow];
const quick = globSync("test/**/*.test.ts", { cwd: root, exclude: left });

it("npm run test:fast has tests of every folder of src/ that has tests", () => {
  const tested = new Set(quick.map((file) => dirname(file)));
  const folders = readdirSync(join(root, "src"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => relative(join(root, "src"), join(entry.parentPath, entry.name)))
    .filter((folder) => globSync(`test/${folder}/*.test.ts`, { cwd: root }).length > 0);
  expect(folders.filter((folder) => !tested.has(join("test", folder)))).toEqual([]);
});

it("every name in the lists of what quicker commands leave out is a file", () => {
  const unknown = [...left, ...long.e2e].filter(
    (files) => globSync(files, { cwd: root }).length === 0,
  );
  expect(unknown).toEqual([]);
});
