import { LRUCache } from "lru-cache";
import { foldWords } from "../matching/analysis.ts";
import { type Comparer, createComparer, type ReadText } from "../matching/likeness.ts";
import type { WordsOf } from "../matching/types.ts";
import { leftAfter } from "./batch.ts";
import type { Fact, LineKey, NearestContent, Speaker, TurnFact } from "./facts.ts";
import type { NotedFact } from "./noted-facts.ts";
import { redactQuestion } from "./redaction/redact.ts";
import {
  type GivenName,
  type NamingPhrases,
  readNamingPhrases,
  type RedactionContext,
} from "./redaction/redact-names.ts";
import { listShownLines } from "./shown-lines.ts";
import type { ShownLines } from "./shown-contents.ts";

/** A question as it may be kept. */
export interface AskedQuestion {
  readonly at: number;
  readonly instance: string;
  readonly language: string;
  /** The line that was said, or the content, and who said it. */
  readonly line: string;
  readonly speaker: Speaker;
  /** Redacted. */
  readonly text: string;
  /** As the batch names it; null without a session. */
  readonly conversation: string | null;
}

/** How questions are kept and shown. */
export interface KeptQuestions {
  readonly languages: QuestionLanguages;
  /** Milliseconds after which the words of a question are forgotten. */
  readonly retention: number;
  /** True for an instance that the owner's own backend answers. */
  readonly isOwn: (instance: string) => boolean;
  /**
   * Finds the content of the embedded backend that comes closest to a question. Default: unknown.
   */
  readonly nearest?: FindNearest;
  /** Reads what the embedded backend was told in a session's conversation. Default: nothing. */
  readonly valuesTold?: (session: string) => Promise<readonly string[]>;
  /** The most groups of an instance. */
  readonly maxGroups?: number;
}

export type FindNearest = (
  instance: string,
  language: string,
  question: string,
) => NearestContent | null | Promise<NearestContent | null>;

/** Knows the languages of questions: how their words are compared, and how readers tell names. */
export interface QuestionLanguages {
  readonly comparerOf: (language: string) => Comparer;
  /** Reads a text to be compared; kept, as groups are compared again and again. */
  readonly read: (language: string, text: string) => ReadText;
  readonly namingIn: (language: string) => NamingPhrases;
}

/** @param wordsOf returns what the words of a language mean on their own */
export function createQuestionLanguages(wordsOf: WordsOf): QuestionLanguages {
  const comparers = new Map<string, Comparer>();
  const namings = new Map<string, NamingPhrases>();
  const texts = new LRUCache<string, ReadText>({ max: maxTexts });
  return { comparerOf, read, namingIn };

  function comparerOf(language: string): Comparer {
    const known = comparers.get(language) ?? createComparer(language, wordsOf(language));
    comparers.set(language, known);
    return known;
  }

  function read(language: string, text: string): ReadText {
    const key = `${language}\n${text}`;
    const known = texts.get(key) ?? comparerOf(language).read(text);
    texts.set(key, known);
    return known;
  }

  function namingIn(language: string): NamingPhrases {
    const words = wordsOf(language);
    const ordinary = foldWords(words?.function, language);
    const known = namings.get(language) ?? readNamingPhrases(words?.naming ?? "", ordinary);
    namings.set(language, known);
    return known;
  }
}

const maxTexts = 20_000;

/**
 * Remembers the names that readers gave, by conversation: in this process alone, and until half an
 * hour after the last question that was examined.
 */
export type GivenNames = LRUCache<string, readonly GivenName[]>;

export function createGivenNames(): GivenNames {
  return new LRUCache({ max: maxConversations, ttl: leftAfter, updateAgeOnGet: true });
}

/** The most conversations whose names are remembered, and the most names of each. */
const maxConversations = 10_000;
const maxGiven = 8;

/** The line by which the bot says that it found nothing for a question. */
export const UNANSWERED = "no-results";

/**
 * The most questions of each kind that a batch examines: those without an answer, and those with
 * one.
 */
const maxInBatch = { unanswered: 100, answered: 100 };

/**
 * Reads the questions out of facts that nothing answered, or that a content of the embedded backend
 * did. One is left out when the names that its reader gave can't be read, because it could contain
 * them.
 *
 * @param shown the contents that were the answers
 * @param given the names of earlier questions, to which those of these are added
 */
export async function readAsked(
  facts: readonly NotedFact[],
  shown: ReadonlyMap<Fact, ShownLines>,
  kept: Pick<KeptQuestions, "languages" | "isOwn" | "valuesTold">,
  given: GivenNames,
): Promise<readonly AskedQuestion[]> {
  const asked: AskedQuestion[] = [];
  const left = { ...maxInBatch };
  for (const { fact, conversation } of facts) {
    if (fact.kind !== "turn") continue;
    const answer = findAnswer(fact, shown.get(fact));
    if (answer === null) continue;
    const kind = answer.line === UNANSWERED ? "unanswered" : "answered";
    const told = toldIn(conversation, given);
    const question = left[kind] > 0 ? await readQuestion(fact, answer, kept, told) : null;
    if (question === null) continue;
    asked.push({ ...question, conversation });
    left[kind]--;
  }
  return asked;
}

/** Returns the names that a conversation's reader gave, and the function that adds one. */
function toldIn(
  conversation: string | null,
  given: GivenNames,
): Pick<RedactionContext, "given" | "noteName"> {
  if (conversation === null) return {};
  return {
    given: given.get(conversation) ?? [],
    noteName(name) {
      const others = (given.get(conversation) ?? []).filter((one) => one.name !== name.name);
      given.set(conversation, [...others, name].slice(-maxGiven));
    },
  };
}

/** True for a turn whose question may be kept: nothing answered it, or a content did. */
export function mayBeKept(fact: Fact): boolean {
  if (fact.kind !== "turn" || fact.isHandedOver) return false;
  const { decided, readContents } = fact;
  if (readContents !== undefined) return true;
  const steps = decided === null || typeof decided === "string" ? [] : decided.steps;
  return steps.some(({ flag }) => flag === UNANSWERED);
}

interface QuestionAnswer extends Pick<LineKey, "language" | "line" | "speaker"> {
  /** The reader's language. */
  readonly spoken: string;
  /** Tells whether a content answered a mere yes or no. */
  readonly isReply?: () => Promise<boolean>;
}

/** Finds the answer to a question: that nothing was found, or a content. Null for anything else. */
function findAnswer(
  { decided, isHandedOver }: TurnFact,
  shown: ShownLines | undefined,
): QuestionAnswer | null {
  if (isHandedOver || decided === null) return null;
  const shownLines = typeof decided === "string" ? [] : listShownLines(decided);
  const unanswered = shownLines.find(({ line }) => line === UNANSWERED);
  if (unanswered !== undefined) return { ...unanswered, spoken: unanswered.language };
  const [content] = shown?.lines ?? [];
  if (shown === undefined || content === undefined) return null;
  const { spoken, isReply } = shown;
  return { ...content, spoken, isReply };
}

async function readQuestion(
  { at, instance, session, readRequest, readNames }: TurnFact & Fact,
  { language, line, speaker, spoken, isReply }: QuestionAnswer,
  { languages, isOwn, valuesTold }: Pick<KeptQuestions, "languages" | "isOwn" | "valuesTold">,
  earlier: Pick<RedactionContext, "given" | "noteName">,
): Promise<Omit<AskedQuestion, "conversation"> | null> {
  const { typed } = readRequest();
  if (typed === null) return null;
  try {
    if ((await isReply?.()) === true) return null;
    const told = session !== null && isOwn(instance) ? await valuesTold?.(session) : [];
    const names = [...((await readNames?.()) ?? []), ...(told ?? [])];
    const text = redactQuestion(typed, { ...earlier, names, naming: languages.namingIn(spoken) });
    return text === null ? null : { at, instance, language, line, speaker, text };
  } catch {
    return null;
  }
}
