import type { PersonWords } from "../../locales/phrases.ts";
import { phrasesOf, toSpokenForm } from "../../locales/spoken-form.ts";

/**
 * True for a clause, in its spoken form, that is composed like requests for a person: all of its
 * words occur in them, one names a person, one asks, none refuses, and most neighbouring words are
 * neighbours there.
 */
export type IsLikeRequest = (clause: string) => boolean;

/**
 * Reads which words stand beside each other in a language's requests for a person, so that mixtures
 * of two requests are understood. Languages without spaces between words have no such pairs.
 */
export function createWordPairs(words: PersonWords, language: string): IsLikeRequest {
  if (words.joined === true) return () => false;
  const read = (lines: string): readonly Slots[] =>
    phrasesOf(lines)
      .filter((line) => !line.includes("…"))
      .map((line) => readSlots(line, language));
  const [person, ask, alone] = [read(words.person), read(words.ask), read(words.alone)];
  const isRefusal = createRefusalCheck(words, language);
  const fillers = new Set([...read(words.before), ...read(words.after)].flatMap(wordsIn));
  const named = new Set([...person, ...alone].flatMap(wordsIn));
  const asking = new Set(ask.flatMap(wordsIn));
  const pairs = new Set<string>();
  const edges = person.map((slots) => addPairs(slots, pairs));
  for (const slots of ask) addPairs(slots, pairs);
  const first = new Set(edges.flatMap(([begins]) => [...begins]));
  const last = new Set(edges.flatMap(([, ends]) => [...ends]));
  const isPair = (one: string, other: string): boolean =>
    pairs.has(`${one} ${other}`) ||
    (fillers.has(one) && fillers.has(other)) ||
    (pairs.has(`${one} ${PERSON}`) && first.has(other)) ||
    (last.has(one) && pairs.has(`${PERSON} ${other}`));
  const isTelling = (word: string): boolean => word.length > 2 && !fillers.has(word);
  return (clause) => {
    const words = clause.split(" ");
    if (words.length < fewest || words.length > most) return false;
    if (!words.every((word) => fillers.has(word) || named.has(word) || asking.has(word)))
      return false;
    if (isRefusal(clause)) return false;
    const telling = words.filter(isTelling);
    if (!telling.some((word) => named.has(word))) return false;
    if (!telling.some((word) => asking.has(word) && !named.has(word))) return false;
    const known = words.filter((word, at) => at > 0 && isPair(words[at - 1] ?? "", word)).length;
    return known >= minKnown * (words.length - 1);
  };
}

/**
 * True for a clause with a negation, except in what readers say around requests: "can't you", "not
 * a bot".
 */
function createRefusalCheck(words: PersonWords, language: string): (clause: string) => boolean {
  const listSpoken = (lines: string | undefined): readonly string[] =>
    phrasesOf(lines).map((line) => toSpokenForm(line, language));
  const negations = listSpoken(words.negations).map((negation) => ` ${negation} `);
  const refuses = (text: string): boolean => negations.some((negation) => text.includes(negation));
  const harmless = [...listSpoken(words.before), ...listSpoken(words.after)]
    .map((phrase) => ` ${phrase} `)
    .filter((phrase) => refuses(phrase) && !negations.includes(phrase));
  return (clause) =>
    refuses(harmless.reduce((text, phrase) => text.replaceAll(phrase, " "), ` ${clause} `));
}

/** Words of a clause that is judged by its pairs. Shorter ones are in the lists. */
const [fewest, most] = [3, 16];
/** Share of the pairs that must be known. */
const minKnown = 0.8;

/** Stands for `~`, one of the names for a person. */
const PERSON = "~";

/** A line as alternatives that follow each other, each a sequence of words; an empty one may be left out. */
type Slots = readonly (readonly (readonly string[])[])[];

function readSlots(line: string, language: string): Slots {
  const wordsOf = (part: string): readonly string[] =>
    part
      .split(/(~)/)
      .flatMap((text) => (text === PERSON ? [PERSON] : toSpokenForm(text, language).split(" ")))
      .filter((word) => word !== "");
  return line
    .split(/(\([^()]*\)|\[[^[\]]*\])/)
    .filter((part) => part.trim() !== "")
    .map((part) => {
      const choices = /^[([](.*)[)\]]$/.exec(part)?.[1]?.split("|") ?? [part];
      return [...choices, ...(part.startsWith("[") ? [""] : [])].map(wordsOf);
    });
}

function wordsIn(slots: Slots): readonly string[] {
  return slots.flat(2).filter((word) => word !== PERSON);
}

/** Adds the pairs of neighbours in a line. Returns the words that it can begin and end with. */
function addPairs(
  slots: Slots,
  pairs: Set<string>,
): readonly [ReadonlySet<string>, ReadonlySet<string>] {
  let ends = new Set<string>();
  const begins = new Set<string>();
  let canBegin = true;
  for (const choices of slots) {
    const next = new Set<string>();
    const isOptional = choices.some((choice) => choice.length === 0);
    for (const choice of choices) {
      const [start] = choice;
      const end = choice.at(-1);
      if (start === undefined || end === undefined) continue;
      for (const before of ends) pairs.add(`${before} ${start}`);
      if (canBegin) begins.add(start);
      for (let at = 1; at < choice.length; at += 1)
        pairs.add(`${choice[at - 1] ?? ""} ${choice[at] ?? ""}`);
      next.add(end);
    }
    ends = isOptional ? new Set([...ends, ...next]) : next;
    canBegin &&= isOptional;
  }
  return [begins, ends];
}
