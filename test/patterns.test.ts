// Suite: slow
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createFolder } from "./fixtures/folder.ts";
import { exceptions } from "../build/patterns/exceptions.ts";

const root = dirname(import.meta.dirname);
const folder = createFolder(afterAll);

describe("npm run lint:patterns", () => {
  it("finds patterns whose time grows faster than the text, in modules and in browser code", () => {
    const found = lint({
      "src/a.ts": [
        String.raw`export const unanchored = /[.\s]+$/u;`,
        String.raw`export const gap = /<img\b[^>]*?\bsrc\s*=/gi;`,
        String.raw`export const slashes = "a//".replace(/\/+$/, "");`,
        String.raw`export const mail = /\S+@\S+/;`,
        String.raw`export const nested = /^(?:a+)+$/;`,
        String.raw`export const written = new RegExp("[\\s]+$", "u");`,
        String.raw`export const called = RegExp("x*y");`,
        `export const made = (word: string) => new RegExp(word + "$");`,
      ],
      "src/client/page.js": [String.raw`export const unclosed = /<[^>]*>/g;`],
    });
    expect(found).toEqual([
      ...[1, 2, 3, 4, 5, 6, 7, 8].map((line) => `src/a.ts:${line}`),
      "src/client/page.js:1",
    ]);
  });

  it("lets patterns be that look at each character once", () => {
    const found = lint({
      "src/b.ts": [
        String.raw`export const anchored = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)*$/u;`,
        String.raw`export const tags = /<[^<>]*>/g;`,
        String.raw`export const blanks = /\s+/g;`,
        String.raw`export const one = new RegExp("[a-z]");`,
      ],
    });
    expect(found).toEqual([]);
  });

  it("says so when an exception has no pattern any more", () => {
    const { file } = exceptions[0] ?? { file: "" };
    expect(lint({ [file]: ["export const nothing = 1;"] })).toEqual([`${file}:1`]);
  });
});

/** Places that the rule reports, as `file:line`. */
function lint(files: Readonly<Record<string, readonly string[]>>): readonly string[] {
  const place = mkdtempSync(join(folder, "probe-"));
  for (const [name, lines] of Object.entries(files)) {
    mkdirSync(dirname(join(place, name)), { recursive: true });
    writeFileSync(join(place, name), `${lines.join("\n")}\n`);
  }
  const config = {
    plugins: [],
    categories: { correctness: "off" },
    jsPlugins: [join(root, "build/patterns/plugin.ts")],
    rules: { "patterns/linear": "error" },
  };
  writeFileSync(join(place, ".oxlintrc.json"), JSON.stringify(config));
  const oxlint = join(root, "node_modules/oxlint/bin/oxlint");
  const options = { cwd: place, encoding: "utf8" } as const;
  const { stdout } = spawnSync(process.execPath, [oxlint, "--format=unix", "src"], options);
  const found = [...stdout.matchAll(/^(\S+?):(\d+):\d+: .*patterns\(linear\)/gm)];
  return found.map(([, file, line]) => `${file}:${line}`).toSorted();
}
