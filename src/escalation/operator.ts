import { isObject } from "../json/values.ts";
import { closeLater } from "./agent-chat-step.ts";
import { intentOf, withIntent } from "./records/intents.ts";
import { chatOf, type EscalationRecord, type Intent } from "./stores/record.ts";
import type { Records } from "./records/records.ts";
import { backToBot, type Scope } from "./records/scope.ts";
import type { EscalationStore } from "./stores/store.ts";

/** The state of one conversation in /_afterword/escalations: no text, no name, no session. */
export function toListed(record: EscalationRecord) {
  const { key, instance, phase, epoch, updated, intents } = record;
  const chat = chatOf(record)?.id ?? null;
  return {
    /** Digest that names the conversation in tickets and logs. */
    conversation: key,
    instance,
    phase: phase.name,
    holder: chat === null ? "bot" : "person",
    epoch,
    updated: toIso(updated),
    chat,
    calls: intents.map(({ kind, epoch, state, result, attempts, first, next, problem }) => ({
      kind,
      epoch,
      state,
      result: result || null,
      attempts,
      first: toIso(first),
      next: next === null ? null : toIso(next),
      problem: problem || null,
    })),
  };
}

/** ISO 8601, UTC. */
function toIso(time: number): string {
  return new Date(time).toISOString();
}

/** The outcome of an operator's order. */
export type OrderOutcome =
  | { readonly kind: "done"; readonly escalation: ReturnType<typeof toListed> }
  /** Nothing was changed, and why. */
  | { readonly kind: "malformed" | "absent" | "not-possible"; readonly why: string };

/** The body that an operator writes to POST /_afterword/escalations. */
interface Order {
  readonly conversation: string;
  readonly kind: Intent["kind"];
  readonly epoch: number;
  /** `retry`: missing, send again. `done`: exists. `drop`: give up, close a chat, leave the bot. */
  readonly settle: "retry" | "done" | "drop";
}

interface Parts {
  readonly records: Records;
  readonly store: EscalationStore;
  readonly advance: (record: EscalationRecord) => Promise<EscalationRecord>;
  /** Null if the instance no longer exists. */
  readonly scopeOf: (record: EscalationRecord) => Scope | null;
}

/** Applies an operator's verdict on a call of unknown outcome; the reader is not notified. */
export async function settleByHand(parts: Parts, value: unknown): Promise<OrderOutcome> {
  const order = readOrder(value);
  if (order === null) return { kind: "malformed", why: shape };
  const stored = await parts.store.get(order.conversation);
  if (stored === null) return { kind: "absent", why: "There is no such conversation." };
  const scope = parts.scopeOf(stored);
  const now = scope?.now() ?? stored.updated;
  let changed = false;
  const record = await parts.records.change(stored.key, stored.instance, (current) => {
    const next = settledBy(scope, current, order, now);
    changed = next !== null;
    return next;
  });
  if (!changed) {
    return { kind: "not-possible", why: `There is no ${order.kind} that this can be done with.` };
  }
  return { kind: "done", escalation: toListed(await parts.advance(record)) };
}

/** Null if it cannot be done. */
function settledBy(
  scope: Scope | null,
  record: EscalationRecord,
  { kind, epoch, settle }: Order,
  now: number,
): EscalationRecord | null {
  const intent = intentOf(record, kind, epoch);
  if (intent === null) return null;
  const chat = kind === "chat" && epoch === record.epoch ? chatOf(record) : null;
  if (chat !== null) {
    if (settle !== "drop" || scope === null) return null;
    return closeLater(scope, backToBot(scope, record), chat.id);
  }
  if (intent.state === "done" || intent.state === "refused") return null;
  const by = { ...intent, next: null, problem: "settled by the operator" };
  if (settle === "done") return withIntent(record, { ...by, state: "done" });
  if (settle === "drop") return withIntent(record, { ...by, state: "refused" });
  // A chat is not opened behind a reader who has moved on.
  if (kind === "chat") return null;
  return withIntent(record, { ...by, state: "planned", first: now, attempts: 0, next: now });
}

const shape =
  'Send {"conversation":"<64 hexadecimal digits>","kind":"ticket" or "chat","epoch":<number>,"settle":"retry", "done" or "drop"}.';

function readOrder(value: unknown): Order | null {
  const { conversation, kind, epoch, settle } = { ...(isObject(value) ? value : {}) };
  if (typeof conversation !== "string" || !/^[0-9a-f]{64}$/u.test(conversation)) return null;
  if (kind !== "chat" && kind !== "ticket") return null;
  if (settle !== "retry" && settle !== "done" && settle !== "drop") return null;
  if (typeof epoch !== "number" || !Number.isSafeInteger(epoch)) return null;
  return { conversation, kind, epoch, settle };
}
