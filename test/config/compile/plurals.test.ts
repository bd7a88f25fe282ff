import { expect, test } from "vitest";
import { readPluralForms, compilePluralTexts } from "../../../src/config/compile/plurals.ts";

test("a few numbers find the plural categories that all whole numbers below 1,000 find", () => {
  const wrong: string[] = [];
  const languages = Intl.PluralRules.supportedLocalesOf(codes());
  expect(languages.length).toBeGreaterThan(200);
  for (const language of languages) {
    const rules = new Intl.PluralRules(language);
    const all = Array.from({ length: 1000 }, (_, number) => rules.select(number));
    const expected = [...new Set([...all, "other"])].sort().join();
    const { needed, samples } = readPluralForms(language);
    const found = needed.toSorted().join();
    if (found !== expected) wrong.push(`${language}: ${found} instead of ${expected}`);
    for (const [category, number] of samples) {
      if (rules.select(number) !== category) wrong.push(`${language}: ${number} is no ${category}`);
    }
  }
  expect(wrong).toEqual([]);
});

test("a number says the plural form of the language that it falls into", () => {
  const texts = compilePluralTexts("pl", { one: "a", few: "b", many: "c", other: "d" });
  expect(Object.fromEntries(texts)).toEqual({ one: "a", few: "b", many: "c", other: "d" });
});

test("a plural form that is missing is `other`", () => {
  const polish = compilePluralTexts("pl", { one: "a", other: "d" });
  expect(Object.fromEntries(polish)).toEqual({ one: "a", few: "d", many: "d", other: "d" });
  expect(compilePluralTexts("fr", { one: "a", other: "d" }).get("many")).toBe("d");
});

/** Everything that could be a language's code. */
function codes(): readonly string[] {
  const letters = "abcdefghijklmnopqrstuvwxyz".split("");
  const two = letters.flatMap((first) => letters.map((second) => first + second));
  return [...two, ...two.flatMap((start) => letters.map((third) => start + third))];
}
