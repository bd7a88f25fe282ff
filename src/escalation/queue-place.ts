import { addMessage } from "./messages.ts";
import type { EscalationRecord, HandoffPhase, ToldPlace } from "./stores/record.ts";
import type { EscalationLine, Scope } from "./scope.ts";
import type { QueuePlace } from "./services/chat-answers.ts";

type Waiting = Extract<HandoffPhase, { name: "waiting" }>;

/** Tells a waiting reader the place in the queue now, where there is one. */
export async function withQueuePlace(
  scope: Pick<Scope, "chat" | "say" | "now">,
  record: EscalationRecord,
): Promise<EscalationRecord> {
  const { phase } = record;
  if (phase.name !== "waiting" || !phase.queued || scope.chat === null) return record;
  const place = await scope.chat.place(phase.chat.id);
  return place.kind === "ok" ? addQueuePlace(scope, record, phase, place.value) : record;
}

/**
 * Tells a waiting reader what is no longer true of what was said: an agent took a later reader
 * first, more people are ahead, or the waiting time is over. Looks once a minute.
 */
export async function reviseQueuePlace(
  scope: Pick<Scope, "chat" | "say" | "now">,
  record: EscalationRecord,
): Promise<EscalationRecord> {
  const { phase } = record;
  if (phase.name !== "waiting" || !phase.queued || scope.chat === null) return record;
  const { told } = phase;
  const now = scope.now();
  if (told === undefined || now < told.at + lookAgain) return record;
  const found = await scope.chat.place(phase.chat.id);
  if (found.kind !== "ok" || found.value === null) return record;
  return newsOf(told, found.value, now) === null
    ? { ...record, phase: { ...phase, told: { ...told, at: now } } }
    : addQueuePlace(scope, record, phase, found.value);
}

/** How often the position that a reader was told is checked, in milliseconds. */
const lookAgain = 60_000;

/** Says the place in the queue, behind what is new since it was said last. */
export function addQueuePlace(
  scope: Pick<Scope, "say" | "now">,
  record: EscalationRecord,
  phase: Waiting,
  place: QueuePlace | null,
): EscalationRecord {
  if (place === null) return record;
  const { position, overtaken, estimate } = place;
  const at = scope.now();
  const { told } = phase;
  const news = told === undefined ? null : newsOf(told, place, at);
  // A time that was wrong is not followed by another one.
  const isLate = told !== undefined && isOver(told, at);
  const minutes = estimate === null || isLate ? 0 : Math.ceil(estimate / 60);
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
  const now: ToldPlace = { position, overtaken, until, at };
  return addMessage({ ...record, phase: { ...phase, told: now } }, { kind: "line", text });
}

function newsOf(told: ToldPlace, place: QueuePlace, now: number): EscalationLine | null {
  if (place.overtaken > told.overtaken) return "escalation.overtaken";
  if (place.position > told.position) return "escalation.queue-changed";
  return isOver(told, now) ? "escalation.wait-longer" : null;
}

function isOver({ until }: ToldPlace, now: number): boolean {
  return until !== null && now >= until;
}

/** Chinese and Japanese have no blank between sentences. */
const afterFullWidth = /(?<=[。！？]) /gu;
