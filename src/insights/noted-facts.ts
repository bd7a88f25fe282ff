import { type Batch, createBatch, type NameLimit } from "./batch.ts";
import type { Fact } from "./facts.ts";
import { mayBeKept } from "./questions.ts";

/** The facts of a batch. They are counted as they arrive, unless they have to wait. */
export interface NotedFacts {
  /** False if it is not counted, because more came than a batch holds. */
  note(fact: Fact): boolean;
  readonly batch: Batch;
  /**
   * Facts that are not counted yet: of conversations in which contents of the embedded backend were
   * shown.
   */
  readonly held: readonly NotedFact[];
  /** Turns whose questions may be kept. */
  readonly asked: readonly NotedFact[];
  /** How many there are, and the time between the first and the last. */
  readonly count: () => number;
  readonly time: () => { readonly since: number; readonly until: number };
}

export interface NotedFact {
  readonly fact: Fact;
  /** SHA-256 of instance and session, as escalation records are named; null without a session. */
  readonly conversation: string | null;
}

export interface NotedFactsOptions {
  /** SHA-256 of a text as hex. */
  readonly digest: (text: string) => string;
  readonly names: NameLimit;
  /** True where questions without an answer are kept. */
  readonly keepsQuestions: boolean;
}

export function createNotedFacts(options: NotedFactsOptions): NotedFacts {
  const { digest, names, keepsQuestions } = options;
  const batch = createBatch(names);
  /** By instance and session, so that each is hashed once in a batch. */
  const known = new Map<string, string>();
  const held: NotedFact[] = [];
  const asked: NotedFact[] = [];
  /** Their facts are counted in order, so the later ones wait too. */
  const holding = new Set<string>();
  let count = 0;
  let since = Infinity;
  let until = -Infinity;
  return {
    batch,
    held,
    asked,
    count: () => count,
    time: () => ({ since, until }),
    note(fact) {
      const conversation = conversationOf(fact);
      if (conversation === undefined) return false;
      const isHeld = isWaiting(fact, conversation);
      if (isHeld && held.length >= maxHeld) return false;
      count++;
      if (fact.at < since) since = fact.at;
      if (fact.at > until) until = fact.at;
      if (isHeld) hold(fact, conversation);
      else batch.take(fact, conversation);
      if (keepsQuestions && asked.length < maxAsked && mayBeKept(fact)) {
        asked.push({ fact, conversation });
      }
      return true;
    },
  };

  function isWaiting(fact: Fact, conversation: string | null): boolean {
    if (fact.kind === "turn" && fact.readContents !== undefined) return true;
    return conversation !== null && holding.has(conversation);
  }

  function hold(fact: Fact, conversation: string | null): void {
    held.push({ fact, conversation });
    if (conversation !== null) holding.add(conversation);
  }

  /**
   * SHA-256 of instance and session, as escalation records are named; undefined if there are too
   * many.
   */
  function conversationOf(fact: Fact): string | null | undefined {
    if (fact.kind === "hand-over") return fact.conversation;
    if (fact.session === null) return null;
    const key = `${fact.instance}\n${fact.session}`;
    let conversation = known.get(key);
    if (conversation !== undefined || known.size >= maxHeld) return conversation;
    conversation = digest(key);
    known.set(key, conversation);
    return conversation;
  }
}

/**
 * Limit of a batch's conversations, and of the facts that it holds. A message must not wait for the
 * store, and memory must not grow while the store fails.
 */
const maxHeld = 50_000;

/** The most questions that are examined, of which at most 100 of each kind are stored. */
const maxAsked = 1000;
