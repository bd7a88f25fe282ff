import type { TriggerConfig } from "../config/escalation-config.ts";
import { spokenForm, spokenLanguage } from "../locales/spoken-form.ts";
import type { PersonWords } from "./person-words/types.ts";
import { PERSON_WORDS } from "./person-words.ts";

/**
 * True when a reader asks for a person in their own words: in the language's, unless `words` is off, or in the owner's
 * `moreWords` for the tag, its language, or `*`. Never throws.
 *
 * @param question what was typed; null: nothing was
 * @param locale tag of the reader's language
 */
export function asksForPerson(
  triggers: TriggerConfig,
  question: string | null,
  locale: string,
): boolean {
  if (question === null) return false;
  // Who asks for a person does so soon: a pasted letter is not read to its end.
  const text = question.slice(0, longest);
  const { clause, whole } = matcherOf(triggers, locale);
  const language = spokenLanguage(locale);
  const spoken = (part: string): string => spokenForm(part, language);
  const all = spoken(text);
  return (
    whole.test(all) ||
    clause.test(all) ||
    text.split(CLAUSES).some((part) => clause.test(spoken(part)))
  );
}

const longest = 500;
const CLAUSES = /[.!?;:,\n\r…。！？；、，،؟¿¡()]+/u;

interface Matcher {
  readonly clause: RegExp;
  readonly whole: RegExp;
}

// Both keys are few: configurations, and the locales of loaded tables.
const made = new WeakMap<TriggerConfig, Map<string, Matcher>>();

function matcherOf(triggers: TriggerConfig, locale: string): Matcher {
  const known = made.get(triggers) ?? new Map<string, Matcher>();
  made.set(triggers, known);
  const found = known.get(locale) ?? compile(triggers, locale);
  known.set(locale, found);
  return found;
}

const SILENCE: PersonWords = { person: "", ask: "", alone: "", before: "", after: "" };

function compile({ words, moreWords }: TriggerConfig, locale: string): Matcher {
  const language = spokenLanguage(locale);
  const own = PERSON_WORDS.get(language) ?? SILENCE;
  const more = Object.entries(moreWords)
    .filter(([tag]) => tag === "*" || tag === locale || tag === language)
    .flatMap(([, phrases]) => phrases.flatMap((phrase) => spokenForm(phrase, language)))
    .filter((phrase) => phrase !== "");
  const between = own.joined === true ? " ?" : " ";
  const read = (phrases: string): readonly string[] =>
    phrasesOf(phrases, language).map((phrase) => phrase.replaceAll(" ", between));
  const asks = words ? wishes(read(own.ask), anyOf(read(own.person))) : [];
  const before = read(own.before);
  const behind = own.after.split("|").filter((phrase) => phrase !== "");
  const closing = read(behind.filter((phrase) => !phrase.endsWith(REST)).join("|"));
  const opening = read(behind.filter((phrase) => phrase.endsWith(REST)).join("|"));
  const around = (core: readonly string[]): RegExp =>
    new RegExp(
      `^(?:${anyOf(before)}${between}){0,6}${anyOf(core)}(?:${between}${anyOf(closing)}){0,3}(?:${between}${anyOf(opening)}(?:${between}.*)?)?$`,
      "u",
    );
  return { clause: around([...asks, ...more]), whole: around(words ? read(own.alone) : []) };
}

/** Stands for `~` while phrases are put into their spoken form: a letter that no language of ours has. */
const PERSON = "\ua66e";
const REST = "…";

function phrasesOf(phrases: string, language: string): readonly string[] {
  return phrases
    .split("|")
    .map((phrase) => spokenForm(phrase.replace("~", PERSON), language))
    .filter((phrase) => phrase !== "");
}

/**
 * Patterns of what asks, with the persons in as few of them as may be: what stands before a person is joined with what else
 * is followed by the same. A product of both lists takes ten times as long to compile.
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

/** Spoken forms hold letters, digits and spaces alone: nothing in them is special in a pattern. Of none, nothing matches. */
function anyOf(phrases: readonly string[]): string {
  return phrases.length === 0 ? "[]" : `(?:${phrases.join("|")})`;
}
