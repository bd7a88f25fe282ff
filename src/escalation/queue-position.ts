import { addMessage } from "./records/messages.ts";
import type { EscalationRecord, HandoffPhase, ToldPosition } from "./stores/record.ts";
import type { EscalationLine, Scope } from "./records/scope.ts";
import type { QueuePosition } from "./services/chat-answers.ts";

type Waiting = Extract<HandoffPhase, { name: "waiting" }>;

/** Tells a waiting reader the current position in the queue, if there is one. */
export async function withQueuePosition(
  scope: Pick<Scope, "chat" | "say" | "now">,
  record: EscalationRecord,
): Promise<EscalationRecord> {
  const { phase } = record;
  if (phase.name !== "waiting" || !phase.queued || scope.chat === null) return record;
  const found = await scope.chat.queuePosition(phase.chat.id);
  return found.kind === "ok" ? addQueuePosition(scope, record, phase, found.value) : record;
}

/**
 * Corrects what a waiting reader was told, if an agent accepted a later reader first, more people
 * are ahead, or the estimated time is over. Checks once a minute.
 */
export async function reviseQueuePosition(
  scope: Pick<Scope, "chat" | "say" | "now">,
  record: EscalationRecord,
): Promise<EscalationRecord> {
  const { phase } = record;
  if (phase.name !== "waiting" || !phase.queued || scope.chat === null) return record;
  const { told } = phase;
  const now = scope.now();
  if (told === undefined || now < told.at + checkInterval) return record;
  const found = await scope.chat.queuePosition(phase.chat.id);
  if (found.kind !== "ok" || found.value === null) return record;
  return newsOf(told, found.value, now) === null
    ? { ...record, phase: { ...phase, told: { ...told, at: now } } }
    : addQueuePosition(scope, record, phase, found.value);
}

/** How often the position that a reader was told is checked, in milliseconds. */
const checkInterval = 60_000;

/** Says the position in the queue, after any change since it was last said. */
export function addQueuePosition(
  scope: Pick<Scope, "say" | "now">,
  record: EscalationRecord,
  phase: Waiting,
  queue: QueuePosition | null,
): EscalationRecord {
  if (queue === null) return record;
  const { position, overtaken, estimate } = queue;
  const at = scope.now();
  const { told } = phase;
  const news = told === undefined ? null : newsOf(told, queue, at);
  // After a wrong estimate, the reader gets no further one.
  const isWithdrawn = told !== undefined && (told.withdrawn === true || isOver(told, at));
  const minutes = estimate === null || isWithdrawn ? 0 : Math.ceil(estimate / 60);
  const parts = [
    news === null ? null : scope.say(record, news),
    position === 1
      ? scope.say(record, "escalation.queued-next")
      : scope.say(record, "escalation.queued", { count: position - 1 }),
    minutes < 1 ? null : scope.say(record, "escalation.wait-minutes", { count: minutes }),
  ];
  const sentences = parts.filter((part) => part !== null && part !== "").join(" ");
  const text = sentences.replaceAll(afterFullWidth, "");
  // "About two minutes" is still true after three.
  const until = minutes < 1 ? null : at + minutes * 90_000;
  const now: ToldPosition = {
    position,
    overtaken,
    until,
    at,
    ...(isWithdrawn && { withdrawn: true }),
  };
  return addMessage({ ...record, phase: { ...phase, told: now } }, { kind: "line", text });
}

function newsOf(told: ToldPosition, queue: QueuePosition, now: number): EscalationLine | null {
  if (queue.overtaken > told.overtaken) return "escalation.overtaken";
  if (queue.position > told.position) return "escalation.queue-changed";
  return isOver(told, now) ? "escalation.wait-longer" : null;
}

function isOver({ until }: ToldPosition, now: number): boolean {
  return until !== null && now >= until;
}

/** Chinese and Japanese have no blank between sentences. */
const afterFullWidth = /(?<=[。！？]) /gu;
