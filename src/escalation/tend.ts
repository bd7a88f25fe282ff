import { placeSaid } from "./chat-rung.ts";
import { handBack } from "./rung.ts";
import type { ChatDoor, ChatMessage, ChatState } from "./outside.ts";
import type { EscalationRecord, Phase } from "./record.ts";
import { saying } from "./sayings.ts";
import type { Scope } from "./scope.ts";

type Waiting = Extract<Phase, { name: "waiting" }>;
type Talking = Extract<Phase, { name: "talking" }>;

/**
 * Takes over what happened in an open chat: words of the agent, that one came, that all left. May be called at any time and
 * by anybody, for a webhook that comes twice or late as well: what was taken over already is not taken again.
 *
 * @returns the record with what is new, not saved; the same object when nothing is. In phase `reaching` when nobody came
 */
export async function tend(scope: Scope, record: EscalationRecord): Promise<EscalationRecord> {
  const { phase } = record;
  const { chat } = scope;
  if (chat === null || (phase.name !== "waiting" && phase.name !== "talking")) return record;
  const looked = await chat.chat(phase.chat.id);
  // Not answered: a chat that cannot be looked at is not over.
  if (looked.kind !== "ok")
    return phase.name === "waiting" ? timedOut(scope, record, phase) : record;
  const state = looked.value;
  if (phase.name === "waiting") return waitingOn(scope, chat, record, phase, state);
  const heard = await hear(scope, chat, record, phase);
  return state === null || state.status === "closed" ? over(scope, heard, phase) : heard;
}

async function waitingOn(
  scope: Scope,
  chat: ChatDoor,
  record: EscalationRecord,
  phase: Waiting,
  state: ChatState | null,
): Promise<EscalationRecord> {
  const now = scope.now();
  if (state !== null && state.status !== "closed" && state.agent !== null) {
    const joined = saying(record, {
      kind: "line",
      text: scope.say(record, "escalation.joined") ?? "",
    });
    const talking = { name: "talking", chat: phase.chat, agent: state.agent, since: now } as const;
    // That somebody came is said before what they said.
    return hear(scope, chat, { ...joined, phase: talking }, talking);
  }
  if (state === null || state.status === "closed") return passOn(record, phase, now);
  const nobodyLeft = state.status !== "waiting" && !state.queued && !phase.queued;
  if (!nobodyLeft) return timedOut(scope, record, phase);
  await chat.close(phase.chat.id, null);
  return passOn(record, phase, now);
}

/** Nobody took it in time: the next rung. The chat is closed, so that nobody takes it afterwards. */
async function timedOut(
  scope: Scope,
  record: EscalationRecord,
  phase: Waiting,
): Promise<EscalationRecord> {
  const now = scope.now();
  const { assignTimeout, queueTimeout } = scope.settings.chat;
  if (now < phase.since + (phase.queued ? queueTimeout : assignTimeout)) return record;
  const closed = await scope.chat?.close(phase.chat.id, null);
  // A chat that could not be closed may still be taken: then it goes on. It is asked again.
  if (closed?.kind === "failed") return record;
  return passOn(record, phase, now);
}

function passOn(record: EscalationRecord, phase: Waiting, now: number): EscalationRecord {
  return {
    ...record,
    phase: { name: "reaching", rung: phase.rung + 1, since: now, why: "agents" },
  };
}

async function over(
  scope: Scope,
  record: EscalationRecord,
  phase: Talking,
): Promise<EscalationRecord> {
  const closed = saying(record, {
    kind: "line",
    text: scope.say(record, "escalation.closed") ?? "",
  });
  return handBack(scope, await surveyed(scope, closed, phase));
}

async function surveyed(
  scope: Scope,
  record: EscalationRecord,
  phase: Talking,
): Promise<EscalationRecord> {
  const { survey } = scope.settings.chat;
  if (survey === null || scope.chat === null) return record;
  const found = await scope.chat.survey(survey, phase.chat.id);
  const line = scope.say(record, "escalation.survey");
  if (found.kind !== "ok" || found.value === null || line === null) return record;
  return saying(record, { kind: "line", text: `${line} ${found.value.url}` });
}

/** Where in the queue the reader is now, for a reader who asks. */
export async function placeNow(scope: Scope, record: EscalationRecord): Promise<EscalationRecord> {
  const { phase } = record;
  if (phase.name !== "waiting" || !phase.queued || scope.chat === null) return record;
  const place = await scope.chat.place(phase.chat.id);
  return place.kind === "ok" ? placeSaid(scope, record, place.value) : record;
}

async function hear(
  scope: Scope,
  chat: ChatDoor,
  record: EscalationRecord,
  phase: Waiting | Talking,
): Promise<EscalationRecord> {
  const messages = await chat.messages(phase.chat.id, phase.chat.seen);
  if (messages.kind !== "ok" || messages.value.length === 0) return record;
  let heard = record;
  let seen = phase.chat.seen;
  for (const message of messages.value) {
    seen = message.id;
    if (message.sender !== phase.chat.user) heard = takeOver(scope, heard, message);
  }
  return { ...heard, phase: { ...phase, chat: { ...phase.chat, seen } } };
}

function takeOver(scope: Scope, record: EscalationRecord, message: ChatMessage): EscalationRecord {
  const { media } = message;
  const text =
    media === null ? message.text : `${scope.say(record, "escalation.file") ?? ""} ${media.name}`;
  const said = saying(record, {
    kind: media === null ? "agent" : "media",
    text: text.trim(),
    ...(media !== null && { media }),
  });
  const line = { who: "agent", said: text.trim(), at: message.at } as const;
  return { ...said, lines: [...said.lines, line] };
}
