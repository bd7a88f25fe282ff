import { waitAtMost } from "../wait.ts";
import { createNameLimit } from "./batch.ts";
import { eraseInsights } from "./erase.ts";
import type { Fact, Insights, InsightsReport, Outcome, ReportFilter } from "./facts.ts";
import type { KeptQuestions } from "./questions.ts";
import { dismissQuestion } from "./question-store.ts";
import { readQuestions } from "./read-questions.ts";
import { readReport } from "./report.ts";
import { createGaps, type Gap } from "./gaps.ts";
import { createNotedFacts, type NotedFacts } from "./noted-facts.ts";
import type { LanguageOfContents } from "./shown-contents.ts";
import { createInsightsStore, type InsightsStore } from "./store.ts";
import { everyIdle } from "./writers.ts";
import { type InsightsDatabase, openInsightsDatabase } from "./tables.ts";

export interface OpenInsights extends Insights {
  /** Opens the database. Rejects while it is unreachable. */
  readonly database: () => Promise<InsightsDatabase>;
  /** Resolves once the store knows of this process, or is unreachable or slow. */
  readonly begun: Promise<void>;
  /** Counts the waiting facts, and closes the store. Never rejects. */
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
  /** Null if questions are not kept. */
  readonly questions: KeptQuestions | null;
  /** Finds the language of the embedded backend's contents for readers of a language. */
  readonly languageOfContents?: LanguageOfContents | undefined;
  /** Called with the number of times that an outcome of a line became known. */
  readonly onOutcome: (line: string, outcome: Outcome, count: number) => void;
  /** Called for facts that were not counted, with the reason. */
  readonly onLost: (facts: number, why: string, detail: string) => void;
  /** Called after each batch that was written. */
  readonly onWritten: () => void;
  /** Milliseconds between two batches. Default: a second. */
  readonly every?: number;
}

/** Milliseconds. A clock that is set back by more than this is reported. */
const setBack = 60_000;

/**
 * Counts facts in batches, outside the path of messages. A batch that cannot be written is dropped,
 * because writing it again could count it twice. Its time is kept as a gap, which reports show with
 * the counts.
 */
export function openInsights(options: InsightsOptions): OpenInsights {
  const { clock, now, every = 1000, questions: kept } = options;
  const { digest } = options;
  const noting = { digest, names: createNameLimit(), keepsQuestions: kept !== null };
  let waiting = createNotedFacts(noting);
  let overflow: (Gap & { readonly facts: number }) | null = null;
  const gaps = createGaps();
  const opener = createOpener(options);
  let writing: Promise<void> = Promise.resolve();
  let isBusy = false;
  let written = -Infinity;
  const lookAtClock = createClockWatch(options, (gap) => gaps.add(gap));
  const timer = setInterval(() => void flush(), every).unref();
  // The store learns of this process before its first facts, in case it is killed.
  const begun = waitAtMost(beginningPatience, flush());

  return {
    begun,
    note(fact) {
      try {
        if (!waiting.note(fact)) overflow = addLost(overflow, fact);
      } catch (error) {
        options.onLost(1, "a fault of our own", messageOf(error));
      }
    },
    report: async (filter) => readInsights((await opener.open()).database, filter, kept, now()),
    async erase(erasure) {
      // Facts that are waiting to be counted are erased too.
      await writing.then(flush);
      return eraseInsights((await opener.open()).database, erasure);
    },
    dismiss: async (dismissal) => dismissQuestion((await opener.open()).database, dismissal),
    database: async () => (await opener.open()).database,
    async close() {
      clearInterval(timer);
      await waitAtMost(closingPatience, writing.then(flush));
      await opener.close();
    },
  };

  function flush(): Promise<void> {
    if (isBusy) return writing;
    isBusy = true;
    writing = writeBatch().finally(() => (isBusy = false));
    return writing;
  }

  async function writeBatch(): Promise<void> {
    lookAtClock();
    const batch = waiting;
    waiting = createNotedFacts(noting);
    if (overflow !== null) {
      gaps.add({ since: overflow.since, until: overflow.until, why: overflow.why });
      options.onLost(overflow.facts, overflow.why, "");
      overflow = null;
    }
    const known = gaps.read();
    const isIdle = batch.count() === 0 && known.length === 0;
    // Readers count as left even if no other message arrives.
    if (isIdle && clock() - written < everyIdle) return;
    written = clock();
    try {
      const { store } = await opener.open();
      const outcomes = await store.write(batch, known, now());
      gaps.forget(known.length);
      for (const { line, outcome, count } of outcomes) options.onOutcome(line, outcome, count);
      options.onWritten();
    } catch (error) {
      if (batch.count() > 0) noteLost(batch, error);
    }
  }

  function noteLost({ count, time }: NotedFacts, error: unknown): void {
    const why = "the store was away";
    gaps.add({ ...time(), why });
    options.onLost(count(), why, messageOf(error));
  }
}

/**
 * Reads the report, with questions if the filter asks for them.
 *
 * @param kept how questions are kept; null if they are not
 */
export async function readInsights(
  database: InsightsDatabase,
  filter: ReportFilter,
  kept: KeptQuestions | null,
  now: number,
): Promise<InsightsReport> {
  const report = await readReport(database, filter);
  if (filter.questions === undefined) return report;
  return { ...report, questions: kept && (await readQuestions(database, filter, kept, now)) };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Detects that the clock was set back since the last call. */
function createClockWatch(
  { now, clock }: Pick<InsightsOptions, "now" | "clock">,
  report: (gap: Gap) => void,
): () => void {
  let last = { wall: now(), monotonic: clock() };
  return () => {
    const time = { wall: now(), monotonic: clock() };
    // The monotonic clock has fractions, which the store does not take.
    const expected = Math.round(last.wall + (time.monotonic - last.monotonic));
    if (expected - time.wall > setBack) {
      report({ since: time.wall, until: expected, why: "the clock was set back" });
    }
    last = time;
  };
}

/** How long a process that starts waits for a store, in milliseconds. */
const beginningPatience = 2000;

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

/** Opens the store on first use, and again after it was unreachable. */
function createOpener(options: InsightsOptions) {
  let opening: Promise<Opened> | null = null;
  return {
    open(): Promise<Opened> {
      opening ??= openStore().catch((error: unknown) => {
        opening = null;
        throw error;
      });
      return opening;
    },
    async close(): Promise<void> {
      await (await opening?.catch(() => null))?.store.close().catch(() => undefined);
    },
  };

  async function openStore(): Promise<Opened> {
    const database = await openInsightsDatabase(options.address);
    return { database, store: createInsightsStore({ ...options, database }) };
  }
}
