import { keepSweeping } from "../../backend/storage/sweeping.ts";
import { deliverEvents, type Outbox } from "../../backend/webhooks/deliveries.ts";
import { createHookTransport, type HookTransport } from "../../backend/webhooks/hook-transport.ts";
import { signatureOf } from "../../backend/webhooks/signature.ts";
import { createWebhookTransport } from "../../backend/webhooks/transport.ts";
import type { InsightsWebhook } from "../../config/config.ts";
import type { Logger } from "../../gateway/exchange/platform.ts";
import type { InsightsDatabase, InsightsTables } from "../../insights/tables.ts";
import { lastWeekAt, queueWeek, readSummary } from "../../insights/weekly-summary.ts";
import { encodeUtf8 } from "../../json/bytes.ts";

export interface SummaryOptions {
  readonly webhook: InsightsWebhook;
  /** Opens the store of insights. Rejects while it is unreachable. */
  readonly open: () => Promise<InsightsDatabase>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly log: Logger;
  /** Milliseconds between two checks of the clock. Default: 5,000. */
  readonly every?: number;
}

/**
 * Sends the sums of each week to an address after Monday 01:00 UTC. Of all processes at the store,
 * one sends them. Like other webhooks, they are sent again until the address answers 2xx.
 *
 * @returns a function that ends it and breaks off a delivery, which the next process sends again
 */
export function keepSummarizing(options: SummaryOptions): () => Promise<void> {
  const { webhook, open, now, log, every = 5_000 } = options;
  const { host } = new URL(webhook.url);
  const transport = createWebhookTransport();
  const hooks = reportFailures(createHookTransport([host], transport), host, log);
  const outbox = createOutbox(webhook, now);
  const failed = (error: unknown): void =>
    log("warn", "summary-failed", { host, detail: String(error) });
  let queued = Number.NaN;
  const end = keepSweeping(sendDue, every, failed);
  return async () => {
    transport.close();
    await end();
  };

  async function sendDue(): Promise<void> {
    const database = await open();
    const week = lastWeekAt(now());
    if (week !== queued) await queueWeek(database, week, now());
    queued = week;
    await deliverEvents(outbox, { database, hooks, now, report: failed });
  }
}

function createOutbox({ url, secret }: InsightsWebhook, now: () => number): Outbox<InsightsTables> {
  return {
    name: "insights.webhook",
    table: "insight_events",
    batch: 1,
    keepsUndelivered: false,
    async request(kysely, _, [monday]) {
      if (monday === undefined) return null;
      const summary = await readSummary({ kysely }, monday);
      const body = JSON.stringify(summary);
      const timestamp = String(Math.floor(now() / 1000));
      const headers = {
        "content-type": "application/json",
        "idempotency-key": summary.id,
        "x-afterword-timestamp": timestamp,
        "x-afterword-signature": await signatureOf(secret, timestamp, encodeUtf8(body)),
      };
      return { url, headers, body };
    },
  };
}

/** Logs each failure, so that a wrong address is seen before its deliveries are given up. */
function reportFailures(hooks: HookTransport, host: string, log: Logger): HookTransport {
  return async (request) => {
    const answer = await hooks(request);
    if (!answer.ok || answer.status < 200 || answer.status > 299) {
      const detail = answer.ok ? `it answered ${answer.status}` : answer.reason;
      log("warn", "summary-failed", { host, detail });
    }
    return answer;
  };
}
