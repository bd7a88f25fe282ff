import { copyFile, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findPackageRoot } from "../../../src/config/load/package-root.ts";
import { afterword } from "../terminal.ts";
import { createFolder } from "../../fixtures/folder.ts";

const CONTENTS = `language: en
contents:
  - { id: 1, title: What are your opening hours?, alternatives: [When do you open?, Are you open on Sundays?], answer: "9 to 5." }
  - { id: 2, title: How long can I borrow a book?, alternatives: [What is the loan period?], answer: "Four weeks." }
  - { id: 3, title: How do I become a member?, alternatives: [Where do I sign up?], answer: "At the desk." }
`;

async function library(): Promise<{ path: string; argv: readonly string[] }> {
  const path = createFolder();
  const content = join(path, "content");
  await mkdir(join(content, "texts"), { recursive: true });
  await writeFile(join(content, "library.en.yaml"), CONTENTS);
  const texts = join(findPackageRoot(), "config", "backend", "texts");
  for (const name of await readdir(texts)) {
    await copyFile(join(texts, name), join(content, "texts", name));
  }
  return { path, argv: ["--content", content, "--database", join(path, "none.db")] };
}

test("a question is explained by the words that speak for and against its content", async () => {
  const { argv } = await library();
  const result = await afterword(["backend", "explain", "When is the library open?", ...argv]);
  expect(result.error).toBe("");
  expect(result.code).toBe(0);
  expect(result.out).toMatch(/^1 "What are your opening hours\?" answers: score 0\.\d\d$/m);
  expect(result.out).toMatch(/^ {2}for {5}open: in "open/m);
  expect(result.out).toMatch(/^ {2}against library: no phrase has it/m);
  const exact = await afterword(["backend", "explain", "when do you OPEN", ...argv]);
  expect(exact.out).toContain('1 "What are your opening hours?" answers: it is one of its phrases');
  const json = await afterword(["backend", "explain", "open?", "--format", "json", ...argv]);
  expect(JSON.parse(json.out)).toMatchObject({ question: "open?", language: "en" });
  const nothing = await afterword(["backend", "explain", "zzz qqq", ...argv]);
  expect(nothing).toMatchObject({ code: 0, out: expect.stringContaining("no-results") });
});

test("known questions give a curve of refused against right, and a threshold", async () => {
  const { path, argv } = await library();
  const file = join(path, "questions.csv");
  const rows = [
    "Until when are you open on Fridays?,1",
    "For how long may I borrow a novel?,2",
    '"I want to be a member, what do I need?",3',
    "How tall is the Eiffel tower?,",
    "Do you like football?,",
  ];
  await writeFile(file, `question,id\n${rows.join("\n")}\n`);
  const result = await afterword(["backend", "test", file, ...argv]);
  expect(result.error).toBe("");
  expect(result.code).toBe(0);
  expect(result.out).toContain(
    "5 questions about 3 contents with 7 phrases in en: 3 that a content answers, 2 that none does.",
  );
  expect(result.out).toMatch(/0\.\d\d +100 % +0 % +100 % +proposed/);
  expect(result.out).toMatch(/^backend: \{ matching: \{ threshold: 0\.\d+ \} \}$/m);
  const json = await afterword(["backend", "test", file, "--format", "json", ...argv]);
  const { questions, curve, proposed } = JSON.parse(json.out);
  expect(questions).toHaveLength(5);
  expect(curve.map(({ threshold }: { threshold: number }) => threshold)).toContain(proposed);
});

test("mistakes in the questions are named with their line, and nothing is asked", async () => {
  const { path, argv } = await library();
  const file = join(path, "questions.csv");
  await writeFile(file, "question,id\nAre you open?,77\n,1\n");
  const result = await afterword(["backend", "test", file, ...argv]);
  expect(result.code).toBe(1);
  expect(result.out).toBe("");
  expect(result.error).toMatch(/questions\.csv:2:\d+.*no content has the id "77"/);
  expect(result.error).toMatch(/questions\.csv:3:\d+.*this row has no question/);
  await writeFile(file, "text\nhello\n");
  const header = await afterword(["backend", "test", file, ...argv]);
  expect(header.error).toContain("the first line must name the columns question and id");
  const absent = await afterword(["backend", "test", join(path, "no.csv"), ...argv]);
  expect(absent).toMatchObject({
    code: 1,
    error: expect.stringContaining("there is no such file"),
  });
});

test("a language without contents is refused with those that there are", async () => {
  const { argv } = await library();
  const result = await afterword(["backend", "explain", "hello", "--language", "fr", ...argv]);
  expect(result.code).toBe(2);
  expect(result.error).toContain("contents in en; name one of its languages with --language");
});

test("a directory without contents is refused with the way to add some", async () => {
  const { path, argv } = await library();
  await rm(join(path, "content", "library.en.yaml"));
  const result = await afterword(["backend", "explain", "hello", ...argv]);
  expect(result.code).toBe(2);
  expect(result.error).toContain("has no contents: write a file");
  expect(result.error).not.toContain("--language");
});
