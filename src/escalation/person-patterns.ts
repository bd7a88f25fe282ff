import { spokenForm } from "../locales/spoken-form.ts";
import type { PersonWords } from "./person-words/types.ts";

/** {@link PersonWords} as parts of regular expressions over spoken forms. */
export interface PersonPatterns {
  /** What stands between two words. */
  readonly between: string;
  readonly asks: readonly string[];
  readonly alone: readonly string[];
  readonly before: string;
  /** What may stand behind. */
  readonly closing: string;
  /** What may stand behind with anything after it. */
  readonly opening: string;
}

/** @param language primary subtag, lower case */
export function personPatterns(words: PersonWords, language: string): PersonPatterns {
  const between = words.joined === true ? " ?" : " ";
  const read = (phrases: string): readonly string[] =>
    phrasesOf(phrases, language).map((phrase) => phrase.replaceAll(" ", between));
  const behind = words.after.split("|").filter((phrase) => phrase !== "");
  const joined = (phrases: readonly string[]): string => anyOf(read(phrases.join("|")));
  return {
    between,
    asks: wishes(read(words.ask), anyOf(read(words.person))),
    alone: read(words.alone),
    before: anyOf(read(words.before)),
    closing: joined(behind.filter((phrase) => !phrase.endsWith(REST))),
    opening: joined(behind.filter((phrase) => phrase.endsWith(REST))),
  };
}

/**
 * Stands for `~` while phrases are put into their spoken form: a letter that no language of ours
 * has.
 */
const PERSON = "\ua66e";
const REST = "…";

/** Each once: what differed in accents and punctuation is the same now. */
function phrasesOf(phrases: string, language: string): readonly string[] {
  const forms = phrases
    .split("|")
    .map((phrase) => spokenForm(phrase.replace("~", PERSON), language))
    .filter((phrase) => phrase !== "");
  return [...new Set(forms)];
}

/**
 * Patterns of what asks, with the persons in as few of them as may be: what stands before a person
 * is joined with what else is followed by the same. A product of both lists takes ten times as long
 * to compile.
 */
function wishes(asks: readonly string[], person: string): readonly string[] {
  const behind = new Map<string, string[]>();
  const plain: string[] = [];
  for (const ask of asks) {
    const [head = "", tail] = ask.split(PERSON, 2);
    if (tail === undefined) plain.push(head);
    else behind.set(head, [...(behind.get(head) ?? []), tail]);
  }
  const heads = new Map<string, string[]>();
  for (const [head, tails] of behind) {
    const rest = tails.length === 1 ? tails.join("") : `(?:${tails.join("|")})`;
    heads.set(rest, [...(heads.get(rest) ?? []), head]);
  }
  return [...plain, ...[...heads].map(([tail, before]) => anyOf(before) + person + tail)];
}

/**
 * Spoken forms hold letters, digits and spaces alone: nothing in them is special in a pattern. Of
 * none, nothing matches.
 */
export function anyOf(phrases: readonly string[]): string {
  return phrases.length === 0 ? "[]" : `(?:${phrases.join("|")})`;
}
