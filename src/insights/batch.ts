import type { Trace } from "../direct-answers/types.ts";
import {
  type Fact,
  type LineCounts,
  type LineKey,
  type Outcome,
  OUTCOMES,
  type Topic,
  type TurnFact,
} from "./facts.ts";
import { type Ending, endingOf, findContent, listShownLines, toOutcome } from "./shown-lines.ts";

/** A line whose outcome is not known yet. */
export interface OpenLine extends LineKey {
  readonly at: number;
}

/** A conversation of a batch's facts. */
interface BatchConversation {
  /** The first fact that ends open lines; null if none does. Earlier lines get its outcome. */
  first: { readonly at: number; readonly ending: Ending } | null;
  /** The lines of this batch whose outcome is not known yet. */
  open: readonly CountedLine[];
}

/** An open line, as the row that counts it. */
interface CountedLine {
  readonly at: number;
  readonly counts: Mutable;
}

/** The additions of a batch of facts to the counts. */
export interface Counted {
  readonly lines: readonly (LineKey & LineCounts & { readonly day: number })[];
  readonly topics: readonly TopicCount[];
  /** By conversation, as facts name it. */
  readonly open: ReadonlyMap<string, readonly OpenLine[]>;
  readonly outcomes: readonly KnownOutcome[];
}

/** How often an outcome of a line became known. All contents are one line: there may be thousands. */
export interface KnownOutcome {
  readonly line: string;
  readonly outcome: Outcome;
  readonly count: number;
}

export interface TopicCount {
  readonly day: number;
  readonly topic: Topic | "messages";
  readonly instance: string;
  readonly name: string;
  readonly count: number;
}

/** Milliseconds without a turn after which the reader counts as gone. */
export const leftAfter = 30 * 60_000;

/** The most open lines. */
export const maxOpenLines = 100_000;

/** The most conversations whose lines are taken as expired at once. Reading so many takes some 10 ms. */
export const maxTaken = 2000;

/** Days for which daily counts are kept. */
export const keptDays = 400;

const oneDay = 86_400_000;

export function dayOf(at: number): number {
  return Math.floor(at / oneDay);
}

/** Clients name channels and languages, so a process counts at most this many of each per day. */
const maxNames = 200;

/** Limits the names that clients choose: beyond a number of names, the rest counts as `other`. */
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
      if (!names.has(name) && names.size >= maxNames) return "other";
      names.add(name);
      return name;
    },
  };
}

/** Counts facts as they come, so that nothing of a message is held until they are written. */
export interface Batch {
  /**
   * @param conversation SHA-256 of instance and session; null without a session
   * @param contents the contents of the embedded backend that the answer showed, as lines
   */
  take(fact: Fact, conversation: string | null, contents?: readonly LineKey[]): void;
  /** The conversations of the facts, as these name them. */
  conversations(): readonly string[];
  /**
   * Adds the outcomes of earlier lines. Nothing may be taken after that.
   *
   * @param before open lines of the facts' conversations
   * @param expired lines whose readers have been silent for too long
   */
  finish(
    before: ReadonlyMap<string, readonly OpenLine[]>,
    expired: readonly ExpiredLine[],
  ): Counted;
}

export interface ExpiredLine {
  readonly line: OpenLine;
  readonly outcome: "left" | "unknown";
}

/** Pure but for `names`. */
export function createBatch(names: NameLimit): Batch {
  const conversations = new Map<string, BatchConversation>();
  const tally = createTally();
  return {
    take(fact, conversation, contents = []) {
      const known = conversation === null ? null : find(conversation);
      if (fact.kind === "turn") return takeTurn(fact, known, contents);
      if (fact.kind === "rating") {
        return end(known, fact.at, fact.isNegative ? "ratedDown" : "ratedUp");
      }
      tally.addTopic(fact.at, "hand-over", fact.instance, fact.stage);
      if (fact.stage === "accepted") end(known, fact.at, "handedOver");
    },
    conversations: () => [...conversations.keys()],
    finish(before, expired) {
      for (const { line, outcome } of expired) tally.countsOf(line, line.at)[outcome]++;
      const open = new Map<string, readonly OpenLine[]>();
      for (const [name, { first, open: own }] of conversations) {
        const earlier = before.get(name) ?? [];
        for (const line of earlier) {
          if (first === null) continue;
          settle({ at: line.at, counts: tally.countsOf(line, line.at) }, first.at, first.ending);
        }
        const lines = first === null ? earlier : own.map(toOpenLine);
        if (lines.length > 0) open.set(name, lines);
      }
      return { ...tally.result(), open };
    },
  };

  function find(conversation: string): BatchConversation {
    const known = conversations.get(conversation);
    if (known !== undefined) return known;
    const fresh: BatchConversation = { first: null, open: [] };
    conversations.set(conversation, fresh);
    return fresh;
  }

  function takeTurn(
    fact: TurnFact & Fact,
    conversation: BatchConversation | null,
    contents: readonly LineKey[],
  ): void {
    const { at, instance, decided, isHandedOver, readRequest } = fact;
    tally.addTopic(at, "messages", instance, "");
    const trace = decided === null || typeof decided === "string" ? null : decided;
    const gate = trace === null ? decided : trace.gate;
    // An answer without anything to replace counts as the bot's own, not as an exception.
    if (typeof gate === "string" && gate !== "bytes")
      tally.addTopic(at, "left-alone", instance, gate);
    if (trace !== null) takeSteps(trace, fact, tally, names);
    const lines = trace === null ? [] : listShownLines(trace);
    const spoken = contents.length === 0 ? lines : [...lines, ...contents];
    end(conversation, at, endingOf(isHandedOver, spoken, readRequest));
    if (spoken.length === 0) return;
    const open = spoken.map(({ language, channel: named, line, speaker }): CountedLine => {
      const channel = names.limit("channel", named, dayOf(at));
      const counts = tally.countsOf({ instance, language, channel, line, speaker }, at);
      counts.said++;
      return { at, counts };
    });
    if (conversation !== null) conversation.open = open;
    else for (const { counts } of open) counts.unknown++;
  }

  /** The reader of these lines continued, or did not come back in time. */
  function end(conversation: BatchConversation | null, at: number, ending: Ending): void {
    if (conversation === null) return;
    conversation.first ??= { at, ending };
    for (const line of conversation.open) settle(line, at, ending);
    conversation.open = [];
  }
}

/** Counts facts that are not about a line. */
function takeSteps(
  { unserved, steps }: Trace,
  { at, instance }: Fact,
  tally: Tally,
  names: NameLimit,
): void {
  if (unserved !== undefined) {
    tally.addTopic(at, "language", instance, names.limit("language", unserved, dayOf(at)));
  }
  for (const { reason, flag, unexpected } of steps) {
    if (unexpected === true) tally.addTopic(at, "unexpected", instance, flag ?? "none");
    if (reason === "default-content" || reason === "flag-restored") {
      tally.addTopic(at, "default-content", instance, flag ?? "none");
    }
    if (LEFT_ALONE.has(reason)) tally.addTopic(at, "left-alone", instance, reason);
  }
}

function settle(line: CountedLine, at: number, ending: Ending): void {
  line.counts[at - line.at > leftAfter ? "left" : toOutcome(ending)]++;
}

function toOpenLine({ at, counts }: CountedLine): OpenLine {
  const { instance, language, channel, line, speaker } = counts;
  return { instance, language, channel, line, speaker, at };
}

type Tally = ReturnType<typeof createTally>;

/** Adds up counts. */
function createTally() {
  const lines = new Map<string, Mutable>();
  const topics = new Map<string, { -readonly [Key in keyof TopicCount]: TopicCount[Key] }>();

  return {
    countsOf({ instance, language, channel, line, speaker }: LineKey, at: number): Mutable {
      const day = dayOf(at);
      const key = `${day}\n${instance}\n${language}\n${channel}\n${line}\n${speaker}`;
      const known = lines.get(key);
      if (known !== undefined) return known;
      const row = { day, instance, language, channel, line, speaker, ...nothing };
      lines.set(key, row);
      return row;
    },
    addTopic(at: number, topic: TopicCount["topic"], instance: string, name: string): void {
      const day = dayOf(at);
      const key = `${day}\n${topic}\n${instance}\n${name}`;
      const row = topics.get(key);
      if (row === undefined) topics.set(key, { day, topic, instance, name, count: 1 });
      else row.count++;
    },
    result() {
      const rows = [...lines.values()];
      const outcomes = rows.flatMap((row) =>
        OUTCOMES.filter((outcome) => row[outcome] > 0).map((outcome): KnownOutcome => {
          const line = findContent(row.line) === null ? row.line : "content";
          return { line, outcome, count: row[outcome] };
        }),
      );
      return { lines: rows, topics: [...topics.values()], outcomes };
    },
  };
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

type Row = LineKey & LineCounts & { readonly day: number };
type Mutable = { -readonly [Key in keyof Row]: Row[Key] };

/** Reasons of single texts; the others are not exceptions. */
const LEFT_ALONE: ReadonlySet<string> = new Set(["no-text", "not-a-string", "empty-message"]);
