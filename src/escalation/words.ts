import type { TriggerConfig } from "../config/escalation-config.ts";
import { spokenForm, spokenLanguage } from "../locales/spoken-form.ts";
import { anyOf, type PersonPatterns } from "./person-patterns.ts";
import { patternsIn } from "./spoken-patterns.ts";

/**
 * True when a reader asks for a person in their own words: in the language's, unless `words` is
 * off, or in the owner's `moreWords` for the tag, its language, or `*`. Never throws.
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
  /** What it was made of: a runtime may have a language's patterns only later. */
  readonly own: PersonPatterns;
  readonly clause: RegExp;
  readonly whole: RegExp;
}

// Both keys are few: configurations, and the locales of loaded tables.
const made = new WeakMap<TriggerConfig, Map<string, Matcher>>();

function matcherOf(triggers: TriggerConfig, locale: string): Matcher {
  const known = made.get(triggers) ?? new Map<string, Matcher>();
  made.set(triggers, known);
  const language = spokenLanguage(locale);
  const own = patternsIn(language) ?? SILENCE;
  const found = known.get(locale);
  if (found?.own === own) return found;
  const matcher = compile(triggers, locale, language, own);
  known.set(locale, matcher);
  return matcher;
}

const SILENCE: PersonPatterns = {
  between: " ",
  asks: [],
  alone: [],
  before: "[]",
  closing: "[]",
  opening: "[]",
};

function compile(
  { words, moreWords }: TriggerConfig,
  locale: string,
  language: string,
  own: PersonPatterns,
): Matcher {
  const { between, before, closing, opening } = own;
  const more = Object.entries(moreWords)
    .filter(([tag]) => tag === "*" || tag === locale || tag === language)
    .flatMap(([, phrases]) => phrases.map((phrase) => spokenForm(phrase, language)))
    .filter((phrase) => phrase !== "");
  const around = (core: readonly string[]): RegExp =>
    new RegExp(
      `^(?:${before}${between}){0,6}${anyOf(core)}(?:${between}${closing}){0,3}(?:${between}${opening}(?:${between}.*)?)?$`,
      "u",
    );
  return {
    own,
    clause: around([...(words ? own.asks : []), ...more]),
    whole: around(words ? own.alone : []),
  };
}
