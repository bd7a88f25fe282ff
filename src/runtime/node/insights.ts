import { hash, randomBytes } from "node:crypto";
import { join } from "node:path";
import type { AskedQuestions } from "../../backend/chatbot/asked-questions.ts";
import type { Config, InsightsConfig } from "../../config/config.ts";
import { listEmbedded } from "../../config/load/embedded.ts";
import { loadMatchingWords } from "../../config/load/matching-words.ts";
import type { Metrics } from "../../gateway/exchange/metrics.ts";
import type { Logger } from "../../gateway/exchange/platform.ts";
import { createLosses } from "../../insights/gaps.ts";
import { openInsights, type OpenInsights } from "../../insights/open-insights.ts";
import { createQuestionLanguages, type KeptQuestions } from "../../insights/questions.ts";
import { INSIGHTS_FILE } from "../../insights/tables.ts";

export interface ServedInsightsParts {
  /** The configuration that the process starts with. */
  readonly config: Pick<Config, "data" | "instances">;
  /** The embedded backend; null if there is none. */
  readonly backend: AskedQuestions | null;
  readonly log: Logger;
  readonly metrics: () => Metrics;
}

/** Insights of this process. The store may be unreachable, and is tried with every batch. */
export function openServedInsights(
  settings: InsightsConfig,
  { config, backend, log, metrics }: ServedInsightsParts,
): OpenInsights {
  const losses = createLosses(log);
  return openInsights({
    address: addressOf(settings, config.data),
    questions: keepQuestions(settings, config, backend),
    languageOfContents: backend?.languageOfContents,
    now: () => Date.now(),
    clock: () => performance.now(),
    digest: (text) => hash("sha256", text, "hex"),
    createSalt: () => randomBytes(32).toString("hex"),
    onOutcome: (line, outcome, count) =>
      metrics().add(count, "afterword_outcomes_total", line, outcome),
    onLost(facts, why, detail) {
      metrics().count("afterword_insights_lost_total");
      losses.add(facts, why, detail);
    },
    onWritten: () => losses.passBatch(),
  });
}

/** The database of these settings: a SQLite file in the data directory, or PostgreSQL. */
export function addressOf({ store }: Pick<InsightsConfig, "store">, data: string): string {
  return store === "file" ? join(data, INSIGHTS_FILE) : store;
}

/** How questions are kept; null if none are. */
export function keepQuestions(
  { questions, retention }: InsightsConfig,
  { instances }: Pick<Config, "instances">,
  backend: Partial<AskedQuestions> | null,
): KeptQuestions | null {
  if (!questions) return null;
  const { nearest, valuesTold } = backend ?? {};
  const own = new Set(listEmbedded(instances));
  return {
    languages: createQuestionLanguages(loadMatchingWords),
    retention,
    isOwn: (instance) => own.has(instance),
    ...(nearest && { nearest }),
    ...(valuesTold && { valuesTold }),
  };
}
