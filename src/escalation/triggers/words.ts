import type { TriggerConfig } from "../../config/escalation-config.ts";
import type { PersonWords } from "../../locales/phrases.ts";
import type { Recognition } from "../../locales/recognition.ts";
import { patternOf, phrasesOf, toSpokenForm } from "../../locales/spoken-form.ts";
import { toSpokenLanguage } from "../../locales/tag.ts";
import { createWordPairs, type IsLikeRequest } from "./word-pairs.ts";

/**
 * True when a reader asks for a person in their own words: in the language's, unless `words` is
 * off, in the owner's own words, or in `moreWords` for the tag, its language, or `*`. Never throws.
 *
 * @param question the typed text, or null
 * @param locale tag of the reader's language
 */
export function asksForPerson(
  triggers: TriggerConfig,
  recognition: Recognition,
  question: string | null,
  locale: string,
): boolean {
  if (question === null) return false;
  // A reader who asks for a person does so early, so a long pasted text is not read to its end.
  const text = question.slice(0, maxLength).replaceAll(PHONE_NUMBER, " ");
  const language = toSpokenLanguage(locale);
  const words = recognition.personWords(language);
  const { clause, whole, filler, isLikeRequest } = matcherOf(triggers, words, locale, language);
  const asks = (part: string): boolean =>
    clause.test(part) || clause.test(part.replaceAll(filler, "").trim());
  const speakPart = (part: string): string => toSpokenForm(part, language);
  const correctPart = (part: string): string => recognition.corrected(part, language);
  // Typing mistakes are corrected by Afterword's words, which an owner's may resemble.
  const asksAsListed = [speakPart, correctPart].some((read) => {
    const all = read(text);
    const parts = text.split(CLAUSES).map(read);
    const clauses = parts.filter((part) => part !== "");
    return (
      whole.test(dropRepetition(all)) ||
      asks(all) ||
      clauses.some(asks) ||
      // "Customer service, please, a person."
      (clauses.length > 0 && clauses.every((part) => whole.test(part)))
    );
  });
  if (asksAsListed || !text.split(CLAUSES).map(correctPart).some(isLikeRequest))
    return asksAsListed;
  // "I don't want to talk to anyone" is composed alike, but it is an answer.
  return recognition.polarOf(text, locale) === null && !recognition.isCancel(text, locale);
}

/** Reduces a text that repeats one thing to a single occurrence: "agent agent agent". */
function dropRepetition(text: string): string {
  return text.replace(/^(.{2,20}?)(?: ?\1){1,20}$/u, "$1");
}

const maxLength = 500;
/** "Call me on 0171 2345678" means "call me". */
const PHONE_NUMBER = /\+?\p{Nd}[\p{Nd} ()./-]{5,}\p{Nd}/gu;
const CLAUSES = /[.!?;:,\n\r…。！？；、，،؟¿¡()]+/u;

interface Matcher {
  readonly clause: RegExp;
  readonly whole: RegExp;
  /** Words that may stand before or after a request, and so within it: "please". */
  readonly filler: RegExp;
  readonly isLikeRequest: IsLikeRequest;
}

// There are few keys: configurations, the words of their instances, the locales of loaded tables.
const matchers = new WeakMap<TriggerConfig, WeakMap<PersonWords, Map<string, Matcher>>>();

function matcherOf(
  triggers: TriggerConfig,
  words: PersonWords,
  locale: string,
  language: string,
): Matcher {
  const byWords = matchers.get(triggers) ?? new WeakMap<PersonWords, Map<string, Matcher>>();
  matchers.set(triggers, byWords);
  const known = byWords.get(words) ?? new Map<string, Matcher>();
  byWords.set(words, known);
  const matcher = known.get(locale) ?? compile(triggers, words, locale, language);
  known.set(locale, matcher);
  return matcher;
}

/** Matches clauses of only `before`, `ask`, `after`: "travel agent prices" asks for nobody. */
function compile(
  { words: shipped, moreWords }: TriggerConfig,
  words: PersonWords,
  locale: string,
  language: string,
): Matcher {
  const between = words.joined === true ? " ?" : " ";
  const listSpoken = (phrases: readonly string[]): readonly string[] => {
    // Each form once, because some differed only in accents and punctuation.
    const forms = phrases.map((one) => patternOf(one.replace("~", PERSON), language, between));
    return [...new Set(forms)].filter((one) => one !== "");
  };
  const behind = Map.groupBy(phrasesOf(words.after), (phrase) => phrase.endsWith(REST));
  const prefixes = listSpoken(phrasesOf(words.prefixes));
  const prefix = prefixes.length === 0 ? "" : `${anyOf(prefixes)}?`;
  const ahead = Map.groupBy(phrasesOf(words.before), (phrase) => phrase.startsWith(REST));
  const before = prefix + anyOf(listSpoken(ahead.get(false) ?? []));
  const leading = anyOf(listSpoken(ahead.get(true) ?? []));
  const closing = anyOf(listSpoken(behind.get(false) ?? []));
  const opening = anyOf(listSpoken(behind.get(true) ?? []));
  const createPattern = (core: readonly string[], start = "", rest = ""): RegExp =>
    new RegExp(
      `^${start}(?:${before}${between}){0,6}${prefix}${anyOf(core)}(?:${between}${closing}){0,4}${rest}$`,
      "u",
    );
  const something = `(?:(?:.*${between})?${leading}${between})?`;
  const anything = `(?:${between}${opening}(?:${between}.*)?)?`;
  const persons = prefix + anyOf(listSpoken(phrasesOf(words.person)));
  const asks = shipped ? createWishPatterns(listSpoken(phrasesOf(words.ask)), persons) : [];
  const ofTriggers = Object.entries(moreWords)
    .filter(([tag]) => tag === "*" || tag === locale || tag === language)
    .flatMap(([, phrases]) => phrases);
  const more = [...ofTriggers, ...phrasesOf(words.own)]
    .map((phrase) => toSpokenForm(phrase, language))
    .filter((phrase) => phrase !== "");
  return {
    clause: createPattern([...asks, ...more], something, anything),
    whole: createPattern(shipped ? listSpoken(phrasesOf(words.alone)) : []),
    filler: createFillerPattern(phrasesOf(words.before), phrasesOf(words.after), listSpoken),
    isLikeRequest: shipped ? createWordPairs(words, language) : (): boolean => false,
  };
}

/** Stands for `~` in a phrase's spoken form: a letter that no supported language has. */
const PERSON = "\ua66e";
const REST = "…";

/** Patterns of requests. Prefixes share an alternation: a product compiles ten times slower. */
function createWishPatterns(asks: readonly string[], person: string): readonly string[] {
  const behind = new Map<string, string[]>();
  const plain: string[] = [];
  for (const ask of asks) {
    const [head = "", tail] = ask.split(PERSON, 2);
    if (tail === undefined) plain.push(head);
    else behind.set(head, [...(behind.get(head) ?? []), tail]);
  }
  const heads = Map.groupBy(behind, ([, tails]) => anyOf(tails));
  const joined = [...heads].map(
    ([tail, before]) => anyOf(before.map(([head]) => head)) + person + tail,
  );
  return [...plain, ...joined];
}

function createFillerPattern(
  before: readonly string[],
  after: readonly string[],
  listSpoken: (phrases: readonly string[]) => readonly string[],
): RegExp {
  const closing = new Set(listSpoken(after));
  const both = listSpoken(before).filter((phrase) => closing.has(phrase));
  return new RegExp(`(?<![^ ])${anyOf(both)}(?: |$)`, "gu");
}

/** Joins patterns. Without any, nothing matches. */
function anyOf(phrases: readonly string[]): string {
  return phrases.length === 0 ? "[]" : `(?:${phrases.join("|")})`;
}
