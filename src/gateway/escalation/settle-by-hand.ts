import { closeLater } from "../../escalation/chat-rung.ts";
import type { EscalationRecord, Intent } from "../../escalation/record.ts";
import { intentOf, withIntent } from "../../escalation/retries.ts";
import { backToBot } from "../../escalation/rung.ts";
import type { Scope } from "../../escalation/scope.ts";
import type { EscalationStore } from "../../escalation/store.ts";
import { isRecord } from "../../api/read.ts";
import type { SettledOrder } from "../core.ts";
import { listed } from "./listing.ts";
import type { Records } from "./records.ts";

/** What an operator writes to POST /_afterword/escalations. */
interface Order {
  readonly conversation: string;
  readonly kind: Intent["kind"];
  readonly epoch: number;
  /**
   * `retry`: it does not exist, send it again. `done`: it exists. `drop`: give it up; a chat is
   * closed, and the bot has the conversation.
   */
  readonly settle: "retry" | "done" | "drop";
}

interface Parts {
  readonly records: Records;
  readonly store: EscalationStore;
  readonly attend: (record: EscalationRecord) => Promise<EscalationRecord>;
  /** Null: the instance is gone. */
  readonly scopeOf: (record: EscalationRecord) => Scope | null;
}

/**
 * Takes an operator's word for what became of a call that nobody can tell. The reader is told
 * nothing by it.
 */
export async function settleByHand(parts: Parts, value: unknown): Promise<SettledOrder> {
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
  return { kind: "done", escalation: listed(await parts.attend(record)) };
}

/** Null: it cannot be done. */
function settledBy(
  scope: Scope | null,
  record: EscalationRecord,
  { kind, epoch, settle }: Order,
  now: number,
): EscalationRecord | null {
  const intent = intentOf(record, kind, epoch);
  if (intent === null) return null;
  const { phase } = record;
  const isHeld = kind === "chat" && (phase.name === "waiting" || phase.name === "talking");
  if (isHeld && epoch === record.epoch) {
    if (settle !== "drop" || scope === null) return null;
    return closeLater(scope, backToBot(scope, record), phase.chat.id);
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
  const { conversation, kind, epoch, settle } = { ...(isRecord(value) ? value : {}) };
  if (typeof conversation !== "string" || !/^[0-9a-f]{64}$/u.test(conversation)) return null;
  if (kind !== "chat" && kind !== "ticket") return null;
  if (settle !== "retry" && settle !== "done" && settle !== "drop") return null;
  if (typeof epoch !== "number" || !Number.isSafeInteger(epoch)) return null;
  return { conversation, kind, epoch, settle };
}
