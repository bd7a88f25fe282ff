import { hash, randomBytes } from "node:crypto";
import { join } from "node:path";
import type { InsightsConfig } from "../../config/config.ts";
import type { Metrics } from "../../gateway/exchange/metrics.ts";
import type { Logger } from "../../gateway/exchange/platform.ts";
import { openInsights, type OpenInsights } from "../../insights/open-insights.ts";
import { INSIGHTS_FILE } from "../../insights/tables.ts";

export interface ServedInsightsParts {
  /** The directory of the process's files. */
  readonly data: string;
  readonly log: Logger;
  readonly metrics: () => Metrics;
}

/** Insights of this process. The store may be away: it is tried with every batch. */
export function openServedInsights(
  settings: InsightsConfig,
  { data, log, metrics }: ServedInsightsParts,
): OpenInsights {
  return openInsights({
    address: addressOf(settings, data),
    now: () => Date.now(),
    clock: () => performance.now(),
    digest: (text) => hash("sha256", text, "hex"),
    createSalt: () => randomBytes(32).toString("hex"),
    onOutcome: (line, outcome) => metrics().count("afterword_outcomes_total", line, outcome),
    onLost(facts, why, detail) {
      metrics().count("afterword_insights_lost_total");
      log("warn", "insights-lost", { facts, why, detail });
    },
  });
}

/** The database of these settings: a SQLite file in the data directory, or PostgreSQL. */
export function addressOf({ store }: Pick<InsightsConfig, "store">, data: string): string {
  return store === "file" ? join(data, INSIGHTS_FILE) : store;
}
