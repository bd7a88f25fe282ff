import {
  type Correct,
  createCorrection,
  hasChoice,
  patternOf,
  phrasesOf,
  toSpokenForm,
} from "./spoken-form.ts";

/**
 * The words that a language's readers type, a phrase in each line, with choices as {@link
 * patternOf} reads them: locales/recognition/<tag>.yaml.
 */
export interface RecognitionWords {
  /** The first phrase of `yes` and `no` is also the label of the button, so it has no brackets. */
  readonly yes: string;
  readonly no: string;
  /** Phrases that leave a form. */
  readonly cancel: string;
  /**
   * Parts of `cancel` phrases that leave a form only as the whole message, without brackets: a
   * reader whose "I changed my mind" goes on may correct an answer.
   */
  readonly cancelAlone?: string;
  /**
   * Words that may stand beside a phrase and change nothing, without brackets: "please", "thanks".
   */
  readonly polite?: string;
  /**
   * Words that leave the answer open, by themselves and with polite words, no brackets: "whatever".
   */
  readonly unsure?: string;
  /**
   * Words that take back or limit a yes before them, without brackets: "but", "except", "maybe".
   */
  readonly but?: string;
  /**
   * Words that begin or end a question that has no question mark, without brackets: "where", "how".
   */
  readonly asking?: string;
  /**
   * Spellings by ear and short forms: a word or phrase, a colon and what is written for it, each a
   * single word: "want to: wanna wana".
   */
  readonly spellings?: string;
  readonly person: PersonWords;
}

/** How readers ask for a person. */
export interface PersonWords {
  /** True where readers leave out the spaces between words, or write none. */
  readonly joined?: boolean;
  /** Words that are written together with the next one: ب, ל. */
  readonly prefixes?: string;
  /** Names for a person: "a human", "an agent". */
  readonly person: string;
  /** How they ask; `~` stands for one of `person`: "talk to ~". */
  readonly ask: string;
  /** Words that ask for a person only as the whole message: "agent". */
  readonly alone: string;
  /**
   * Words that make a sentence refuse what it names, without brackets: "not", "don't". Languages
   * without spaces between words need none, since only listed phrases ask there.
   */
  readonly negations?: string;
  /**
   * Words that can come before, up to six times: "hi". `…` at a phrase's start: anything may
   * precede.
   */
  readonly before: string;
  /**
   * Words that can come after, up to four times: "please". `…` at a phrase's end: anything may
   * follow.
   */
  readonly after: string;
  /** Phrases that owners add: each asks by itself. */
  readonly own?: string;
}

/** The words of a language, made for look-ups. */
export interface Language {
  readonly meanings: Meanings;
  readonly cancelAlone: ReadonlySet<string>;
  readonly polite: ReadonlySet<string>;
  /** The label of the button for yes. */
  readonly label: string;
  readonly unsure: ReadonlySet<string>;
  readonly but: ReadonlySet<string>;
  readonly asking: ReadonlySet<string>;
  /** Opens a request for a person as well: "ok", "well then". */
  readonly opening: ReadonlySet<string>;
  readonly correct: Correct;
  /** True where no spaces stand between words: phrases are put together letter by letter. */
  readonly joined: boolean;
}

export function readLanguage(words: RecognitionWords, language: string): Language {
  const { yes, no, cancel, cancelAlone, polite, unsure, but, asking, spellings } = words;
  const { joined = false, person, ask, negations, before, after, own } = words.person;
  const listForms = (phrases: string | undefined): ReadonlySet<string> => {
    const spoken = phrasesOf(phrases).map((phrase) => toSpokenForm(phrase, language));
    return new Set(joined ? spoken.map(withoutSpaces) : spoken);
  };
  const lists = [yes, no, cancel, polite, but, person, ask, negations, before, after, own];
  const lines = lists.flatMap((list) => phrasesOf(list));
  return {
    meanings: meaningsIn(words, language),
    cancelAlone: listForms(cancelAlone),
    polite: listForms(polite),
    label: toSpokenForm(phrasesOf(yes)[0] ?? "", language),
    unsure: listForms(unsure),
    but: listForms(but),
    asking: listForms(asking),
    opening: listForms(before),
    correct: joined
      ? (utterance: string): string => utterance
      : createCorrection(lines, language, phrasesOf(spellings)),
    joined,
  };
}

/**
 * Understands several phrases in a row, with nothing but polite words between: "ok, no thanks".
 * Null means nothing but polite words. Doubtful: something else was said, or two things at once.
 * "Ok" and the like, which open a request for a person as well, give way to a no and to a wish to
 * leave, and a no gives way to a wish to leave; "no, that’s ok" stays doubtful. A yes is doubtful
 * when a "but" comes after it.
 */
export function understand(
  utterance: string,
  { meanings, polite, unsure, but, label, opening, joined }: Language,
  meaningOf: (phrase: string) => Understood,
): Understood {
  const between = joined ? "" : " ";
  const parts = joined ? Array.from(withoutSpaces(utterance)) : utterance.split(" ");
  const isKnown = (phrase: string): boolean =>
    polite.has(phrase) || unsure.has(phrase) || meanings.get(phrase) !== undefined;
  // By where it ends, the reading whose last phrase is the longest.
  const readings: (readonly string[] | undefined)[] = [[]];
  for (let end = 1; end <= parts.length; end++) {
    for (let start = 0; start < end; start++) {
      const before = readings[start];
      const phrase = parts.slice(start, end).join(between);
      if (before !== undefined && isKnown(phrase)) readings[end] ??= [...before, phrase];
    }
  }
  const whole = readings[parts.length];
  if (whole === undefined) return "doubtful";
  const isOpen = whole.some((phrase) => unsure.has(phrase));
  const found = whole.filter((phrase) => !unsure.has(phrase) && meanings.get(phrase) !== undefined);
  // "Please" is a yes only where nothing else was said.
  const certain = found.filter((phrase) => !polite.has(phrase));
  const isLimiting = (phrase: string): boolean =>
    !certain.includes(phrase) && holdsAny(phrase, but, joined);
  if (certain.length === 0 && (isOpen || whole.some(isLimiting))) return "doubtful";
  const phrases = certain.length === 0 ? found : certain;
  const meant = phrases.map(meaningOf);
  const all = new Set(meant);
  const [only = null] = all;
  const [agreed] = only === "yes" ? phrases : [];
  const added = agreed === undefined ? [] : whole.slice(whole.indexOf(agreed) + 1);
  if (all.size <= 1) return added.some(isLimiting) ? "doubtful" : only;
  const last = meant.at(-1) ?? null;
  const others = phrases.filter((phrase) => meaningOf(phrase) !== last);
  // "Yes and no" is neither, even if "yes" could open other messages.
  const both = last === "no" && others.includes(label);
  if (last === "yes" || both) return "doubtful";
  const givesWay = (phrase: string): boolean =>
    opening.has(phrase) || (last === "cancel" && meaningOf(phrase) === "no");
  return others.every(givesWay) ? last : "doubtful";
}

/** True when a phrase has one of several words in it. */
export function holdsAny(utterance: string, words: ReadonlySet<string>, joined: boolean): boolean {
  const spaced = ` ${utterance} `;
  return Array.from(words).some((word) =>
    joined ? withoutSpaces(utterance).includes(word) : spaced.includes(` ${word} `),
  );
}

/** A line without choices says more exactly what is meant, so it wins over one with choices. */
export function meaningsIn(words: RecognitionWords, language: string): Meanings {
  const { ask, alone, own, joined = false } = words.person;
  const asking = phrasesOf(ask).filter((line) => !line.includes("~"));
  const keyOf = (utterance: string): string => (joined ? withoutSpaces(utterance) : utterance);
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
      const key = keyOf(toSpokenForm(line, language));
      phrases.set(key, new Set([...(phrases.get(key) ?? []), meaning]));
    }
    const several = lines
      .filter(hasChoice)
      .map((line) => patternOf(line, language, joined ? "" : " "));
    patterns.push([meaning, new RegExp(`^(?:${several.join("|")})$`, "u")]);
  }
  return {
    get(utterance) {
      const key = keyOf(utterance);
      const found = phrases.get(key);
      if (found !== undefined) return found;
      const matching = patterns.filter(([, pattern]) => pattern.test(key));
      return matching.length === 0 ? undefined : new Set(matching.map(([meaning]) => meaning));
    },
  };
}

type Meaning = "yes" | "no" | "cancel" | "person";

/** `doubtful`: a phrase of two meanings, so the reader is asked again. Null means no phrase. */
export type Understood = Meaning | "doubtful" | null;

/** The meanings of phrases, by their spoken form. */
interface Meanings {
  readonly get: (utterance: string) => ReadonlySet<Meaning> | undefined;
}

export function withoutSpaces(utterance: string): string {
  return utterance.replaceAll(" ", "");
}
