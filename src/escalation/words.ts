import type { TriggerConfig } from "../config/escalation-config.ts";
import { spokenForm, spokenLanguage } from "../locales/spoken-form.ts";
import { PERSON_WORDS, type PersonWords } from "./person-words.ts";

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
  const read = (phrases: string): readonly string[] => phrasesOf(phrases, language);
  const person = anyOf(read(own.person));
  const asks = words ? read(own.ask).map((phrase) => phrase.replace(PERSON, person)) : [];
  const between = own.joined === true ? " ?" : " ";
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

/** Spoken forms hold letters, digits and spaces alone: nothing in them is special in a pattern. Of none, nothing matches. */
function anyOf(phrases: readonly string[]): string {
  return phrases.length === 0 ? "[]" : `(?:${phrases.join("|")})`;
}
