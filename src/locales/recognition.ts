import { spokenForm } from "./spoken-form.ts";
import { spokenLanguage } from "./tag.ts";

/** What a language's readers type, a phrase in each line: locales/recognition/<tag>.yaml. */
export interface RecognitionWords {
  readonly yes: string;
  readonly no: string;
  /** What leaves a form. */
  readonly cancel: string;
  readonly person: PersonWords;
}

/** How readers ask for a person: docs/recognition.md says what each part is for. */
export interface PersonWords {
  /** True where readers leave out the spaces between words, or write none. */
  readonly joined?: boolean;
  /** Words that are written together with the next one: ب, ל. */
  readonly prefixes?: string;
  readonly person: string;
  /** `~` stands for one of `person`. */
  readonly ask: string;
  readonly alone: string;
  readonly before: string;
  /** `…` at a phrase's end: anything may follow. */
  readonly after: string;
  /** What owners add: each asks by itself. */
  readonly own?: string;
}

/** By language, lower case. English is understood in all of them. */
export type WordsByLanguage = Readonly<Record<string, RecognitionWords>>;

/** What an owner's file of texts adds under `words`. */
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
   * `yes` or `no` when the whole text is a phrase for it in the language of the conversation or in
   * English (clients send the literal `no` whatever the language). Null when it is neither, or
   * could be both.
   *
   * @example
   * recognition.polarOf("Oui, bien sûr !", "fr"); // "yes"
   * recognition.polarOf("no puedo entrar", "es"); // null
   */
  readonly polarOf: (text: string, language: string) => "yes" | "no" | null;
  /** True when the whole text is a phrase by which a reader leaves a form. */
  readonly isCancel: (text: string, language: string) => boolean;
  /** What buttons of yes and no say in each language. */
  readonly polarLabels: () => PolarLabels;
  /** How a language's readers ask for a person; nothing for a language that nobody wrote down. */
  readonly personWords: (language: string) => PersonWords;
}

export type PolarLabels = Readonly<Record<string, readonly [yes: string, no: string]>>;

export function createRecognition(words: WordsByLanguage): Recognition {
  // Made when a language is first met: a gateway knows thirty and meets two.
  const known = new Map<string, Meanings>();
  const persons = new Map<string, PersonWords>();
  const wordsOf = (language: string): RecognitionWords =>
    (Object.hasOwn(words, language) ? words[language] : undefined) ?? NO_WORDS;
  const withoutDoubtful = (language: string): PersonWords => {
    const { person } = wordsOf(language);
    const own = phrasesOf(person.own ?? "");
    if (own.length === 0) return person;
    const sure = own.filter((phrase) => lookUpSafely(phrase, language) === "person");
    return { ...person, own: sure.join("\n") };
  };
  const lookUp = (text: string, language: string): Understood => {
    const said = spokenForm(text, language);
    const meanings = known.get(language) ?? meaningsIn(wordsOf(language), language);
    known.set(language, meanings);
    // A drawn out "siiii" or "nooo" is a yes or a no.
    const found = meanings.get(said) ?? meanings.get(said.replaceAll(/(\p{L})\1{2,}/gu, "$1"));
    const [meaning = null] = found ?? [];
    return found !== undefined && found.size > 1 ? "doubtful" : meaning;
  };
  /** In the language; what means something else in English is doubtful. */
  const lookUpSafely = (text: string, language: string): Understood => {
    const meaning = lookUp(text, language);
    const english = lookUp(text, "en");
    return meaning === null || english === null || meaning === english ? meaning : "doubtful";
  };
  /** "No, that is wrong": several phrases that mean the same. */
  const agreed = (text: string, language: string): Understood => {
    const parts = text.split(/[,.!;،、。，！]+/u).filter((part) => part.trim() !== "");
    const found = new Set(parts.map((part) => lookUpSafely(part, language)));
    const [meaning = null] = found;
    return found.size === 1 ? meaning : null;
  };
  const meaningOf = (text: string, tag: string): Understood => {
    if (text.length > longest) return null;
    const sign = signs.get(text.trim().replaceAll(/[\u{1f3fb}-\u{1f3ff}]|\ufe0f/gu, ""));
    if (sign !== undefined) return sign;
    const language = spokenLanguage(tag);
    return lookUpSafely(text, language) ?? lookUp(text, "en") ?? agreed(text, language);
  };
  return {
    polarOf(text, language) {
      const meaning = meaningOf(text, language);
      return meaning === "yes" || meaning === "no" ? meaning : null;
    },
    isCancel: (text, language) => meaningOf(text, language) === "cancel",
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

/** What is shipped, with what owners add. */
export function withOwnWords(
  shipped: WordsByLanguage,
  owners: readonly OwnWords[],
): WordsByLanguage {
  const words: Record<string, RecognitionWords> = { ...shipped };
  for (const { language, ...added } of owners) {
    const { yes, no, cancel, person } = words[language] ?? NO_WORDS;
    words[language] = {
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
  return lines + phrases.map((phrase) => `${phrase}\n`).join("");
}

type Meaning = "yes" | "no" | "cancel" | "person";

/** `doubtful`: a phrase of two meanings, so the reader is asked again. Null: no phrase. */
type Understood = Meaning | "doubtful" | null;

/** By their spoken form, what phrases mean. */
type Meanings = ReadonlyMap<string, ReadonlySet<Meaning>>;

// The longest phrase has some 40 signs; nobody says yes in 100.
const longest = 100;

const signs: ReadonlyMap<string, Meaning> = new Map([
  ["👍", "yes"],
  ["👌", "yes"],
  ["✅", "yes"],
  ["✔", "yes"],
  ["👎", "no"],
  ["❌", "no"],
  ["🚫", "no"],
]);

export function meaningsIn(words: RecognitionWords, language: string): Meanings {
  const { ask, alone, own = "" } = words.person;
  const asking = phrasesOf(ask).filter((phrase) => !phrase.includes("~"));
  const meanings = new Map<string, Set<Meaning>>();
  const add = (meaning: Meaning, phrases: readonly string[]): void => {
    for (const phrase of phrases) {
      const said = spokenForm(phrase, language);
      meanings.set(said, (meanings.get(said) ?? new Set()).add(meaning));
    }
  };
  for (const meaning of ["yes", "no", "cancel"] as const) add(meaning, phrasesOf(words[meaning]));
  add("person", [...phrasesOf(alone), ...asking, ...phrasesOf(own)]);
  return meanings;
}

/** The first phrase, with a capital. */
function labelOf(lines: string): string {
  const [first = ""] = phrasesOf(lines);
  return first.charAt(0).toUpperCase() + first.slice(1);
}

/** The phrases of a list with one in each line. */
export function phrasesOf(lines: string): readonly string[] {
  return lines.split("\n").filter((line) => line !== "");
}
