import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { loadContent } from "../../../src/backend/content/load.ts";
import { parseContent } from "../../../src/backend/content/parse.ts";
import { isAfterwordError } from "../../../src/errors.ts";
import { FLAG_FACTS, FLAGS } from "../../../src/direct-answers/flags.ts";
import { contentDirectory, open } from "../client.ts";

const texts = [
  {
    name: "texts/en.yaml",
    locale: "en",
    text: [...FLAGS, "related-title"].map((key) => `${key}: text\n`).join(""),
  },
];

function mistakes(text: string, extra: Partial<Parameters<typeof parseContent>[0]> = {}): string {
  try {
    parseContent({ contents: [{ name: "shop.yaml", text }], texts, ...extra });
    return "";
  } catch (error) {
    return isAfterwordError(error) && error.code === "content-invalid"
      ? error.message
      : "another error";
  }
}

function check(text: string, locale = "en"): string {
  return mistakes("language: en\n", { texts: [{ name: "t.yaml", locale, text }] });
}

describe("mistakes in a content file are refused with file, line and column", () => {
  const item = "  - { id: 1, title: T, answer: A }";

  test.each([
    [
      "a missing answer",
      "language: en\ncontents:\n  - id: 1\n    title: T\n",
      "shop.yaml:3:5: contents.0.answer: ",
    ],
    [
      "an empty title",
      'language: en\ncontents:\n  - { id: 1, title: " ", answer: A }\n',
      "shop.yaml:3:21: contents.0.title: must not be empty",
    ],
    [
      "an unknown key",
      `language: en\ncontents:\n  - id: 1\n    title: T\n    answer: A\n    anwser: B\n`,
      'shop.yaml:6:5: unknown key "anwser"',
    ],
    ["an unknown key at the top", "lang: en\n", 'shop.yaml:1:1: unknown key "lang"'],
    [
      "an id that is no number",
      "language: en\ncontents:\n  - { id: one, title: T, answer: A }\n",
      "shop.yaml:3:11: contents.0.id: ",
    ],
    [
      "an id used twice",
      `language: en\ncontents:\n${item}\n${item}\n`,
      "shop.yaml:4:11: id 1 is used twice",
    ],
    [
      "a direct call used twice",
      "language: en\ncontents:\n  - { id: 1, title: T, answer: A, directCall: x }\n  - { id: 2, title: T, answer: A, directCall: x }\n",
      "shop.yaml:4:47: directCall x is used twice",
    ],
    [
      "a related content that is not there",
      "language: en\ncontents:\n  - { id: 1, title: T, answer: A, related: [7] }\n",
      "shop.yaml:3:45: there is no content 7 in this language",
    ],
    [
      "a content related to itself",
      "language: en\ncontents:\n  - { id: 1, title: T, answer: A, related: [1] }\n",
      "shop.yaml:3:45: a content cannot be related to itself",
    ],
    [
      "the engine's own direct call",
      "language: en\ncontents:\n  - { id: 1, title: T, answer: A, directCall: sys-welcome }\n",
      "shop.yaml:3:47: ",
    ],
    ["no language", `contents:\n${item}\n`, "shop.yaml:2:3: contents need a language"],
    ["no language tag", "language: 12\n", "shop.yaml:1:11: language: "],
    ["a duplicate key", "language: en\nlanguage: fr\n", "shop.yaml:2:1: "],
    ["broken YAML", "language: [en\n", "shop.yaml:2:1: "],
    ["a tab", "contents:\n\t- id: 1\n", "shop.yaml:2:1: "],
    ["two documents", "language: en\n---\nlanguage: fr\n", "shop.yaml:2:1: "],
    ["a list", "- language: en\n", "shop.yaml:1:1: the file: "],
    ["nothing at all", "", "shop.yaml:1:1: the file: "],
  ])("%s", (_name, text, message) => {
    expect(mistakes(text)).toContain(message);
  });

  test("an alias bomb", () => {
    const bomb = ["a: &a [x, x, x, x, x, x, x, x, x, x]"];
    for (const [here, before] of [
      ["b", "a"],
      ["c", "b"],
      ["d", "c"],
      ["e", "d"],
      ["f", "e"],
    ]) {
      bomb.push(`${here}: &${here} [${`*${before}, `.repeat(10)}]`);
    }
    expect(mistakes(bomb.join("\n"))).toMatch(/^shop\.yaml:1:1: .*alias/);
  });

  test("all of them at once", () => {
    const text =
      "language: en\ncontents:\n  - { id: 0, title: T, answer: A }\n  - { id: 2, title: T, answer: 7 }\n";
    expect(mistakes(text).split("\n")).toStrictEqual([
      expect.stringMatching(/^shop\.yaml:3:11: contents\.0\.id: /),
      expect.stringMatching(/^shop\.yaml:4:32: contents\.1\.answer: /),
    ]);
  });

  test("app data with one id in two files", () => {
    const text = "appData: { a: { b: c } }";
    const contents = [
      { name: "one.yaml", text },
      { name: "two.yaml", text },
    ];
    expect(mistakes("", { contents })).toBe('two.yaml:1:15: app data "a" is defined twice');
  });

  test.each(FLAGS)("engine texts without %s", (flag) => {
    const file = {
      name: "texts/en.yaml",
      locale: "en",
      text: texts[0]?.text.replace(`${flag}: text\n`, "") ?? "",
    };
    expect(mistakes("language: en\n", { texts: [file] })).toContain(`texts/en.yaml:1:1: ${flag}: `);
  });

  test("engine texts with an unknown key, an empty text, or not in English", () => {
    const all = texts[0]?.text ?? "";
    expect(check(`${all}welcom: x\n`)).toContain("t.yaml:18:1: ");
    expect(check(all.replace("welcome: text", 'welcome: ""'))).toContain(
      "t.yaml:16:10: welcome: must not be empty",
    );
    expect(check(all, "fr")).toContain("English");
  });
});

describe("a content directory", () => {
  test("that can't be read is named", async () => {
    await expect(loadContent("/nowhere/at/all")).rejects.toMatchObject({
      code: "content-invalid",
      message: expect.stringContaining("/nowhere/at/all"),
    });
    await expect(open({ content: "/nowhere/at/all" })).rejects.toMatchObject({
      code: "content-invalid",
    });
  });

  test("with a file that is not UTF-8 is refused", async () => {
    const directory = mkdtempSync(join(tmpdir(), "afterword-content-"));
    writeFileSync(join(directory, "a.yaml"), Uint8Array.from([0x61, 0x3a, 0xe9]));
    await expect(loadContent(directory)).rejects.toMatchObject({ code: "content-invalid" });
    rmSync(directory, { recursive: true });
  });
});

describe("the shipped content", () => {
  test("has the same contents in English and French", async () => {
    const { items } = await loadContent(contentDirectory);
    const ids = [...items.values()].map((list) => list.map(({ id }) => id));
    expect([...items.keys()].toSorted()).toStrictEqual(["en", "fr"]);
    expect(ids[0]).toHaveLength(15);
    expect(ids[0]).toStrictEqual(ids[1]);
  });

  test("speaks English as the specification does", async () => {
    const english = (await loadContent(contentDirectory)).texts.get("en");
    for (const { name, text } of FLAG_FACTS) expect(english?.[name]).toBe(text);
    expect(english?.["related-title"]).toBe("You might also be interested in:");
  });

  test("never says what Afterword's own tables say", async () => {
    const { texts: spoken } = await loadContent(contentDirectory);
    expect([...spoken.keys()]).toEqual(
      expect.arrayContaining(["en", "fr", "es", "de", "ja", "ar"]),
    );
    const tables = new URL("../../../locales/", import.meta.url);
    const files = await readdir(tables);
    for (const [locale, engine] of spoken) {
      const name = files.find((file) => file.toLowerCase() === `${locale}.yaml`);
      if (name === undefined) continue;
      const own = JSON.stringify(parse(await readFile(new URL(name, tables), "utf8")));
      for (const text of Object.values(engine)) expect(own).not.toContain(JSON.stringify(text));
    }
  });
});
