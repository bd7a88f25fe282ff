import { hash } from "node:crypto";
import { createNameLimit } from "../../src/insights/batch.ts";
import type { Fact, InsightsReport } from "../../src/insights/facts.ts";
import { createNotedFacts, type NotedFacts } from "../../src/insights/noted-facts.ts";
import type { StoreOptions } from "../../src/insights/store.ts";
import { type Bench, flagged, json, startBench } from "../gateway/harness.ts";

export const digest = (text: string): string => hash("sha256", text, "hex");

/** Counts of every instance and day. */
export const everything = { from: null, to: null, instances: null };

export const settings = {
  store: "file",
  questions: false,
  retention: 90 * 86_400_000,
  webhook: null,
};

/** Answers questions that contain `fail` with no result, and all others with an answer. */
export const failing = flagged("no-results");
const answering = '{"answers":[{"message":"An answer.","flags":[]}]}';

/** A gateway that counts, in front of an engine that has no answer to questions with `fail`. */
export function startCounting(
  data: string,
  store = "file",
  keepsQuestions = false,
): Promise<Bench> {
  return startBench({
    data,
    config: { data, insights: { ...settings, store, questions: keepsQuestions } },
    handler: (request) => ({
      headers: json,
      body: new TextDecoder().decode(request.body).includes("fail") ? failing : answering,
    }),
  });
}

/** Sends a reader's turn, and returns the status of the answer. */
export async function send(
  url: string,
  session: string,
  body: object,
  path = "/v1/conversation/message",
  fields: Readonly<Record<string, string>> = {},
): Promise<number> {
  const response = await fetch(`${url}${path}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-inbenta-session": `Bearer ${session}`,
      ...fields,
    },
    body: JSON.stringify(body),
  });
  await response.arrayBuffer();
  return response.status;
}

/** The counts of one line that are not zero. */
export function countsOf(report: InsightsReport, line = "no-results"): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const row of report.lines.filter((one) => one.line === line)) {
    for (const [name, count] of Object.entries(row)) {
      if (typeof count === "number" && count > 0) sums[name] = (sums[name] ?? 0) + count;
    }
  }
  return sums;
}

/** Passes facts to a store. */
export function noteAll(
  facts: readonly Fact[],
  { digest, questions }: Pick<StoreOptions, "digest" | "questions">,
): NotedFacts {
  const noted = createNotedFacts({
    digest,
    names: createNameLimit(),
    keepsQuestions: questions !== null,
  });
  for (const fact of facts) noted.note(fact);
  return noted;
}

export function turn(session: string, at: number, fails: boolean): Fact {
  const step = { at: "/answers/0/message", flag: "no-results", reason: "no-text" } as const;
  return {
    kind: "turn",
    at,
    instance: "shop",
    session,
    isHandedOver: false,
    readRequest: () => ({ isOption: false, typed: null }),
    decided: {
      gate: null,
      locale: "en",
      localeReason: "",
      instance: "shop",
      channel: "web",
      steps: fails ? [step] : [],
    },
  };
}
