import { loadMatchingWords } from "../../../src/config/load/matching-words.ts";
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { loadContent } from "../../../src/backend/content/load.ts";
import { createLanguageDetector } from "../../../src/backend/knowledge/language-detector.ts";
import { contentDirectory } from "../client.ts";
import { service } from "./service.ts";

const samples = new URL("../../matching/languages/", import.meta.url).pathname;

/** Short questions in 30 languages, none of which the detector has learnt. */
const questions = readdirSync(samples).flatMap((file) => {
  const { language, contents } = parse(readFileSync(`${samples}${file}`, "utf8")) as {
    readonly language: string;
    readonly contents: readonly { readonly title: string; readonly alternatives?: string[] }[];
  };
  return contents
    .flatMap(({ title, alternatives = [] }) => [title, ...alternatives])
    .map((text) => ({ text, language }));
});

describe("the language detector", () => {
  test("distinguishes the languages of contents, and mostly those of the engine's own lines", async () => {
    const detect = createLanguageDetector(await loadContent(contentDirectory), loadMatchingWords);
    const share = (languages: readonly string[] | null): number => {
      const asked = questions.filter(({ language }) => languages?.includes(language) ?? true);
      const right = asked.filter(({ text, language }) => detect(text).language === language);
      return right.length / asked.length;
    };
    expect(questions.length).toBeGreaterThan(1000);
    expect(share(["en", "es", "fr"])).toBeGreaterThan(0.95);
    expect(share(["ar", "el", "he", "ja", "ko", "th", "zh"])).toBeGreaterThan(0.95);
    expect(share(null)).toBeGreaterThan(0.8);
  });

  test("reports whether there are contents in the language", async () => {
    const detect = createLanguageDetector(await loadContent(contentDirectory), loadMatchingWords);
    expect(detect("¿Dónde está mi pedido?")).toMatchObject({ language: "es", available: true });
    expect(detect("Guten Tag, wo ist mein Paket?")).toMatchObject({
      language: "de",
      available: false,
    });
  });

  test.each(["12345", "😀", "?!", "ዕቃዬ የት ነው"])("finds no language for %s", async (query) => {
    const { ask } = await service(null);
    const { body } = await ask("POST", "/language-detector", { query });
    expect(body).toEqual({ language: null, available: false, results: [] });
  });

  test("is asked by POST or GET, as `query` or `text`, and records nothing", async () => {
    const { ask, events } = await service(null);
    for (const { body } of [
      await ask("POST", "/language-detector", { query: "返金はいつ" }),
      await ask("POST", "/language-detector/", { text: "返金はいつ" }),
      await ask("GET", `/language-detector?query=${encodeURIComponent("返金はいつ")}`),
    ]) {
      expect(body).toEqual({
        language: "ja",
        available: true,
        results: [{ language: "ja", score: 1 }],
      });
    }
    expect((await ask("POST", "/language-detector", {})).status).toBe(422);
    expect(await events()).toEqual([]);
  });
});
