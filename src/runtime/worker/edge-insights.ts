import { waitUntil } from "cloudflare:workers";
import type { Metrics } from "../../gateway/exchange/metrics.ts";
import type { Logger } from "../../gateway/exchange/platform.ts";
import type { Fact, Insights } from "../../insights/facts.ts";
import { createGaps, createLosses, gapOf } from "../../insights/gaps.ts";
import { hashSha256Hex } from "../../json/bytes.ts";
import { pause } from "../../wait.ts";
import type { InsightsStub, SentFact } from "./insights-object.ts";
import type { ObjectNamespace } from "./platform.ts";

/** Creates the counts of a worker. */
export type EdgeInsights = (
  objects: ObjectNamespace<InsightsStub>,
  parts: EdgeInsightsParts,
) => Insights;

export interface EdgeInsightsParts {
  readonly log: Logger;
  readonly metrics: () => Metrics;
}

/** Sends an isolate's facts to the object that counts them, those of a second together. */
export function createEdgeInsights(
  objects: ObjectNamespace<InsightsStub>,
  { log, metrics }: EdgeInsightsParts,
): Insights {
  const gaps = createGaps();
  const losses = createLosses(log);
  let waiting: Fact[] = [];
  let scheduled = -Infinity;

  return {
    note(fact) {
      if (waiting.length < maxWaiting) waiting.push(fact);
      else loseFacts([fact], "more messages came than could be counted", "");
      // A request that has ended takes its timer with it, so the next request sends.
      if (Math.abs(Date.now() - scheduled) < maxPause) return;
      scheduled = Date.now();
      waitUntil(sendSoon());
    },
    async report(filter) {
      const report = await find().report(filter);
      return filter.questions === undefined ? report : { ...report, questions: null };
    },
    erase: (erasure) => find().erase(erasure),
    // Workers keep no questions.
    dismiss: () => Promise.resolve(false),
  };

  function find(): InsightsStub {
    return objects.get(objects.idFromName("insights"));
  }

  async function sendSoon(): Promise<void> {
    await pause(every);
    scheduled = -Infinity;
    const batch = waiting;
    waiting = [];
    const known = gaps.read();
    gaps.forget(known.length);
    try {
      const outcomes = await find().write(await Promise.all(batch.map(toSent)), known);
      for (const { line, outcome, count } of outcomes) {
        metrics().add(count, "afterword_outcomes_total", line, outcome);
      }
      losses.passBatch();
    } catch (error) {
      for (const gap of known) gaps.add(gap);
      loseFacts(
        batch,
        "the store was away",
        error instanceof Error ? error.message : String(error),
      );
    }
  }

  /** A failed batch is dropped, because it would count twice if it was sent twice. */
  function loseFacts(facts: readonly Fact[], why: string, detail: string): void {
    if (facts.length === 0) return;
    gaps.add(gapOf(facts, why));
    metrics().count("afterword_insights_lost_total");
    losses.add(facts.length, why, detail);
  }
}

async function toSent(fact: Fact): Promise<SentFact> {
  if (fact.kind === "hand-over") return { conversation: fact.conversation, fact };
  const { session, instance, at } = fact;
  const conversation = session === null ? null : await hashSha256Hex(`${instance}\n${session}`);
  if (fact.kind === "rating") return { conversation, fact: { ...fact, session: null } };
  const { kind, decided, isHandedOver } = fact;
  const { isOption } = fact.readRequest();
  return { conversation, fact: { kind, at, instance, decided, isHandedOver, isOption } };
}

/** Facts that an isolate holds until they are sent. */
const maxWaiting = 10_000;
/** Milliseconds. */
const every = 1000;
const maxPause = 5000;
