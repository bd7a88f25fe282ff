import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { createFolder } from "../fixtures/folder.ts";
import { FLAGS } from "../../src/direct-answers/flags.ts";
import { afterword } from "./terminal.ts";

let directory = "";
beforeEach(() => {
  directory = createFolder();
  mkdirSync(join(directory, "backend", "texts"), { recursive: true });
  const lines = [...FLAGS, "related-title"].map((key) => `${key}: text\n`).join("");
  writeFileSync(join(directory, "backend", "texts", "en.yaml"), lines);
  writeFileSync(join(directory, "afterword.yaml"), CONFIG);
});

const CONFIG = "version: 1\nupstream: embedded\nbackend: { content: ./backend }\n";

const mistaken = `language: en
contents:
  - id: 1
    title: T
    answer: A
    related: [7]
    form: { name: f, fields: [{ name: a, question: Q? }], finished: Done, webhook: "\${HOOK}" }
`;

function check(...argv: readonly string[]): ReturnType<typeof afterword> {
  const env = { HOOK: "https://hooks.example.com/" };
  return afterword(["check", "--config", join(directory, "afterword.yaml"), ...argv], { env });
}

test("check looks at the content of the embedded backend", async () => {
  writeFileSync(join(directory, "backend", "shop.yaml"), mistaken);
  const { code, out } = await check();
  expect(out).toContain(
    `${join(directory, "backend", "shop.yaml")}:6:15: error: there is no content 7 in en [unknown-reference]\n  5 |`,
  );
  expect(out).toMatch(/: 1 error, \d warnings?\n$/);
  expect(code).toBe(1);
});

test.each([
  ["English", 'Did you mean "en"?'],
  ["english", 'Did you mean "en"?'],
  ["eng", 'Did you mean "en"?'],
  ["français", "a language tag is needed here"],
  ["Deutsch", 'Did you mean "de"?'],
  ["klingon", 'there is no language "klingon".'],
  ["frx", 'Did you mean "fr"?'],
])("check names a language that nobody speaks: %s", async (language, cure) => {
  const content = `language: ${language}\ncontents:\n  - { id: 1, title: T, answer: A }\n`;
  writeFileSync(join(directory, "backend", "shop.yaml"), content);
  const { code, out } = await check();
  expect(code).toBe(1);
  expect(out).toContain(`shop.yaml:1:11: error: `);
  expect(out).toContain(cure);
});

test("check names files whose second ending is hidden, and what nobody sees in a text", async () => {
  const content = `language: en\ncontents:\n  - { id: 1, title: T, answer: "A\\u0000" }\n  - { id: 2, title: "\\u202Eevil", answer: A }\n  - { id: 3, title: "\u2068x\u2069 \u200f", answer: A }\n`;
  writeFileSync(join(directory, "backend", "shop.yaml"), content);
  writeFileSync(join(directory, "backend", "more.yaml.txt"), content);
  mkdirSync(join(directory, "messages"));
  writeFileSync(join(directory, "messages", "fr.yaml.txt"), "no-results: Rien\n");
  writeFileSync(join(directory, "messages", "en.yaml"), 'no-results: "No\\u0001"\n');
  const { code, out } = await check();
  expect(code).toBe(0);
  expect(out).toContain("Rename it to more.yaml.");
  expect(out).toMatch(/fr\.yaml\.txt: warning: /u);
  expect(out).toMatch(/shop\.yaml:3:\d+: warning: the invisible character U\+0000/u);
  expect(out).toMatch(/shop\.yaml:4:\d+: warning: the invisible character U\+202E/u);
  expect(out).not.toContain("shop.yaml:5:");
  expect(out).toMatch(/en\.yaml:1:\d+: warning: the invisible character U\+0001/u);
});

test.each(["en", "pt-br", "zh-Hant", "gsw", "es-419", "iw"])(
  "%s is a language",
  async (language) => {
    const content = `language: ${language}\ncontents:\n  - { id: 1, title: T, answer: A }\n`;
    writeFileSync(join(directory, "backend", "shop.yaml"), content);
    expect((await check()).out).not.toContain("there is no language");
  },
);

test("check shows it in every format", async () => {
  writeFileSync(join(directory, "backend", "shop.yaml"), mistaken);
  const json = JSON.parse((await check("--format", "json")).out);
  expect(json.filter(({ severity }: { severity: string }) => severity === "error")).toMatchObject([
    { code: "unknown-reference", line: 6, column: 15 },
  ]);
  expect((await check("--format", "github")).out).toMatch(
    /^::error file=[^,]*shop\.yaml,line=6,col=15,title=afterword unknown-reference::there is no content 7 in en$/m,
  );
});

test("check names a content directory that is not there, and a variable that is not set", async () => {
  const good = mistaken.replace("    related: [7]\n", "");
  writeFileSync(join(directory, "backend", "shop.yaml"), good);
  expect(await check()).toMatchObject({ code: 0 });
  writeFileSync(join(directory, "backend", "shop.yaml"), good.replace("HOOK", "NOBODY"));
  const { out } = await check();
  expect(out).toContain("the environment variable NOBODY is not set [environment]");
  expect(out).not.toContain("webhook-refused");
  rmSync(join(directory, "backend"), { recursive: true });
  expect(await check()).toMatchObject({
    code: 1,
    out: expect.stringContaining(
      "backend: error: there is no such folder [unreadable]\n`afterword backend init` makes one.",
    ),
  });
});

test("check leaves content alone when another upstream answers", async () => {
  writeFileSync(join(directory, "backend", "shop.yaml"), mistaken);
  const upstream = "upstream: { auth: https://api.example.com, chat: https://chat.example.com }";
  writeFileSync(join(directory, "afterword.yaml"), `version: 1\n${upstream}\n`);
  expect(await check()).toMatchObject({ code: 0 });
});
