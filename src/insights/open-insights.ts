import { waitAtMost } from "../wait.ts";
import type { Fact, Insights, Outcome } from "./facts.ts";
import type { KeptQuestions } from "./questions.ts";
import { readQuestions } from "./read-questions.ts";
import { readReport } from "./report.ts";
import { createGaps, type Gap, gapOf } from "./gaps.ts";
import type { LanguageOfContents } from "./shown-contents.ts";
import { createInsightsStore, type InsightsStore } from "./store.ts";
import { everyIdle } from "./writers.ts";
import { type InsightsDatabase, openInsightsDatabase } from "./tables.ts";

export interface OpenInsights extends Insights {
  /** Gives the database. Rejects while it is away. */
  readonly database: () => Promise<InsightsDatabase>;
  /** Counts what is waiting, and closes the store. Never rejects. */
  close(): Promise<void>;
}

export interface InsightsOptions {
  /** A SQLite file, or `postgres://…`. */
  readonly address: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  readonly digest: (text: string) => string;
  readonly createSalt: () => string;
  /** Null: the words of no question are kept. */
  readonly questions: KeptQuestions | null;
  /** Finds the language of the own backend's contents for readers of a language. */
  readonly languageOfContents?: LanguageOfContents | undefined;
  /** Told of each outcome once it is known. */
  readonly onOutcome: (line: string, outcome: Outcome) => void;
  /** Told of facts that were not counted, and why. */
  readonly onLost: (facts: number, why: string, detail: string) => void;
  /** Milliseconds between two batches. Default: a second. */
  readonly every?: number;
}

/**
 * Facts that wait for the next batch. A message must not wait for the store, nor memory grow with
 * what the store does not take.
 */
const mostWaiting = 50_000;

/** A clock that is set back by more than this is told of, in milliseconds. */
const setBack = 60_000;

/**
 * Counts facts in batches aside of the messages' way. A batch that cannot be written is given up:
 * written twice, it would count twice. Its time is kept as a gap, and is told of with the counts.
 */
export function openInsights(options: InsightsOptions): OpenInsights {
  const { clock, now, every = 1000, questions: kept } = options;
  let waiting: Fact[] = [];
  let overflow: (Gap & { readonly facts: number }) | null = null;
  const gaps = createGaps();
  let opening: Promise<Opened> | null = null;
  let writing: Promise<void> = Promise.resolve();
  let isBusy = false;
  let written = -Infinity;
  const lookAtClock = createClockWatch(options, (gap) => gaps.add(gap));
  const timer = setInterval(() => void flush(), every).unref();
  // The store knows this process before its first facts, should it be killed.
  void flush();

  return {
    note(fact) {
      if (waiting.length < mostWaiting) waiting.push(fact);
      else overflow = addLost(overflow, fact);
    },
    async report(filter) {
      const { database } = await open();
      const report = await readReport(database, filter);
      if (filter.questions === undefined) return report;
      const questions = kept && (await readQuestions(database, filter, kept, now()));
      return { ...report, questions };
    },
    database: async () => (await open()).database,
    async close() {
      clearInterval(timer);
      await waitAtMost(closingPatience, writing.then(flush));
      await (await opening?.catch(() => null))?.store.close().catch(() => undefined);
    },
  };

  function open(): Promise<Opened> {
    // A store that was away may be back.
    opening ??= openStore(options).catch((error: unknown) => {
      opening = null;
      throw error;
    });
    return opening;
  }

  function flush(): Promise<void> {
    if (isBusy) return writing;
    isBusy = true;
    writing = writeBatch().finally(() => (isBusy = false));
    return writing;
  }

  async function writeBatch(): Promise<void> {
    lookAtClock();
    const batch = waiting;
    waiting = [];
    if (overflow !== null) {
      gaps.add({ since: overflow.since, until: overflow.until, why: overflow.why });
      options.onLost(overflow.facts, overflow.why, "");
      overflow = null;
    }
    const known = gaps.read();
    const isIdle = batch.length === 0 && known.length === 0;
    // Readers leave while nobody writes.
    if (isIdle && clock() - written < everyIdle) return;
    written = clock();
    try {
      const { store } = await open();
      const outcomes = await store.write(batch, known, now());
      gaps.forget(known.length);
      for (const { line, outcome } of outcomes) options.onOutcome(line, outcome);
    } catch (error) {
      if (batch.length > 0) noteLost(batch, error);
    }
  }

  function noteLost(facts: readonly Fact[], error: unknown): void {
    const why = "the store was away";
    gaps.add(gapOf(facts, why));
    options.onLost(facts.length, why, error instanceof Error ? error.message : String(error));
  }
}

/** Notices that the clock was set back since the last look. */
function createClockWatch(
  { now, clock }: Pick<InsightsOptions, "now" | "clock">,
  report: (gap: Gap) => void,
): () => void {
  let last = { wall: now(), monotonic: clock() };
  return () => {
    const time = { wall: now(), monotonic: clock() };
    const expected = last.wall + (time.monotonic - last.monotonic);
    if (expected - time.wall > setBack) {
      report({ since: time.wall, until: expected, why: "the clock was set back" });
    }
    last = time;
  };
}

/** How long the last batch may take when a process ends, in milliseconds. */
const closingPatience = 5000;

function addLost(before: (Gap & { readonly facts: number }) | null, { at }: Fact) {
  const { facts = 0, since = at, until = at } = before ?? {};
  const why = "more messages came than could be counted";
  return { facts: facts + 1, since: Math.min(since, at), until: Math.max(until, at), why };
}

interface Opened {
  readonly database: InsightsDatabase;
  readonly store: InsightsStore;
}

async function openStore(options: InsightsOptions): Promise<Opened> {
  const database = await openInsightsDatabase(options.address);
  return { database, store: createInsightsStore({ ...options, database }) };
}
