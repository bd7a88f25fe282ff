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
  readonly person: string;
  /** `~` stands for one of `person`. */
  readonly ask: string;
  readonly alone: string;
  readonly before: string;
  /** `…` at a phrase's end: anything may follow. */
  readonly after: string;
}

/** By language, lower case. English is understood in all of them. */
export type WordsByLanguage = Readonly<Record<string, RecognitionWords>>;

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
  /** How a language's readers ask for a person; null: nobody has written that down. */
  readonly personWords: (language: string) => PersonWords | null;
}

export type PolarLabels = Readonly<Record<string, readonly [yes: string, no: string]>>;

export function createRecognition(words: WordsByLanguage): Recognition {
  // Made when a language is first met: a gateway knows thirty and meets two.
  const known = new Map<string, ReadonlyMap<string, Meaning>>();
  const phrasesIn = (language: string): ReadonlyMap<string, Meaning> => {
    const found = known.get(language) ?? meaningsIn(words[language], language);
    known.set(language, found);
    return found;
  };
  const lookUp = (text: string, language: string): Meaning => {
    const said = spokenForm(text, language);
    const phrases = phrasesIn(language);
    // A drawn out "siiii" or "nooo" is a yes or a no.
    return phrases.get(said) ?? phrases.get(said.replaceAll(/(\p{L})\1{2,}/gu, "$1")) ?? null;
  };
  /** "No, that is wrong": several phrases that mean the same. */
  const agreed = (text: string, language: string): Meaning => {
    const parts = text.split(/[,.!;،、。，！]+/u).filter((part) => part.trim() !== "");
    const found = new Set(parts.map((part) => lookUp(part, language)));
    const [meaning = null] = found;
    return found.size === 1 ? meaning : null;
  };
  const meaningOf = (text: string, tag: string): Meaning => {
    if (text.length > longest) return null;
    const sign = signs.get(text.trim().replaceAll(/[\u{1f3fb}-\u{1f3ff}]|\ufe0f/gu, ""));
    if (sign !== undefined) return sign;
    const language = spokenLanguage(tag);
    return lookUp(text, language) ?? lookUp(text, "en") ?? agreed(text, language);
  };
  return {
    polarOf(text, language) {
      const meaning = meaningOf(text, language);
      return meaning === "cancel" ? null : meaning;
    },
    isCancel: (text, language) => meaningOf(text, language) === "cancel",
    polarLabels: () =>
      Object.fromEntries(
        Object.entries(words).map(([tag, { yes, no }]) => [tag, [labelOf(yes), labelOf(no)]]),
      ),
    personWords: (language) => words[language]?.person ?? null,
  };
}

/** Null: a phrase of two meanings, so the reader is asked again. */
type Meaning = "yes" | "no" | "cancel" | null;

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

/** Each phrase in its spoken form. */
function meaningsIn(
  words: RecognitionWords | undefined,
  language: string,
): ReadonlyMap<string, Meaning> {
  const meanings = new Map<string, Meaning>();
  for (const meaning of ["yes", "no", "cancel"] as const) {
    for (const phrase of phrasesOf(words?.[meaning] ?? "")) {
      const said = spokenForm(phrase, language);
      const other = meanings.get(said);
      meanings.set(said, other === undefined || other === meaning ? meaning : null);
    }
  }
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
