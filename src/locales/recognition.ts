import { anySign, signsIn } from "./signs.ts";
import {
  type Correct,
  correctTo,
  hasChoice,
  patternOf,
  phrasesOf,
  spokenForm,
} from "./spoken-form.ts";
import { spokenLanguage } from "./tag.ts";

/**
 * What a language's readers type, a phrase in each line, with choices as {@link patternOf} reads
 * them: locales/recognition/<tag>.yaml.
 */
export interface RecognitionWords {
  readonly yes: string;
  readonly no: string;
  /** What leaves a form. */
  readonly cancel: string;
  /** What may stand beside a phrase and changes nothing: "please", "thanks". */
  readonly polite?: string;
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
   * `yes` or `no` when the whole text consists of phrases for it and of polite words, in the
   * language of the conversation or in English (clients send the literal `no` whatever the
   * language). Null when it is neither, or could be both.
   *
   * @example
   * recognition.polarOf("Oui, bien sûr !", "fr"); // "yes"
   * recognition.polarOf("no puedo entrar", "es"); // null
   */
  readonly polarOf: (text: string, language: string) => "yes" | "no" | null;
  /** True when the whole text says that a reader leaves a form. */
  readonly isCancel: (text: string, language: string) => boolean;
  /** What buttons of yes and no say in each language. */
  readonly polarLabels: () => PolarLabels;
  /** How a language's readers ask for a person; nothing for a language that nobody wrote down. */
  readonly personWords: (language: string) => PersonWords;
  /** What was typed, in its spoken form, without typing mistakes. */
  readonly corrected: (text: string, language: string) => string;
}

export type PolarLabels = Readonly<Record<string, readonly [yes: string, no: string]>>;

export function createRecognition(words: WordsByLanguage): Recognition {
  // Made when a language is first met: a gateway knows thirty and meets two.
  const known = new Map<string, Language>();
  const persons = new Map<string, PersonWords>();
  const wordsOf = (language: string): RecognitionWords =>
    (Object.hasOwn(words, language) ? words[language] : undefined) ?? NO_WORDS;
  const languageOf = (language: string): Language => {
    const found = known.get(language) ?? readLanguage(wordsOf(language), language);
    known.set(language, found);
    return found;
  };
  const withoutDoubtful = (language: string): PersonWords => {
    const { person } = wordsOf(language);
    const own = phrasesOf(person.own ?? "");
    if (own.length === 0) return person;
    const sure = own.filter((phrase) => lookUpSafely(phrase, language) === "person");
    return { ...person, own: sure.join("\n") };
  };
  const lookUp = (text: string, language: string): Understood => {
    const { meanings } = languageOf(language);
    const said = spokenForm(text, language);
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
  const corrected = (text: string, language: string): string =>
    languageOf(language).correct(spokenForm(text, language));
  const meaningOf = (text: string, tag: string): Understood => {
    if (text.length > longest) return null;
    const language = spokenLanguage(tag);
    const seen = signsIn(text);
    if (seen.size > 1) return "doubtful";
    const [sign = null] = seen;
    const words = text.replaceAll(anySign, " ");
    if (sign !== null && spokenForm(words, language) === "") return sign;
    const said =
      lookUpSafely(words, language) ??
      lookUp(words, "en") ??
      composed(corrected(words, language), languageOf(language), (phrase) =>
        lookUpSafely(phrase, language),
      );
    if (sign === null || said === null) return sign ?? said;
    return sign === said ? sign : "doubtful";
  };
  /** The answer that comes before a reason, which says nothing else: "no thanks, I found it". */
  const reasoned = (text: string, language: string): "yes" | "no" | null => {
    // Where no spaces stand between words, a question has no mark either.
    const { joined } = languageOf(spokenLanguage(language));
    if (joined || text.length > longest || asksSomething.test(text)) return null;
    const clauses = text.split(betweenClauses).filter((part) => part.trim() !== "");
    const [first = null, ...others] = clauses.map((clause) => meaningOf(clause, language));
    // A clause of unknown words is doubtful too.
    if (others.length === 0 || others.some((one) => one !== null && one !== "doubtful"))
      return null;
    return first === "yes" || first === "no" ? first : null;
  };
  return {
    polarOf(text, language) {
      const meaning = meaningOf(text, language);
      if (meaning === "yes" || meaning === "no") return meaning;
      if (meaning !== null && meaning !== "doubtful") return null;
      return reasoned(text, language);
    },
    isCancel(text, language) {
      if (meaningOf(text, language) === "cancel") return true;
      const clauses = text.split(betweenClauses).filter((part) => part.trim() !== "");
      const { joined } = languageOf(spokenLanguage(language));
      // "Forget it, I will call you." A single word may be a value: "End, Norfolk".
      return [clauses.at(0), clauses.at(-1)].some(
        (part = "") =>
          (joined || part.trim().includes(" ")) && meaningOf(part, language) === "cancel",
      );
    },
    corrected,
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
  // An owner's phrase is what it says: signs that stand for choices mean nothing in it.
  return lines + phrases.map((phrase) => `${phrase.replaceAll(/[()[\]|]/g, " ")}\n`).join("");
}

type Meaning = "yes" | "no" | "cancel" | "person";

/** `doubtful`: a phrase of two meanings, so the reader is asked again. Null: no phrase. */
type Understood = Meaning | "doubtful" | null;

/** What phrases mean, by their spoken form. */
interface Meanings {
  readonly get: (said: string) => ReadonlySet<Meaning> | undefined;
}

// The longest phrase has some 40 signs; nobody says yes in 100.
const longest = 100;

const betweenClauses = /[,.!?;:\n…、。，！？；،؟]+/u;

/** A question wants an answer of its own: "no, what is it?" In Greek it ends with `;`. */
const asksSomething = /[?？؟;]/u;

/** What is known of a language, made for look-ups. */
interface Language {
  readonly meanings: Meanings;
  readonly polite: ReadonlySet<string>;
  /** Opens a request for a person as well: "ok", "well then". */
  readonly opening: ReadonlySet<string>;
  readonly correct: Correct;
  /** Where no spaces stand between words, phrases are put together letter by letter. */
  readonly joined: boolean;
}

function readLanguage(words: RecognitionWords, language: string): Language {
  const { yes, no, cancel, polite = "" } = words;
  const { joined = false, person, ask, before, after, own = "" } = words.person;
  const forms = (phrases: string): ReadonlySet<string> => {
    const said = phrasesOf(phrases).map((phrase) => spokenForm(phrase, language));
    return new Set(joined ? said.map(withoutSpaces) : said);
  };
  const lines = [yes, no, cancel, polite, person, ask, before, after, own].flatMap(phrasesOf);
  return {
    meanings: meaningsIn(words, language),
    polite: forms(polite),
    opening: forms(before),
    correct: joined ? (said: string): string => said : correctTo(lines, language),
    joined,
  };
}

function withoutSpaces(said: string): string {
  return said.replaceAll(" ", "");
}

/**
 * What several phrases mean in a row, with nothing but polite words between: "ok, no thanks". Null:
 * nothing but polite words. Doubtful: something else was said, or two things at once. "Ok" and the
 * like, which open a request for a person as well, give way to a no and to a wish to leave; "no,
 * that is fine" stays doubtful.
 */
function composed(
  said: string,
  { meanings, polite, opening, joined }: Language,
  meaningOf: (phrase: string) => Understood,
): Understood {
  const between = joined ? "" : " ";
  const parts = joined ? Array.from(withoutSpaces(said)) : said.split(" ");
  // By where it ends, the reading with the fewest phrases.
  const best: (readonly string[] | undefined)[] = [[]];
  for (let end = 1; end <= parts.length; end++) {
    for (let start = 0; start < end; start++) {
      const known = best[start];
      const phrase = parts.slice(start, end).join(between);
      if (known === undefined) continue;
      if (meanings.get(phrase) === undefined && !polite.has(phrase)) continue;
      const shortest = best[end];
      if (shortest === undefined || known.length + 1 < shortest.length) {
        best[end] = [...known, phrase];
      }
    }
  }
  const whole = best[parts.length];
  if (whole === undefined) return "doubtful";
  const found = whole.filter((phrase) => meanings.get(phrase) !== undefined);
  // "Please" is a yes only where nothing else was said.
  const certain = found.filter((phrase) => !polite.has(phrase));
  const phrases = certain.length === 0 ? found : certain;
  const all = new Set(phrases.map(meaningOf));
  const [only = null] = all;
  if (all.size <= 1) return only;
  const last = phrases.map(meaningOf).at(-1) ?? null;
  const others = phrases.filter((phrase) => meaningOf(phrase) !== last);
  return last !== "yes" && others.every((phrase) => opening.has(phrase)) ? last : "doubtful";
}

/** A line without choices says more exactly what is meant, so it wins over one with choices. */
export function meaningsIn(words: RecognitionWords, language: string): Meanings {
  const { ask, alone, own = "", joined = false } = words.person;
  const asking = phrasesOf(ask).filter((line) => !line.includes("~"));
  const keyOf = (said: string): string => (joined ? withoutSpaces(said) : said);
  const lists: readonly (readonly [Meaning, readonly string[]])[] = [
    ["yes", phrasesOf(words.yes)],
    ["no", phrasesOf(words.no)],
    ["cancel", phrasesOf(words.cancel)],
    ["person", [...phrasesOf(alone), ...asking, ...phrasesOf(own)]],
  ];
  const phrases = new Map<string, ReadonlySet<Meaning>>();
  const patterns: (readonly [Meaning, RegExp])[] = [];
  for (const [meaning, lines] of lists) {
    for (const line of lines) {
      if (hasChoice(line)) continue;
      const key = keyOf(spokenForm(line, language));
      phrases.set(key, new Set([...(phrases.get(key) ?? []), meaning]));
    }
    const several = lines
      .filter(hasChoice)
      .map((line) => patternOf(line, language, joined ? "" : " "));
    if (several.length > 0) patterns.push([meaning, new RegExp(`^(?:${several.join("|")})$`, "u")]);
  }
  return {
    get(said) {
      const key = keyOf(said);
      const found = phrases.get(key);
      if (found !== undefined) return found;
      const matching = patterns.filter(([, pattern]) => pattern.test(key));
      return matching.length === 0 ? undefined : new Set(matching.map(([meaning]) => meaning));
    },
  };
}

/** The first phrase, with a capital. */
function labelOf(lines: string): string {
  const [first = ""] = phrasesOf(lines);
  return first.charAt(0).toUpperCase() + first.slice(1);
}
