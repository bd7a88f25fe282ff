import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { findPackageRoot } from "../../../src/config/load/package-root.ts";

// The guides of the site and README show nothing that no test runs: a block is run by a test, or
// follows a mark with the reason why it cannot run here.

const root = findPackageRoot();

/** Tests that read the blocks of a language from a page, or from every page. */
const TESTS: Readonly<Record<string, string>> = {
  "README.md ts": "test/clients/docs/examples.test.ts",
  "README.md yaml": "test/clients/docs/messages.test.ts",
  "callers.md yaml": "test/config/compile/callers.test.ts",
  "clients.md ts": "test/clients/docs/examples.test.ts",
  "content.md yaml": "test/backend/content/documented.test.ts",
  "forms.md js": "test/backend/webhooks/receiver-example.test.ts",
  "forms.md yaml": "test/backend/forms/documented.test.ts",
  "library.md ts": "test/clients/docs/examples.test.ts",
  "messages.md yaml": "test/clients/docs/messages.test.ts",
  "recognition.md yaml": "test/clients/docs/messages.test.ts",
  yaml: "test/clients/docs/snippets.test.ts",
  json: "test/clients/docs/snippets.test.ts",
};

/** README, and the pages of Start and Guides in the site. */
function guides(): readonly string[] {
  const site = readFileSync(join(root, "tools/docs/.vitepress/config.ts"), "utf8");
  const [, sections = ""] = /text: "Start"(.*?)text: "Reference"/su.exec(site) ?? [];
  const names = Array.from(sections.matchAll(/: \/([\w-]+)"/gu), ([, name]) => `docs/${name}.md`);
  return ["README.md", ...names.filter((name) => existsSync(join(root, name)))];
}

interface Block {
  readonly language: string;
  readonly line: number;
  /** The text before it, up to the previous block. */
  readonly before: string;
}

function blocksOf(text: string): readonly Block[] {
  let end = 0;
  return Array.from(text.matchAll(/^ *```(\w+)\n.*?^ *```$/gmsu), (found) => {
    const before = text.slice(end, found.index).trimEnd();
    end = found.index + found[0].length;
    const line = text.slice(0, found.index).split("\n").length;
    return { language: found[1] ?? "", line, before };
  });
}

/** Null if a test runs it, or if it has a reason. */
function uncovered(page: string, block: Block, before: Block | undefined): string | null {
  const { language, line } = block;
  if (/<!-- (?:tested(?:: doctor)?|starts|not run: [^>]{10,}) -->$/u.test(block.before))
    return null;
  // The output of the previous block, with nothing in between.
  const isOutput = block.before === "" && ["console", "json"].includes(language);
  if (isOutput && before?.language === "sh") return null;
  const name = basename(page);
  return (TESTS[`${name} ${language}`] ?? TESTS[language]) ? null : `${page}:${line} ${language}`;
}

test("every block of README and the guides is run by a test, or says why not", () => {
  const pages = guides();
  expect(pages.length).toBeGreaterThan(15);
  const code = new Set(["sh", "console", "ts", "js", "yaml", "json"]);
  const missing = pages.flatMap((page) => {
    const blocks = blocksOf(readFileSync(join(root, page), "utf8"));
    return blocks.flatMap((block, index) =>
      code.has(block.language) ? (uncovered(page, block, blocks[index - 1]) ?? []) : [],
    );
  });
  expect(missing).toEqual([]);
});

test("the tests that read blocks of a page are there, and name it", () => {
  for (const [blocks, file] of Object.entries(TESTS)) {
    const [page = ""] = blocks.split(" ");
    const text = readFileSync(join(root, file), "utf8");
    expect([file, page.endsWith(".md") ? text.includes(page) : true]).toEqual([file, true]);
  }
});
