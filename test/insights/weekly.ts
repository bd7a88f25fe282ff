import { onTestFinished } from "vitest";
import type { LineOfDay } from "../../src/insights/line-counts.ts";
import { openInsightsDatabase } from "../../src/insights/tables.ts";
import { keepSummarizing } from "../../src/runtime/node/weekly-summary.ts";

export const secret = "a secret of the receiver".replaceAll(" ", "-");

export function dayOf(date: string): number {
  return Date.parse(date) / 86_400_000;
}

/** Counts of a line of the shop on a day. */
export function countLine(day: string, line: string, counts: Partial<LineOfDay>): LineOfDay {
  const none = { answered: 0, failed: 0, clicked: 0, handedOver: 0, ratedUp: 0, ratedDown: 0 };
  const dimensions = {
    instance: "shop",
    language: "en",
    channel: "",
    line,
    speaker: "own",
  } as const;
  return { day: dayOf(day), ...dimensions, said: 0, ...none, left: 0, unknown: 0, ...counts };
}

/** Sends summaries as a process with its own connection and clock does. */
export async function startSummaries(address: string, url: string, { now }: { now: number }) {
  const database = await openInsightsDatabase(address);
  const logs: string[] = [];
  let time = now;
  let looks = 0;
  const finish = keepSummarizing({
    webhook: { url, secret },
    open: async () => {
      looks++;
      return database;
    },
    now: () => time,
    log: (_level, _event, fields) =>
      void logs.push(`${String(fields?.["host"])}: ${String(fields?.["detail"])}`),
    every: 5,
  });
  let ended: Promise<void> | null = null;
  const end = (): Promise<void> => (ended ??= finish().then(() => database.close()));
  onTestFinished(end);
  return {
    logs,
    end,
    looked: () => looks,
    pass: (milliseconds: number): void => {
      time += milliseconds;
    },
  };
}
