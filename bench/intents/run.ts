/**
 * Measures how well and how fast questions find their contents: `npm run bench -- intents --help`.
 */
import { loadMatchingWords } from "../../src/config/load/matching-words.ts";
import { cpus } from "node:os";
import { flag, optionalText, readOptions, text, whole } from "../options.ts";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createMatcher } from "../../src/matching/matcher.ts";
import { readIntentData } from "./data.ts";
import { askLanguages } from "./languages.ts";
import { splitQuery } from "../../src/backend/knowledge/split-query.ts";
import { createAnalyser } from "../../src/matching/analysis.ts";
import type { Hit, Matcher, Searchable } from "../../src/matching/types.ts";
import type { LanguageResult } from "./languages.ts";
import type { IntentScores, Share, Times } from "./measures.ts";
import { scoreIntents, timeQueries, timeSearches } from "./measures.ts";
import { inventContents } from "./scale.ts";
import { askSmallBases, reliability, scoreSmallBases, type SmallScores } from "./small-bases.ts";

/** The cost of building an index. */
interface Cost {
  readonly milliseconds: number;
  /** The processor's time for this thread. */
  readonly cpuMilliseconds: number;
  readonly megabytes: number;
}

/** The results of one set of questions with their intents. */
interface IntentReport {
  readonly data: string;
  readonly contents: number;
  readonly phrases: number;
  readonly threshold: number;
  readonly scores: IntentScores;
  readonly index: Cost;
  readonly query: Times;
  readonly large: {
    readonly contents: number;
    readonly phrases: number;
    readonly index: Cost;
    readonly query: Times;
    /** The longest questions: 512 characters of its own words. */
    readonly longest: Times;
    /** The same, split into their questions first. */
    readonly split: Times;
  } | null;
}

interface Report {
  readonly date: string;
  readonly machine: string;
  /** Null without `--data`. */
  readonly intents: IntentReport | null;
  readonly small: readonly SmallBaseScores[];
  readonly reliability: ReturnType<typeof reliability>;
  readonly languages: readonly LanguageResult[];
}

interface SmallBaseScores {
  /** Name of the base, or `all`. */
  readonly base: string;
  readonly scores: SmallScores;
}

const {
  data: dataFile,
  languages,
  bases,
  contents,
  json,
} = readOptions({
  name: "npm run bench -- intents",
  about:
    "How well and how fast questions find their content, over a set of questions with their intents. docs/matching.md has the protocol.",
  options: {
    data: optionalText(
      'JSON: {"train": [[text, intent]], "val": [[text, intent]], "oos_val": [[text, "oos"]]}',
      "FILE",
      "none: this part is left out",
    ),
    languages: text("folder of written queries per language", "DIR", "test/matching/languages"),
    bases: text("folder of small bases", "DIR", "bench/intents/bases/tuning"),
    contents: whole("contents of the large base, 0 for none", 20_000, 0),
    json: flag("one JSON object instead of the table"),
  },
  fails: "something broke",
});
const asked = askSmallBases(bases);
const report: Report = {
  date: new Date().toISOString().slice(0, 10),
  machine: `${cpus().length} x ${cpus()[0]?.model.trim() ?? "unknown"}, Node ${process.version}`,
  intents: dataFile === null ? null : measure(dataFile, contents),
  small: [
    { base: "all", scores: scoreSmallBases(asked) },
    ...[...Map.groupBy(asked, ({ base }) => base)].map(([base, own]) => ({
      base,
      scores: scoreSmallBases(own),
    })),
  ],
  reliability: reliability(asked),
  languages: askLanguages(languages),
};
console.log(json ? JSON.stringify(report) : table(report));

function measure(file: string, size: number): IntentReport {
  const data = readIntentData(file);
  const phrases = new Map<string, string[]>();
  for (const { text, intent } of data.train) {
    phrases.set(intent, [...(phrases.get(intent) ?? []), text]);
  }
  const intents = [...phrases.keys()];
  const contents = [...phrases.values()].map((own, id) => ({ id, phrases: own }));
  const built = build(contents);
  const scores = scoreIntents(built.matcher, data, intents);
  const questions = [...data.val.map(({ text }) => text), ...data.outOfScope];
  const query = timeQueries(built.matcher, questions, 3_000);
  return {
    data: file,
    contents: contents.length,
    phrases: data.train.length,
    threshold: built.matcher.search("").threshold,
    scores,
    index: built.cost,
    query,
    large:
      size === 0
        ? null
        : measureLarge(
            data.train.map(({ text }) => text),
            size,
            questions,
          ),
  };
}

function measureLarge(
  sentences: readonly string[],
  size: number,
  questions: readonly string[],
): IntentReport["large"] {
  const contents = inventContents(sentences, size, 6);
  const { matcher, cost } = build(contents);
  const query = timeQueries(matcher, questions.slice(0, 3_000), 3_000);
  const phrases = contents.flatMap((one) => one.phrases);
  const longest = Array.from({ length: 40 }, (_, at) =>
    phrases
      .filter((__, phrase) => phrase % 40 === at)
      .join(" ")
      .slice(0, 512),
  );
  const { stops } = createAnalyser("en", loadMatchingWords("en"));
  const findBest = (text: string): Hit | null => {
    const { hits, threshold } = matcher.search(text, 8);
    return hits.find(({ score }) => score >= threshold) ?? null;
  };
  const split = (query: string): void => {
    const parts = splitQuery(query, { language: "en", stops, limit: 10, findBest });
    for (const part of parts) matcher.search(part);
  };
  return {
    contents: size,
    phrases: size * 6,
    index: cost,
    query,
    longest: timeQueries(matcher, longest, 200),
    split: timeSearches(split, longest, 80),
  };
}

function build(contents: readonly Searchable[]): { matcher: Matcher; cost: Cost } {
  const before = memory();
  const cpu = process.threadCpuUsage();
  const began = performance.now();
  const matcher = createMatcher(contents, { language: "en", words: loadMatchingWords("en") });
  const milliseconds = performance.now() - began;
  const { user, system } = process.threadCpuUsage(cpu);
  const megabytes = (memory() - before) / 1e6;
  return { matcher, cost: { milliseconds, cpuMilliseconds: (user + system) / 1000, megabytes } };
}

/** Bytes that are held, after a collection. */
function memory(): number {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect === "function") Reflect.apply(collect, undefined, []);
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function table({ date, machine, intents, small, reliability: rows, languages }: Report): string {
  const lines = [
    `${date}  ${machine}`,
    ...(intents === null ? [] : intentLines(intents)),
    "small bases                    own    shared  different   refused  small talk  neighbouring  sharing",
    ...small.map(({ base, scores }) => smallLine(base, scores)),
    "score           contents that came first, and the share that was meant",
    ...rows.map(
      ({ from, to, right }) =>
        `${from.toFixed(1)} to ${to.toFixed(1)}   ${String(right.of).padStart(5)}   ${percent(right)}`,
    ),
  ];
  for (const { locale, right, of, wrong } of languages) {
    lines.push(
      `${locale.padEnd(8)} ${right} of ${of}`,
      ...wrong.map((line) => `           ${line}`),
    );
  }
  const all = languages.reduce((sum, { right }) => sum + right, 0);
  lines.push(`written questions of all languages: ${all} right`);
  return lines.join("\n");
}

function smallLine(base: string, scores: SmallScores): string {
  const { own, shared, different, refused, smallTalk, neighbouring, sharing } = scores;
  const cells = [own, shared, different, refused, smallTalk, neighbouring, sharing].map(percent);
  return [base.padEnd(24), ...cells.map((cell) => cell.padStart(9))].join(" ");
}

function percent({ share }: Share): string {
  return `${(100 * share).toFixed(1)} %`;
}

function intentLines(report: IntentReport): readonly string[] {
  const { scores, query, large } = report;
  const lines = [
    `${report.data}: ${report.contents} contents, ${report.phrases} phrases, threshold ${report.threshold}`,
    `in scope, right and above the threshold   ${written(scores.inScope)}`,
    `  without the threshold                   ${written(scores.inScopeWithoutThreshold)}`,
    `  right, or offered among rivals          ${written(scores.inScopeOffered)}`,
    `out of scope, refused                     ${written(scores.outOfScope)}`,
    `precision of the answers                  ${written(scores.precision)}`,
    `precision of the refusals                 ${written(scores.refusalPrecision)}`,
    `index ${costs(report.index)}; ${timed(query)}`,
  ];
  if (large !== null) {
    lines.push(
      `${large.contents} contents, ${large.phrases} phrases: index ${costs(large.index)}; ${timed(large.query)}`,
      `  of 512 characters: ${timed(large.longest)}`,
      `  the same, split: ${timed(large.split)}`,
    );
  }
  return lines;
}

function costs({ milliseconds, cpuMilliseconds, megabytes }: Cost): string {
  const seconds = (value: number): string => (value / 1000).toFixed(1);
  return `${seconds(milliseconds)} s (CPU ${seconds(cpuMilliseconds)} s), ${megabytes.toFixed(0)} MB`;
}

function written({ share, low, high, hits, of }: Share): string {
  const percent = (value: number): string => (100 * value).toFixed(1);
  return `${percent(share).padStart(5)} %  (95 %: ${percent(low)} to ${percent(high)}; ${hits} of ${of})`;
}

function timed({ queries, p50, p99, max, cpuMean }: Times): string {
  const elapsed = `p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms, slowest ${max.toFixed(1)} ms`;
  return `${queries} queries: ${elapsed}; CPU ${cpuMean.toFixed(2)} ms on average`;
}
