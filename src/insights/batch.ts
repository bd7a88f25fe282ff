import type { Trace } from "../direct-answers/types.ts";
import type { Fact, LineCounts, LineSaid, Outcome, Topic } from "./facts.ts";
import { findContent, listSaidLines, outcomeOf } from "./said-lines.ts";

/** A line whose outcome is not known yet, as long as a batch is counted. */
export interface OpenLine extends LineSaid {
  readonly at: number;
}

/** A fact, and the conversation that it happened in: SHA-256 of instance and session, or null. */
export interface HashedFact {
  readonly fact: Fact;
  readonly conversation: string | null;
  /** The contents of the own backend that the answer showed, as lines. */
  readonly contents?: readonly LineSaid[] | undefined;
}

/** The additions of a batch of facts to the counts. */
export interface Counted {
  readonly lines: readonly (LineSaid & LineCounts & { readonly day: number })[];
  readonly topics: readonly TopicCount[];
  /** By conversation, as facts name it. */
  readonly open: ReadonlyMap<string, readonly OpenLine[]>;
  /** All contents are one line here: there may be thousands. */
  readonly outcomes: readonly { readonly line: string; readonly outcome: Outcome }[];
}

export interface TopicCount {
  readonly day: number;
  readonly topic: Topic | "messages";
  readonly instance: string;
  readonly name: string;
  readonly count: number;
}

/** After so many milliseconds without a turn, the reader has left. */
export const leftAfter = 30 * 60_000;

/** The most lines whose outcome is waited for. */
export const mostOpenLines = 100_000;

/** Daily counts are kept for so many days. */
export const keptDays = 400;

const oneDay = 86_400_000;

export function dayOf(at: number): number {
  return Math.floor(at / oneDay);
}

/** Channels and languages are named by clients: a process counts so many of each a day. */
const mostNames = 200;

/** Keeps what clients name countable: beyond a number of names, the rest is `other`. */
export interface NameLimit {
  limit(kind: string, name: string, day: number): string;
}

export function createNameLimit(): NameLimit {
  let current = Number.NaN;
  const known = new Map<string, Set<string>>();
  return {
    limit(kind, name, day) {
      if (day !== current) known.clear();
      current = day;
      if (name.length > 64) return "other";
      const names = known.get(kind) ?? new Set<string>();
      known.set(kind, names);
      if (!names.has(name) && names.size >= mostNames) return "other";
      names.add(name);
      return name;
    },
  };
}

/**
 * Counts facts in their order. Pure but for `names`.
 *
 * @param before open lines of the conversations in these facts
 * @param expired lines whose readers have been silent for too long
 */
export function countFacts(
  facts: readonly HashedFact[],
  before: ReadonlyMap<string, readonly OpenLine[]>,
  expired: readonly { readonly line: OpenLine; readonly outcome: "left" | "unknown" }[],
  names: NameLimit,
): Counted {
  const open = new Map(before);
  const tally = createTally();
  for (const { line, outcome } of expired) tally.settle(line, outcome);
  for (const fact of facts) take(fact);
  return { ...tally.result(), open };

  function take({ fact, conversation, contents = [] }: HashedFact): void {
    if (fact.kind === "turn") return takeTurn(fact, conversation, contents);
    if (fact.kind === "rating") {
      return end(conversation, fact.at, fact.isNegative ? "ratedDown" : "ratedUp");
    }
    tally.addTopic(fact.at, "hand-over", fact.instance, fact.stage);
    if (fact.stage === "accepted") end(conversation, fact.at, "handedOver");
  }

  function takeTurn(
    fact: Extract<Fact, { kind: "turn" }>,
    conversation: string | null,
    contents: readonly LineSaid[],
  ): void {
    const { at, instance, decided, isHandedOver, readRequest } = fact;
    tally.addTopic(at, "messages", instance, "");
    const trace = decided === null || typeof decided === "string" ? null : decided;
    const gate = trace === null ? decided : trace.gate;
    // An answer without anything to replace is the bot's own, and no exception.
    if (typeof gate === "string" && gate !== "bytes")
      tally.addTopic(at, "left-alone", instance, gate);
    if (trace !== null) takeSteps(at, instance, trace);
    const lines = [...(trace === null ? [] : listSaidLines(trace)), ...contents];
    const said = lines.map((line) => withKnownChannel(line, at));
    const isOpen = conversation !== null && open.has(conversation);
    if (isOpen) end(conversation, at, outcomeOf(isHandedOver, said, readRequest().isOption));
    for (const line of said) tally.countsOf(line, at).said++;
    const since = said.map((line) => ({ ...line, at }));
    if (since.length === 0) return;
    if (conversation === null) for (const line of since) tally.settle(line, "unknown");
    else open.set(conversation, since);
  }

  function takeSteps(at: number, instance: string, trace: Trace): void {
    if (trace.unserved !== undefined) {
      const tag = names.limit("language", trace.unserved, dayOf(at));
      tally.addTopic(at, "language", instance, tag);
    }
    for (const { reason, flag, unexpected } of trace.steps) {
      if (unexpected === true) tally.addTopic(at, "unexpected", instance, flag ?? "none");
      if (reason === "default-content" || reason === "flag-restored") {
        tally.addTopic(at, "default-content", instance, flag ?? "none");
      }
      if (LEFT_ALONE.has(reason)) tally.addTopic(at, "left-alone", instance, reason);
    }
  }

  function withKnownChannel(line: LineSaid, at: number): LineSaid {
    return { ...line, channel: names.limit("channel", line.channel, dayOf(at)) };
  }

  /** The reader of these lines has gone on, or never came back in time. */
  function end(conversation: string | null, at: number, outcome: Outcome): void {
    const waiting = conversation === null ? undefined : open.get(conversation);
    if (conversation === null || waiting === undefined) return;
    open.delete(conversation);
    for (const line of waiting) {
      tally.settle(line, at - line.at > leftAfter ? "left" : outcome);
    }
  }
}

/** Adds up counts. */
function createTally() {
  const lines = new Map<string, Mutable>();
  const topics = new Map<string, { -readonly [Key in keyof TopicCount]: TopicCount[Key] }>();
  const outcomes: { readonly line: string; readonly outcome: Outcome }[] = [];

  return {
    countsOf,
    settle(line: OpenLine, outcome: Outcome): void {
      countsOf(line, line.at)[outcome]++;
      const isContent = findContent(line.line) !== null;
      outcomes.push({ line: isContent ? "content" : line.line, outcome });
    },
    addTopic(at: number, topic: TopicCount["topic"], instance: string, name: string): void {
      const day = dayOf(at);
      const key = [day, topic, instance, name].join("\n");
      const known = topics.get(key) ?? { day, topic, instance, name, count: 0 };
      known.count++;
      topics.set(key, known);
    },
    result: () => ({ lines: [...lines.values()], topics: [...topics.values()], outcomes }),
  };

  function countsOf(said: LineSaid, at: number): Mutable {
    const { instance, language, channel, line, speaker } = said;
    const day = dayOf(at);
    const key = [day, instance, language, channel, line, speaker].join("\n");
    const known = lines.get(key);
    if (known !== undefined) return known;
    const fresh = { day, instance, language, channel, line, speaker, ...nothing };
    lines.set(key, fresh);
    return fresh;
  }
}

const nothing: LineCounts = {
  said: 0,
  answered: 0,
  failed: 0,
  clicked: 0,
  handedOver: 0,
  ratedUp: 0,
  ratedDown: 0,
  left: 0,
  unknown: 0,
};

type Row = LineSaid & LineCounts & { readonly day: number };
type Mutable = { -readonly [Key in keyof Row]: Row[Key] };

/** Reasons of single places; the others are no exception. */
const LEFT_ALONE: ReadonlySet<string> = new Set(["no-text", "not-a-string", "empty-message"]);
