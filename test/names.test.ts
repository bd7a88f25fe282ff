import { spawnSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { createFolder } from "./fixtures/folder.ts";

const root = dirname(import.meta.dirname);

describe("the rules for names and comments", () => {
  it("find functions whose name is no verb, wherever they are declared", async () => {
    const found = await lint([
      "export function answered(): void {}",
      "export function quietly(): void {}",
      "export function onlyPositional(): void {}",
      "export function outer(): void {",
      "  function nothing(): void {}",
      "}",
    ]);
    expect(found).toEqual(["verb:1", "verb:2", "verb:3", "verb:4", "verb:5"]);
  });

  it("let verbs, relations and components be", async () => {
    const found = await lint([
      "export function readBody(): void {}",
      "export function titleOf(): void {}",
      "export function pathIn(): void {}",
      "export function isJson(): void {}",
      "export function Composer(): void {}",
      "export const draft = (): void => {};",
    ]);
    expect(found).toEqual([]);
  });

  it("find comments that leave their subject out, and look at their first line alone", async () => {
    const found = await lint([
      "/** What is read. */",
      "export const one = 1;",
      "// Who has nothing is not in it.",
      "export const two = 2;",
      "/**",
      " * Of these the last.",
      " */",
      "export const three = 3;",
      "// Clients are listed",
      "// Where they have requests.",
      "export const four = 4; // The last one.",
    ]);
    expect(found).toEqual(["comment:1", "comment:3", "comment:5"]);
  });
});

/** Lints a file of `src` and lists the rule and the line of each finding. */
async function lint(lines: readonly string[]): Promise<readonly string[]> {
  const folder = createFolder();
  await mkdir(join(folder, "src"));
  await writeFile(join(folder, "src", "a.ts"), `${lines.join("\n")}\n`);
  const config = {
    plugins: [],
    categories: { correctness: "off" },
    jsPlugins: [join(root, "build/names/plugin.ts")],
    rules: { "names/verb": "error", "names/comment": "error" },
  };
  await writeFile(join(folder, "rules.json"), JSON.stringify(config));
  const options = ["--config", "rules.json", "--format", "json", "src"];
  const { stdout } = spawnSync(join(root, "node_modules/.bin/oxlint"), options, {
    cwd: folder,
    encoding: "utf8",
  });
  const { diagnostics } = JSON.parse(stdout) as {
    readonly diagnostics: readonly {
      readonly code: string;
      readonly labels: readonly { readonly span: { readonly line: number } }[];
    }[];
  };
  return diagnostics
    .map(({ code, labels }) => ({
      rule: code.replace(/^names\((.*)\)$/, "$1"),
      line: labels[0]?.span.line ?? 0,
    }))
    .toSorted((one, other) => one.line - other.line)
    .map(({ rule, line }) => `${rule}:${line}`);
}
