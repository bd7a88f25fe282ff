import type { DetectedLanguage } from "../../api/knowledge/answers.ts";
import type { Content } from "../content/types.ts";
import { languageOf } from "../../locales/tag.ts";
import { foldText } from "../../matching/fold.ts";
import { foldWords } from "../../matching/analysis.ts";
import type { WordsOf } from "../../matching/types.ts";
import { wordsOfHtml } from "../../locales/html-text.ts";

/** Detects a text's language among those with contents or built-in lines. */
export type LanguageDetector = (text: string) => DetectedLanguage;

interface Profile {
  readonly language: string;
  /** True when there are contents in it. */
  readonly available: boolean;
  readonly counts: ReadonlyMap<string, number>;
  readonly total: number;
  readonly stops: ReadonlySet<string>;
  readonly scripts: ReadonlySet<string>;
}

/**
 * A naive Bayes classifier over character n-grams and stop words. In each language it learns from
 * the contents, the engine's own lines and its stop words. Languages of another script are
 * excluded. Languages with contents are preferred, because callers choose contents by the answer.
 */
export function createLanguageDetector(content: Content, words: WordsOf): LanguageDetector {
  const names = new Set([...content.languages.keys(), ...content.texts.keys()]);
  const profiles = [...names].map((name) => profileOf(content, name, words));

  return (text) => {
    const words = wordsOf(text.slice(0, READ));
    const candidates = writersOf(words.join(""), profiles);
    if (words.length === 0 || candidates.length === 0) return undecided;
    const grams = words.flatMap(gramsOf);
    const logs = candidates.map((profile) => ({
      language: profile.language,
      log: logOf(grams, words, profile),
    }));
    const best = Math.max(...logs.map(({ log }) => log));
    const whole = sum(logs.map(({ log }) => Math.exp(log - best)));
    const results = logs
      .map(({ language, log }) => ({ language, score: Math.exp(log - best) / whole }))
      .toSorted((a, b) => b.score - a.score || (a.language < b.language ? -1 : 1))
      .slice(0, 5)
      .map(({ language, score }) => ({ language, score: Math.floor(score * 1000) / 1000 }));
    const [first] = results;
    if (first === undefined || first.score < MIN_SCORE) return { ...undecided, results };
    const available = content.languages.has(first.language);
    return { language: first.language, available, results };
  };
}

const undecided: DetectedLanguage = { language: null, available: false, results: [] };

const READ = 2000;
/** Score below which the text says too little. */
const MIN_SCORE = 0.3;
/** Characters learnt per language, so that a large content base does not outweigh the rest. */
const LEARNT = 100_000;
/** How much likelier a language with contents is. */
const PREFERENCE = Math.log(20);
/** The least share of stop words among a text's words, in languages that separate words. */
const STOPS = 0.4;

function profileOf(content: Content, language: string, wordsIn: WordsOf): Profile {
  const base = languageOf(language);
  const stops = foldWords(wordsIn(base)?.function, base);
  const words = [...samplesOf(content, language), ...stops].flatMap(wordsOf);
  const counts = new Map<string, number>();
  let total = 0;
  for (const gram of words.flatMap(gramsOf)) {
    counts.set(gram, (counts.get(gram) ?? 0) + 1);
    total += 1;
  }
  const scripts = new Set(scriptsOf(words.join(""), 0.02));
  return { language, available: content.languages.has(language), counts, total, stops, scripts };
}

function samplesOf(content: Content, language: string): readonly string[] {
  const samples: string[] = Object.values(content.texts.get(language) ?? {});
  let room = LEARNT;
  for (const { title, alternatives, answers } of content.languages.get(language)?.items ?? []) {
    if (room <= 0) break;
    const texts = [title, ...alternatives, ...answers.map(wordsOfHtml)];
    room -= sum(texts.map(({ length }) => length));
    samples.push(...texts);
  }
  return samples;
}

function logOf(grams: readonly string[], words: readonly string[], profile: Profile): number {
  const letters =
    sum(grams.map((gram) => measureLikelihood(gram, profile))) / Math.sqrt(grams.length);
  const { language, stops } = profile;
  const isStop = (word: string): boolean => stops.has(foldText(word, language));
  const telling = sum(
    words.map((word) => Math.log(isStop(word) ? STOPS / stops.size : (1 - STOPS) / 1e4)),
  );
  return letters + telling / Math.sqrt(words.length) + (profile.available ? PREFERENCE : 0);
}

// Longer pieces are stronger evidence, and neighbouring pieces are not independent of each other.
function measureLikelihood(gram: string, { counts, total }: Profile): number {
  return gram.length * Math.log(((counts.get(gram) ?? 0) + 0.1) / (total + 1000));
}

/** Lists the languages that use all scripts of a text, or else those of its main script. */
function writersOf(letters: string, profiles: readonly Profile[]): readonly Profile[] {
  const found = scriptsOf(letters, 0.15);
  const all = profiles.filter(({ scripts }) => found.every((script) => scripts.has(script)));
  return all.length > 0 ? all : profiles.filter(({ scripts }) => scripts.has(found[0] ?? "other"));
}

const SCRIPTS: readonly (readonly [string, RegExp])[] = [
  "Latin",
  "Cyrillic",
  "Greek",
  "Arabic",
  "Hebrew",
  "Thai",
  "Hangul",
  "Han",
  "Hiragana",
  "Katakana",
].map((name) => [name, new RegExp(`\\p{Script=${name}}`, "gu")]);

/** Lists the scripts of at least this share of the letters, the most frequent first. */
function scriptsOf(letters: string, share: number): readonly string[] {
  const counts: [string, number][] = SCRIPTS.map(([name, pattern]) => [
    name,
    letters.match(pattern)?.length ?? 0,
  ]);
  const other = Array.from(letters).length - sum(counts.map(([, count]) => count));
  return [...counts, ["other", other] satisfies [string, number]]
    .filter(([, count]) => count > letters.length * share)
    .toSorted((a, b) => b[1] - a[1])
    .map(([name]) => name);
}

function wordsOf(text: string): readonly string[] {
  return (
    text
      .toLowerCase()
      .normalize("NFC")
      .match(/[\p{L}\p{M}]+/gu) ?? []
  );
}

/** Pieces of one to three letters of a word, with its ends. */
function gramsOf(word: string): string[] {
  const letters = Array.from(` ${word} `);
  const grams: string[] = [];
  for (let at = 0; at < letters.length; at += 1) {
    for (let length = 1; length <= 3 && at + length <= letters.length; length += 1) {
      const gram = letters.slice(at, at + length).join("");
      if (gram !== " ") grams.push(gram);
    }
  }
  return grams;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((left, right) => left + right, 0);
}
