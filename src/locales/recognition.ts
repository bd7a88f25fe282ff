import {
  understand,
  holdsAny,
  type Language,
  type PersonWords,
  readLanguage,
  type RecognitionWords,
  type Understood,
  withoutSpaces,
} from "./phrases.ts";
import { phrasesOf, toSpokenForm } from "./spoken-form.ts";
import { toSpokenLanguage } from "./tag.ts";

/** By language, lower case. English is understood in all of them. */
export type WordsByLanguage = Readonly<Record<string, RecognitionWords>>;

/** The words that an owner's file of texts adds under `words`. */
export interface OwnWords {
  /** As in {@link WordsByLanguage}: what pt-BR.yaml adds counts for all readers of Portuguese. */
  readonly language: string;
  readonly yes?: readonly string[] | undefined;
  readonly no?: readonly string[] | undefined;
  readonly cancel?: readonly string[] | undefined;
  readonly person?: readonly string[] | undefined;
}

/** Understands short answers. Never throws. */
export interface Recognition {
  /**
   * `yes` or `no` when the whole text consists of phrases for it and of polite words, in the
   * language of the conversation or in English (clients send the literal `no` whatever the
   * language). Null when it is neither, or could be both.
   *
   * @example
   * recognition.polarOf("Oui, bien sûr !", "fr"); // "yes"
   * recognition.polarOf("no puedo entrar", "es"); // null
   */
  readonly polarOf: (text: string, language: string) => "yes" | "no" | null;
  /**
   * As {@link polarOf}, but a yes counts only as the whole text, polite words aside. A reader who
   * says more may limit the consent. A no may come with its reason.
   *
   * @example
   * recognition.consentOf("Yes, but don’t show them my email", "en"); // null
   */
  readonly consentOf: (text: string, language: string) => "yes" | "no" | null;
  /** True when the whole text says that a reader leaves a form. */
  readonly isCancel: (text: string, language: string) => boolean;
  /** The labels of the buttons for yes and no in each language. */
  readonly polarLabels: () => PolarLabels;
  /** How a language's readers ask for a person; empty for a language without such words. */
  readonly personWords: (language: string) => PersonWords;
  /** Returns the typed text in its spoken form, without typing mistakes. */
  readonly corrected: (text: string, language: string) => string;
}

export type PolarLabels = Readonly<Record<string, readonly [yes: string, no: string]>>;

export function createRecognition(words: WordsByLanguage): Recognition {
  const persons = new Map<string, PersonWords>();
  const wordsOf = (language: string): RecognitionWords =>
    (Object.hasOwn(words, language) ? words[language] : undefined) ?? NO_WORDS;
  const languageOf: LanguageOf = (language) => {
    const given = wordsOf(language);
    const found = languages.get(given) ?? readLanguage(given, language);
    languages.set(given, found);
    return found;
  };
  const withoutDoubtful = (language: string): PersonWords => {
    const { person } = wordsOf(language);
    const own = phrasesOf(person.own);
    if (own.length === 0) return person;
    const sure = own.filter((phrase) => lookUpSafely(phrase, language, languageOf) === "person");
    return { ...person, own: sure.join("\n") };
  };
  return {
    polarOf: (text, language) => polarOf(text, language, languageOf),
    consentOf(text, language) {
      if (meaningOf(text, language, languageOf) === "yes") return "yes";
      return polarOf(text, language, languageOf) === "no" ? "no" : null;
    },
    isCancel: (text, language) => isCancel(text, language, languageOf),
    corrected: (text, language) => languageOf(language).correct(toSpokenForm(text, language)),
    polarLabels: () =>
      Object.fromEntries(
        Object.entries(words)
          .filter(([, { yes, no }]) => yes !== "" && no !== "")
          .map(([tag, { yes, no }]) => [tag, [labelOf(yes), labelOf(no)]]),
      ),
    personWords(language) {
      // The same object each time: patterns are kept by it.
      const found = persons.get(language) ?? withoutDoubtful(language);
      persons.set(language, found);
      return found;
    },
  };
}

type LanguageOf = (language: string) => Language;

function lookUp(text: string, language: string, languageOf: LanguageOf): Understood {
  const { meanings, unsure, joined } = languageOf(language);
  const utterance = toSpokenForm(text, language);
  if (unsure.has(joined ? withoutSpaces(utterance) : utterance)) return "doubtful";
  // A drawn-out "siiii" or "nooo" is a yes or a no.
  const found =
    meanings.get(utterance) ?? meanings.get(utterance.replaceAll(/(\p{L})\1{2,}/gu, "$1"));
  const [meaning = null] = found ?? [];
  return found !== undefined && found.size > 1 ? "doubtful" : meaning;
}

/** In the language; what means something else in English is doubtful. */
function lookUpSafely(text: string, language: string, languageOf: LanguageOf): Understood {
  const meaning = lookUp(text, language, languageOf);
  const english = lookUp(text, "en", languageOf);
  return meaning === null || english === null || meaning === english ? meaning : "doubtful";
}

function meaningOf(text: string, tag: string, languageOf: LanguageOf): Understood {
  if (text.length > maxLength) return null;
  const tongue = toSpokenLanguage(tag);
  const seen = signsIn(text);
  if (seen.size > 1) return "doubtful";
  const [sign = null] = seen;
  const words = text.replaceAll(anySign, " ");
  const spoken = toSpokenForm(words, tongue);
  if (spoken === "") return sign;
  const language = languageOf(tongue);
  const meaning =
    lookUpSafely(words, tongue, languageOf) ??
    lookUp(words, "en", languageOf) ??
    understand(language.correct(spoken), language, (phrase) =>
      lookUpSafely(phrase, tongue, languageOf),
    );
  if (sign === null || meaning === null) return sign ?? meaning;
  return sign === meaning ? sign : "doubtful";
}

function polarOf(text: string, language: string, languageOf: LanguageOf): "yes" | "no" | null {
  const direct = meaningOf(text, language, languageOf);
  const meaning = direct === "doubtful" ? reasonedMeaningOf(text, language, languageOf) : direct;
  return meaning === "yes" || meaning === "no" ? meaning : null;
}

/** The meaning of an answer before a reason that says nothing else: "no thanks, I found it". */
function reasonedMeaningOf(text: string, tag: string, languageOf: LanguageOf): Understood {
  // A language without spaces between words has no question marks either.
  const language = toSpokenLanguage(tag);
  const { joined, polite } = languageOf(language);
  if (joined || asksSomething.test(text)) return null;
  // "Hi" and "please" say neither. A clause of unknown words is doubtful too.
  const clauses = text.split(betweenClauses).map((part) => {
    const isPolite = polite.has(toSpokenForm(part, language));
    return { part, meaning: isPolite ? null : meaningOf(part, tag, languageOf) };
  });
  const meaningful = clauses.filter(({ meaning }) => meaning !== null);
  const [first] = meaningful;
  if (first === undefined) return null;
  const others = meaningful.filter(({ meaning }) => meaning !== first.meaning);
  if (others.some(({ meaning }) => meaning !== "doubtful")) return null;
  if (first.meaning !== "yes") return first.meaning;
  const agreed = meaningful.filter(({ meaning }) => meaning === "yes");
  const added = clauses.slice(clauses.indexOf(first)).filter((one) => !agreed.includes(one));
  const isDoubtful =
    (others.length > 0 && agreed.every(({ part }) => isSpoken(isOpening, part, tag, languageOf))) ||
    added.some(({ part }) => isSpoken(turnsAway, part, tag, languageOf));
  return isDoubtful ? null : "yes";
}

function isCancel(text: string, tag: string, languageOf: LanguageOf): boolean {
  if (meaningOf(text, tag, languageOf) === "cancel") return true;
  const { joined } = languageOf(toSpokenLanguage(tag));
  const clauses = text
    .split(betweenClauses)
    .filter((part) => part.trim() !== "")
    .map((part) => ({ part, meaning: meaningOf(part, tag, languageOf) }));
  const goesOn = clauses.some(({ meaning }) => meaning === "doubtful");
  // "Forget it, I will call you." A single word may be a value: "End, Norfolk".
  return [clauses.at(0), clauses.at(-1)].some(
    (clause) =>
      clause?.meaning === "cancel" &&
      (joined || clause.part.trim().includes(" ")) &&
      !(goesOn && isSpoken(leavesAlone, clause.part, tag, languageOf)),
  );
}

/** Whether this is true of a clause in its language or in English. */
function isSpoken(
  isSo: (utterance: string, language: Language) => boolean,
  clause: string,
  tag: string,
  languageOf: LanguageOf,
): boolean {
  return [toSpokenLanguage(tag), "en"].some((language) =>
    isSo(toSpokenForm(clause, language), languageOf(language)),
  );
}

/** True when a clause takes back the yes before it, or asks something without a mark. */
function turnsAway(utterance: string, { but, asking }: Language): boolean {
  const asks = Array.from(asking).some(
    (word) => `${utterance} `.startsWith(`${word} `) || utterance.endsWith(` ${word}`),
  );
  return asks || holdsAny(utterance, but, false);
}

/** True for a clause that leaves a form only as the whole message: "I changed my mind". */
function leavesAlone(utterance: string, { cancelAlone, joined }: Language): boolean {
  return holdsAny(utterance, cancelAlone, joined);
}

/** True for an "ok" that also opens other messages: "ok, I will look for it". */
function isOpening(utterance: string, { opening, label }: Language): boolean {
  return utterance !== label && opening.has(utterance);
}

/**
 * Read on first use: a gateway has thirty languages and meets two. Instances and configurations
 * with the same words share it.
 */
const languages = new WeakMap<RecognitionWords, Language>();

/** Adds the words of owners to the shipped ones. */
export function withOwnWords(
  shipped: WordsByLanguage,
  owners: readonly OwnWords[],
): WordsByLanguage {
  const words: Record<string, RecognitionWords> = { ...shipped };
  for (const { language, ...added } of owners) {
    const known = words[language] ?? NO_WORDS;
    const { yes, no, cancel, person } = known;
    words[language] = {
      ...known,
      yes: withPhrases(yes, added.yes),
      no: withPhrases(no, added.no),
      cancel: withPhrases(cancel, added.cancel),
      person: { ...person, own: withPhrases(person.own, added.person) },
    };
  }
  return words;
}

const NO_PERSON: PersonWords = { person: "", ask: "", alone: "", before: "", after: "" };
const NO_WORDS: RecognitionWords = { yes: "", no: "", cancel: "", person: NO_PERSON };

function withPhrases(lines = "", phrases: readonly string[] = []): string {
  // An owner's phrase is literal: signs that stand for choices have no meaning in it.
  return lines + phrases.map((phrase) => `${phrase.replaceAll(/[()[\]|]/g, " ")}\n`).join("");
}

// The longest phrase has some 40 signs; nobody says yes in 100.
const maxLength = 100;

const betweenClauses = /[,.!?;:\n…、。，！？；،؟]+/u;

/** A question wants an answer of its own: "no, what is it?" In Greek it ends with `;`. */
const asksSomething = /[?？؟;]/u;

const signMeanings: ReadonlyMap<string, "yes" | "no"> = new Map([
  ["👍", "yes"],
  ["👌", "yes"],
  ["✅", "yes"],
  ["✔", "yes"],
  ["🆗", "yes"],
  ["💯", "yes"],
  ["🙆", "yes"],
  ["➕", "yes"],
  ["+", "yes"],
  ["👎", "no"],
  ["❌", "no"],
  ["✖", "no"],
  ["🚫", "no"],
  ["🙅", "no"],
]);

/** Emoji with their colours and people. The rest of a text are words. */
const anySign = /\p{Extended_Pictographic}(?:\p{M}|\p{Emoji_Modifier}|\u200d|♀|♂)*/gu;

/** Reads the meaning of a text's emoji; empty without any that means yes or no. */
function signsIn(text: string): ReadonlySet<"yes" | "no"> {
  const found = Array.from(text).map((sign) => signMeanings.get(sign));
  return new Set(found.filter((meaning) => meaning !== undefined));
}

/** The first phrase, with a capital. */
function labelOf(lines: string): string {
  const [first = ""] = phrasesOf(lines);
  return first.charAt(0).toUpperCase() + first.slice(1);
}
