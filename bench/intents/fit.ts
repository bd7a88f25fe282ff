/**
 * Fits the weights of src/matching/likelihood.ts: a logistic regression over the tuning half of the
 * small bases and over samples of a large one. Prints the weights, and each base's result when it
 * is left out.
 */
import { readIntentData } from "./data.ts";
import { loadMatchingWords } from "../../src/config/load/matching-words.ts";
import { createMatcher } from "../../src/matching/matcher.ts";
import type { Searchable } from "../../src/matching/types.ts";
import { readLanguages } from "./languages.ts";
import { readSmallBases } from "./small-bases.ts";
import { readOptions, text } from "../options.ts";

interface Lesson {
  readonly base: string;
  readonly kind: string;
  readonly features: readonly number[];
  readonly right: boolean;
  readonly exact: boolean;
  readonly weight: number;
}

const { data, bases, languages } = readOptions({
  name: "node bench/intents/fit.ts",
  about: "Fits the weights of src/matching/likelihood.ts and prints them.",
  options: {
    data: text("questions with their intents, as `bench -- intents` takes them", "FILE", ""),
    languages: text("folder of written queries per language", "DIR", "test/matching/languages"),
    bases: text("folder of small bases to learn from", "DIR", "bench/intents/bases/tuning"),
  },
  fails: "something broke",
});

const ridge = 0.5;
/**
 * The weight of one question. Readers of a base with many phrases nearly always ask about its
 * subjects, so in-scope questions weigh more there, and less in a sample of few phrases.
 */
const shares = { small: 1, written: 0.6, sample: 0.15, inScope: [0.5, 3.5, 10] } as const;

const lessons = [
  ...smallLessons(bases),
  ...writtenLessons(languages),
  ...(data === "" ? [] : largeLessons(data)),
];
const names = [...new Set(lessons.filter(isSmall).map(({ base }) => base))];
const scored = names.flatMap((name) => {
  const weights = fit(lessons.filter(({ base }) => base !== name));
  return lessons
    .filter(({ base }) => base === name)
    .map((lesson) => ({ ...lesson, score: lesson.exact ? 1 : scoreOf(weights, lesson.features) }));
});
report("all, each base left out", scored);
for (const name of names)
  report(
    name,
    scored.filter(({ base }) => base === name),
  );
const weights = fit(lessons);
console.log(JSON.stringify(weights.map((weight) => Number(weight.toFixed(3)))));

function isSmall({ base }: Lesson): boolean {
  return !base.startsWith("sample");
}

function report(name: string, some: readonly (Lesson & { readonly score: number })[]): void {
  const outside = some.filter(({ kind }) =>
    ["smallTalk", "neighbouring", "sharing"].includes(kind),
  );
  const shared = some.filter(({ kind }) => kind === "shared");
  const share = (
    of: readonly { readonly score: number; readonly right: boolean }[],
    from: number,
  ) => of.filter(({ score, right }) => score >= from && right).length / of.length;
  const at = (from: number): string => {
    const refused = outside.filter(({ score }) => score < from).length / outside.length;
    const right = share(shared, from);
    return `${from.toFixed(2)}: refused ${refused.toFixed(3)} right ${right.toFixed(3)}`;
  };
  const sorted = outside.map(({ score }) => score).toSorted((a, b) => b - a);
  const least = (sorted[Math.floor(sorted.length * 0.12)] ?? 0) + 1e-9;
  console.log(`${name.padEnd(26)} ${at(0.5)}   at 88 % refused ${at(least)}`);
}

function smallLessons(folder: string): readonly Lesson[] {
  return readSmallBases(folder).flatMap(({ base, language, contents, questions }) =>
    lessonsOf(base, language, contents, questions, shares.small),
  );
}

/** The written queries of every language, whose questions must still be answered. */
function writtenLessons(folder: string): readonly Lesson[] {
  return readLanguages(folder).flatMap(({ locale, language, contents, queries }) =>
    lessonsOf(
      `sample ${locale}`,
      language,
      contents,
      queries.map((query) => ({ kind: "in", ...query })),
      shares.written,
    ),
  );
}

/** Bases of every size, drawn from a large one, so that large bases keep their results. */
function largeLessons(file: string): readonly Lesson[] {
  const phrases = new Map<string, string[]>();
  for (const { text, intent } of readIntentData(file).train) {
    phrases.set(intent, [...(phrases.get(intent) ?? []), text]);
  }
  const random = createRandom();
  const shuffled = <T>(list: readonly T[]): T[] =>
    list
      .map((one) => [random(), one] as const)
      .toSorted(([a], [b]) => a - b)
      .map(([, one]) => one);
  const sizes = [
    [5, 3, 6],
    [15, 3, 4],
    [40, 2, 2],
    [15, 10, 3],
    [40, 10, 2],
    [40, 30, 2],
    [120, 5, 1],
    [120, 20, 1],
    [120, 80, 1],
  ] as const;
  return sizes.flatMap(([count, each, times]) =>
    Array.from({ length: times }, (_, time) => {
      const order = shuffled([...phrases.keys()]);
      const [chosen, others] = [order.slice(0, count), order.slice(count)];
      const questions: { kind: string; text: string; id: number | null }[] = [];
      const contents = chosen.map((name, id) => {
        const own = shuffled(phrases.get(name) ?? []);
        const asked = own.slice(0, Math.max(1, Math.ceil(150 / count)));
        for (const text of asked) questions.push({ kind: "in", text, id });
        return { id, phrases: own.slice(20, 20 + each) };
      });
      for (const text of shuffled(others.flatMap((name) => phrases.get(name) ?? [])).slice(
        0,
        100,
      )) {
        questions.push({ kind: "out", text, id: null });
      }
      return lessonsOf(
        `sample ${count} x ${each}, ${time}`,
        "en",
        contents,
        questions,
        shares.sample,
        each,
      );
    }).flat(),
  );
}

function lessonsOf(
  base: string,
  language: string,
  contents: readonly Searchable[],
  questions: readonly {
    readonly kind: string;
    readonly text: string;
    readonly id: number | null;
  }[],
  weight: number,
  phrases = 1,
): readonly Lesson[] {
  const matcher = createMatcher(contents, { language, words: loadMatchingWords(language) });
  return questions.map(({ kind, text, id }) => {
    const { hits, evidence } = matcher.explain(text);
    return {
      base,
      kind,
      features: evidence ?? [],
      right: hits[0]?.id === id,
      exact: hits[0]?.exact === true,
      // No evidence supports the expected content.
      weight: kind === "different" ? 0 : weight * (kind === "in" ? inScopeShare(phrases) : 1),
    };
  });
}

function inScopeShare(phrases: number): number {
  const [few, some, many] = shares.inScope;
  return phrases >= 20 ? many : phrases >= 10 ? some : few;
}

function scoreOf(
  [constant = 0, ...weights]: readonly number[],
  features: readonly number[],
): number {
  if (features.length === 0) return 0;
  const sum = features.reduce((all, value, at) => all + value * (weights[at] ?? 0), constant);
  return 1 / (1 + Math.exp(-sum));
}

/** Newton's method on standardised features, with a little ridge. */
function fit(all: readonly Lesson[]): readonly number[] {
  const some = all.filter(
    ({ features, exact, weight }) => features.length > 0 && !exact && weight > 0,
  );
  const size = some[0]?.features.length ?? 0;
  const total = some.reduce((sum, { weight }) => sum + weight, 0);
  const means = Array.from(
    { length: size },
    (_, at) => some.reduce((sum, one) => sum + one.weight * (one.features[at] ?? 0), 0) / total,
  );
  const spreads = means.map(
    (mean, at) =>
      Math.sqrt(
        some.reduce((sum, one) => sum + one.weight * ((one.features[at] ?? 0) - mean) ** 2, 0) /
          total,
      ) || 1,
  );
  const rows = some.map(({ features }) => [
    1,
    ...features.map((value, at) => (value - (means[at] ?? 0)) / (spreads[at] ?? 1)),
  ]);
  let weights = Array.from({ length: size + 1 }, () => 0);
  for (let round = 0; round < 30; round += 1) {
    const gradient = weights.map((weight, at) => (at === 0 ? 0 : -ridge * weight));
    const curvature: number[][] = weights.map((_, at) =>
      weights.map((__, to) => (at === to ? (at === 0 ? 1e-6 : ridge) : 0)),
    );
    for (const [index, row] of rows.entries()) {
      const { right = false, weight = 0 } = some[index] ?? {};
      const sum = row.reduce((before, value, at) => before + value * (weights[at] ?? 0), 0);
      const likely = 1 / (1 + Math.exp(-sum));
      const bend = weight * likely * (1 - likely);
      for (const [at, value] of row.entries()) {
        gradient[at] = (gradient[at] ?? 0) + weight * ((right ? 1 : 0) - likely) * value;
        const line = curvature[at];
        if (line === undefined) continue;
        for (const [to, other] of row.entries()) line[to] = (line[to] ?? 0) + bend * value * other;
      }
    }
    const step = solve(curvature, gradient);
    weights = weights.map((weight, at) => weight + (step[at] ?? 0));
  }
  const scaled = weights.slice(1).map((weight, at) => weight / (spreads[at] ?? 1));
  const constant =
    (weights[0] ?? 0) - scaled.reduce((sum, weight, at) => sum + weight * (means[at] ?? 0), 0);
  return [constant, ...scaled];
}

/** Gaussian elimination with pivots. */
function solve(
  matrix: readonly (readonly number[])[],
  values: readonly number[],
): readonly number[] {
  const rows = matrix.map((row, at) => [...row, values[at] ?? 0]);
  const size = rows.length;
  for (let at = 0; at < size; at += 1) {
    const pivot = rows
      .slice(at)
      .reduce((best, row) => (Math.abs(row[at] ?? 0) > Math.abs(best[at] ?? 0) ? row : best));
    const from = rows.indexOf(pivot);
    rows[from] = rows[at] ?? [];
    rows[at] = pivot;
    for (const [other, row] of rows.entries()) {
      if (other === at) continue;
      const factor = (row[at] ?? 0) / (pivot[at] ?? 1);
      for (let column = at; column <= size; column += 1)
        row[column] = (row[column] ?? 0) - factor * (pivot[column] ?? 0);
    }
  }
  return rows.map((row, at) => (row[size] ?? 0) / (row[at] ?? 1));
}

/** The same numbers in every run. */
function createRandom(): () => number {
  let seed = 7;
  return () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed / 2_147_483_648;
  };
}
