import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadContent } from "../../src/backend/content/load.ts";
import { findPackageRoot } from "../../src/config/load/package-root.ts";
import { LINE_KEYS } from "../../src/config/schema/messages.ts";
import { LOCALES } from "../../src/locales/shipped.ts";
import { LANGUAGES } from "./tables/languages.ts";
import { readTables } from "./tables/read.ts";

// Readers must see the difference between the engine's plain texts and Afterword's.
const { texts } = await loadContent(join(findPackageRoot(), "config", "backend"));
const tables = readTables(join(findPackageRoot(), "locales"));
const languages = LOCALES.filter((locale) => !locale.includes("-"));
const lines = [...texts].flatMap(([language, table]) =>
  Object.entries(table).map(([key, text]) => ({ language, key, text })),
);
const english = new Map(Object.entries(texts.get("en") ?? {}));

describe("the engine's own texts", () => {
  test("exist in every shipped language, with every key", () => {
    expect(languages.length).toBeGreaterThanOrEqual(30);
    expect([...texts.keys()].toSorted()).toEqual(languages.toSorted());
    for (const table of texts.values()) {
      expect(Object.keys(table).toSorted()).toEqual(LINE_KEYS.toSorted());
    }
  });

  test.each(languages)("have no text in common with the shipped table of %s", (language) => {
    const regional = [...tables.values()].filter(({ locale }) => locale.split("-")[0] === language);
    expect(regional.length).toBeGreaterThan(0);
    const ours = new Set(regional.flatMap((table) => [...table.texts.values()].flat()).map(bare));
    const same = lines.filter((line) => line.language === language && ours.has(bare(line.text)));
    expect(same).toEqual([]);
  });

  test("are not English in other languages, and no two languages have the same text", () => {
    const left = lines.filter(
      ({ language, key, text }) => language !== "en" && bare(text) === bare(english.get(key) ?? ""),
    );
    expect(left).toEqual([]);
    const spoken = new Map<string, string>();
    for (const { language, text } of lines) {
      expect(spoken.get(bare(text)) ?? language).toBe(language);
      spoken.set(bare(text), language);
    }
  });

  test.each(languages)("are in the script of %s, and well-formed", (language) => {
    const facts = LANGUAGES.get(language);
    for (const { text } of lines.filter((line) => line.language === language)) {
      const foreign = (text.match(/\p{L}/gu) ?? []).filter((letter) => !facts?.script.test(letter));
      expect({ text, foreign }).toEqual({ text, foreign: [] });
      expect(text).toBe(text.normalize("NFC").trim());
      expect(text).not.toMatch(/\s\s|\{|\.\.|<|>/u);
    }
  });

  test("have equal texts for two keys only where the specification has", () => {
    for (const table of texts.values()) {
      expect(table["webhook-wrong-field"]).toBe(table["webhook-bad-request"]);
      expect(new Set(Object.values(table)).size).toBe(LINE_KEYS.length - 1);
    }
  });

  test("name the engine's limit", () => {
    for (const { key, text } of lines) {
      expect({ key, names: text.includes("256") }).toEqual({
        key,
        names: key === "character-limit-exceeded",
      });
    }
  });

  test("name their language at the top of the file", () => {
    const names = new Intl.DisplayNames("en", { type: "language" });
    for (const language of languages) {
      const file = join(findPackageRoot(), "config", "backend", "texts", `${language}.yaml`);
      const [first = ""] = readFileSync(file, "utf8").split("\n", 1);
      const name = language === "no" ? "Norwegian" : (names.of(language) ?? "");
      expect(first).toContain(`# What the engine says in ${name}`);
    }
  });
});

/** Texts that only differ in case, marks and blanks are the same. */
function bare(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();
}
