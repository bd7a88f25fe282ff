import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";

const DIRECTORY = new URL("languages/", import.meta.url);
const QUERIES = 20;
const OUT_OF_SCOPE = 3;

const phrase = z.string().trim().min(1);
const id = z.int().positive();
const file = z.strictObject({
  language: phrase,
  contents: z
    .array(z.strictObject({ id, title: phrase, alternatives: z.array(phrase).min(1) }))
    .min(1),
  queries: z.array(z.strictObject({ text: phrase, id: id.nullable() })),
});

/**
 * Letters of the languages that are not written in Latin script. `scx` counts the long vowel mark
 * as kana.
 */
const LETTERS: ReadonlyMap<string, RegExp> = new Map([
  ["ar", /\p{scx=Arabic}/u],
  ["bg", /\p{scx=Cyrillic}/u],
  ["el", /\p{scx=Greek}/u],
  ["fa", /\p{scx=Arabic}/u],
  ["he", /\p{scx=Hebrew}/u],
  ["hi", /\p{scx=Devanagari}/u],
  ["ja", /[\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Han}]/u],
  ["ko", /\p{scx=Hangul}/u],
  ["ru", /\p{scx=Cyrillic}/u],
  ["sr", /\p{scx=Cyrillic}/u],
  ["th", /\p{scx=Thai}/u],
  ["uk", /\p{scx=Cyrillic}/u],
  ["zh", /\p{sc=Han}/u],
]);
const LATIN = /\p{scx=Latin}/u;

const names = readdirSync(DIRECTORY).sort();

it("there is one YAML file for each language", () => {
  expect(names).not.toEqual([]);
  expect(names.filter((name) => !/^[a-z]{2,3}\.yaml$/u.test(name))).toEqual([]);
});

describe.each(names)("%s", (name) => {
  const read = file.safeParse(parse(readFileSync(new URL(name, DIRECTORY), "utf8")));
  const { contents, queries } = read.data ?? { contents: [], queries: [] };
  const phrases = contents.flatMap(({ title, alternatives }) => [title, ...alternatives]);
  const texts = queries.map(({ text }) => text);

  it("has the documented shape and is named for its language", () => {
    expect(read.error?.issues ?? []).toEqual([]);
    expect(`${read.data?.language}.yaml`).toBe(name);
  });

  it("asks twenty questions, three of them out of scope", () => {
    expect(queries).toHaveLength(QUERIES);
    expect(queries.filter((query) => query.id === null)).toHaveLength(OUT_OF_SCOPE);
  });

  it("gives every content an id of its own, and every query an id that exists", () => {
    const ids = contents.map((content) => content.id);
    expect(repeated(ids)).toEqual([]);
    expect(queries.filter((query) => query.id !== null && !ids.includes(query.id))).toEqual([]);
  });

  it("has no duplicates: no query is a phrase, and no phrase belongs to two contents", () => {
    expect(repeated([...phrases, ...texts].map(bare))).toEqual([]);
  });

  it("is written in the script of its language, but for loan words", () => {
    const script = LETTERS.get(name.replace(/\.yaml$/u, "")) ?? LATIN;
    expect([...phrases, ...texts].filter((text) => !mostly(text, script))).toEqual([]);
  });
});

/** The text without differences in case, accents, punctuation and spacing. */
function bare(text: string): string {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");
}

/** At least half: "Wi-Fi" and "PayPal" are written in Latin letters everywhere. */
function mostly(text: string, script: RegExp): boolean {
  const letters = text.match(/\p{L}/gu) ?? [];
  return (
    letters.length > 0 &&
    letters.filter((letter) => script.test(letter)).length * 2 >= letters.length
  );
}

function repeated<T>(values: readonly T[]): T[] {
  return values.filter((value, at) => values.indexOf(value) !== at);
}
