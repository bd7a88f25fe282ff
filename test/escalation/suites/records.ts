import { createHash, randomUUID } from "node:crypto";
import type {
  EscalationRecord,
  Intent,
  HandoffPhase,
} from "../../../src/escalation/stores/record.ts";

export const bot: HandoffPhase = { name: "bot", quietUntil: 0 };
export const waiting: HandoffPhase = {
  name: "waiting",
  chat: { id: "c-1", user: "u-1", seen: "" },
  step: 0,
  since: 1,
  queued: true,
};
export const talking: HandoffPhase = {
  name: "talking",
  chat: { id: "c-1", user: "u-1", seen: "m-1" },
  agent: "a-1",
  since: 1,
};

export function keyOf(text: string = randomUUID()): string {
  return createHash("sha256").update(text).digest("hex");
}

/** A record that was never written. */
export function record(more: Partial<EscalationRecord> = {}): EscalationRecord {
  return {
    key: keyOf(),
    instance: "shop",
    revision: 0,
    epoch: 0,
    phase: bot,
    counts: { noResults: 0, errors: 0, negativeRatings: 0, turns: 1, escalations: 0, last: null },
    eventId: "",
    locale: "en",
    channel: "web",
    lines: [],
    dropped: 0,
    person: { name: "", email: "", id: "", consent: false },
    intents: [],
    messages: [],
    lastMessage: 0,
    delivered: 0,
    deliveredBefore: 0,
    options: [],
    wake: null,
    created: 1_000_000,
    updated: 1_000_000,
    ...more,
  };
}

/** A record with a value in every member. */
export function fullRecord(more: Partial<EscalationRecord> = {}): EscalationRecord {
  return record({
    eventId: randomUUID(),
    epoch: 2,
    phase: talking,
    counts: {
      noResults: 1,
      errors: 2,
      negativeRatings: 3,
      turns: 4,
      escalations: 2,
      last: { digest: keyOf(), at: 5, reason: "flag", answer: 0 },
    },
    lines: [
      { who: "reader", said: 'Zoë "Z" \u2028 \ud83d\ude00', at: 1 },
      { who: "bot", said: "Sorry", shown: "لا شيء", at: 2 },
    ],
    dropped: 3,
    person: { name: "Wilhelmina", email: "w@example.test", id: "7", consent: true },
    intents: [intent("done"), intent("unknown")],
    messages: [
      { id: 1, text: "Hello", kind: "agent" },
      { id: 2, text: "?", kind: "line", options: [{ value: "aw:yes", label: "Yes" }] },
      { id: 3, text: "a.png", kind: "media", media: { name: "a.png", url: "/media/1", type: "x" } },
    ],
    lastMessage: 3,
    delivered: 2,
    deliveredBefore: 1,
    options: [{ value: "1", label: "One" }],
    wake: 3_000_000_000_000,
    ...more,
  });
}

export function intent(state: Intent["state"]): Intent {
  return {
    kind: "ticket",
    epoch: 1,
    state,
    result: "418",
    attempts: 1,
    first: 1,
    next: null,
    problem: "",
  };
}
