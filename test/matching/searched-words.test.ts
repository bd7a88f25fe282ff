import { expect, test } from "vitest";
import { findTerm, readSearchTerms, wordsToIndex } from "../../src/matching/searched-words.ts";
import { cpuTime } from "../fixtures/cpu-time.ts";
import { SEARCHED_SENTENCES } from "./searched-sentences.ts";

/** True if a text contains the term as databases search for it. */
function has(text: string, search: string): boolean {
  const words = ` ${wordsToIndex(text)}`;
  const terms = readSearchTerms(search);
  return (
    terms.length > 0 &&
    terms.every((term) => term.some((one) => words.includes(` ${one.join(" ")}`)))
  );
}

test.each(Object.entries(SEARCHED_SENTENCES))(
  "words of %s are found as people type them",
  (_, sentence) => {
    const [text, ...searches] = sentence;
    expect(searches.filter((search) => !has(text, search))).toEqual([]);
  },
);

test("umlauts are found spelled out and without their dots, and what is spelled out is found with them", () => {
  const umlauts = "Jürgen Müller, Straße 5, Øre, Ålborg, Hansen-Jäger, mu\u0308de";
  const spelled = "Juergen Mueller, Strasse 5, Oere, Aalborg, Hansen-Jaeger, muede";
  for (const text of [umlauts, spelled]) {
    for (const search of ["mueller", "MÜLL", "juerg", "strasse", "Straße", "øre", "ålb"]) {
      expect([text, search, has(text, search)]).toEqual([text, search, true]);
    }
    expect([has(text, "hansen-jaeger"), has(text, "hansen-jäger"), has(text, "müde")]).toEqual([
      true,
      true,
      true,
    ]);
  }
  // A word with the same letters but no umlaut stays as it is.
  expect([has("poet", "pot"), has("Koenig", "konig")]).toEqual([false, false]);
});

test("words that a text does not have are not found in it", () => {
  expect(has("Größe 42", "rosse")).toBe(false);
  expect(has("手机 壳", "手机壳")).toBe(false);
  expect(has("退手货", "退货")).toBe(false);
  expect(has("ada@shop.example", "ada@example")).toBe(false);
});

test("a name beside characters without spaces is found with and without them", () => {
  const text = "我的iPhone手机坏了";
  for (const search of ["iphone", "手机", "iPhone手机", "我的iphone"]) {
    expect([search, has(text, search)]).toEqual([search, true]);
  }
});

test("words for the index have letters, digits and marks alone, whatever is written", () => {
  const odd = `ŉ ½ 'quoted" * & | ! :* \\ \u0000 \ud800 ﷺ ${"x".repeat(5_000)}`;
  const words = wordsToIndex(odd);
  expect(words).toMatch(/^[\p{L}\p{N}\p{M} ]+$/u);
  expect(words).not.toMatch(/ {2}|^ | $/);
  expect(Math.max(...words.split(" ").map((word) => word.length))).toBe(64);
  expect(readSearchTerms("?! … ***")).toEqual([]);
});

test("a term has its position in the text as it was written", () => {
  const place = (text: string, search: string): string | null => {
    const found = findTerm(text, readSearchTerms(search));
    return found && text.slice(found.at, found.at + found.length);
  };
  expect(place("Die Größe, bitte", "gross")).toBe("Größe");
  expect(place("我想退货，手机壳坏了", "手机壳")).toBe("手机壳");
  expect(place("我想退货", "货")).toBe("货");
  expect(place("Nothing here", "absent")).toBeNull();
  expect(place("Frau Müller, bitte", "muell")).toBe("Müller");
  expect(place("Frau Mueller, bitte", "müll")).toBe("Mueller");
});

test("a long text takes time in proportion to its length, whatever it is made of", async () => {
  for (const piece of ["a", "字", "é", "word ", "a·", "字a", "́"]) {
    const took = await cpuTime(() => wordsToIndex(piece.repeat(50_000)));
    expect([piece, took < 2_000]).toEqual([piece, true]);
  }
});
