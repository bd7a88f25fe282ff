import type { HandoffStep } from "../config/escalation-config.ts";
import { languageOf } from "../locales/tag.ts";
import { isWithinHours } from "./hours.ts";
import {
  externalIdOf,
  intentOf,
  findNextTry,
  saveOutcome,
  createSentIntent,
  withIntent,
} from "./records/intents.ts";
import { addLine } from "./records/messages.ts";
import { withQueuePosition } from "./queue-position.ts";
import type { ChatRef, EscalationRecord } from "./stores/record.ts";
import type { Reaching, Scope, StepResult } from "./records/scope.ts";
import type { CallResult } from "./services/call-result.ts";
import type { ChatService } from "./services/chat-service.ts";
import { toChatHistory, MAX_HISTORY, createTranscriptFile } from "./records/transcript.ts";

/**
 * Hands the conversation to a person: `agents` when the chat has no queue and an agent is free,
 * `queue` when it has one and an agent is online. A chat is created at most once in an epoch: if it
 * is unknown whether one was created, it is looked up by its external id, and created again only if
 * it is proved absent.
 */
export async function takeAgentChatStep(
  scope: Scope,
  record: EscalationRecord,
  phase: Reaching,
  step: "agents" | "queue",
): Promise<StepResult> {
  const { chat } = scope;
  if (chat === null) return { record, next: true };
  const fail = (why: Reaching["why"], at: EscalationRecord = record): StepResult => ({
    record: { ...at, phase: { ...phase, why: phase.why === "" ? why : phase.why } },
    next: true,
  });
  // First look for a chat that a crashed process may have opened.
  const earlier = intentOf(record, "chat");
  // This chat is already waiting to be closed.
  if (earlier?.state === "sent" && earlier.result !== "") return fail("agents");
  if (earlier?.state === "done") {
    const state = await chat.chat(earlier.result);
    if (state.kind !== "ok") return fail("agents", closeLater(scope, record, earlier.result));
    // A closed chat of this escalation is not opened a second time.
    if (state.value === null || state.value.status === "closed") return fail("agents");
  }
  if (earlier?.state !== "sent" && earlier?.state !== "done") {
    const found = await lookForAgent(scope, chat, record.locale, [step]);
    if (found !== "free") return fail(found === "hours" ? "hours" : "agents");
  }
  const opened = await openOnce(scope, chat, record);
  if (opened.ref === null) return fail("agents", opened.record);
  return step === "queue"
    ? waitFor(scope, opened.record, opened.ref, phase, true)
    : inviteAgent(scope, chat, opened.record, opened.ref, phase);
}

/**
 * Looks whether an agent could take a conversation by one of these steps now; `unsure`: the chat
 * service did not answer.
 */
export async function lookForAgent(
  scope: Pick<Scope, "settings" | "room" | "now">,
  chat: ChatService,
  locale: string,
  steps: readonly HandoffStep[],
): Promise<"free" | "hours" | "agents" | "unsure"> {
  if (!isWithinHours(scope.settings.hours, scope.now())) return "hours";
  const language = languageOf(locale);
  const found = await chat.availability(scope.room(language), language);
  if (found.kind !== "ok") return "unsure";
  const { agents, queue } = found.value;
  return agents >= 1 && steps.includes(queue ? "queue" : "agents") ? "free" : "agents";
}

/** Notes that a chat could not be closed, so that it is closed later. */
export function closeLater(scope: Scope, record: EscalationRecord, chat: string): EscalationRecord {
  const now = scope.now();
  const intent = createSentIntent(record, "chat", record.epoch, now);
  return withIntent(record, { ...intent, attempts: 1, first: now, result: chat, next: now });
}

interface Opened {
  readonly record: EscalationRecord;
  /** Null if there is no chat, or it is unknown whether there is one. */
  readonly ref: ChatRef | null;
}

async function openOnce(scope: Scope, chat: ChatService, begun: EscalationRecord): Promise<Opened> {
  let record = begun;
  const name = externalIdOf(record, record.epoch);
  const language = languageOf(record.locale);
  const settle = async (state: "done" | "refused", ref: ChatRef | null): Promise<Opened> => {
    const known =
      intentOf(record, "chat") ?? createSentIntent(record, "chat", record.epoch, scope.now());
    const given = ref === null ? {} : { given: countLines(record) };
    const intent = { ...known, state, result: ref?.id ?? "", next: null, ...given };
    return { record: await saveOutcome(scope, record, intent), ref };
  };
  // Anybody may have signed up with this id. Signing up with the app's secret takes it from them.
  if (record.person.id !== "") await createUser(chat, record);
  for (let attempt = 0; attempt < 2; attempt++) {
    const found = await findChat(chat, record, name);
    if (found.kind === "unsure") break;
    if (found.kind === "busy") return settle("refused", null);
    if (found.kind === "found") {
      const ref = { id: found.chat, user: found.user, seen: "" };
      const later = await sendLaterLines(chat, record, ref);
      if (later === "failed") return { record: closeLater(scope, record, ref.id), ref: null };
      const done = await settle("done", ref);
      if (later === "ok") return done;
      return { ...done, record: addLine(scope, done.record, "escalation.not-delivered") };
    }
    const user = found.user ?? (await createUser(chat, record));
    if (user === null) return { record, ref: null };
    const intent = createSentIntent(record, "chat", record.epoch, scope.now());
    record = await scope.save(withIntent(record, { ...intent, given: countLines(record) }));
    const opened = await chat.openChat({
      externalId: name,
      user,
      room: scope.room(language),
      lang: language,
      source: scope.settings.chat.source,
      history: toChatHistory(record, user, scope.say(record, "escalation.transcript-cut")),
      idempotencyKey: name,
      about: { reason: record.reason?.slice(0, 200), question: record.question },
    });
    if (opened.kind === "ok") {
      const done = await settle("done", { id: opened.value.id, user, seen: "" });
      // The history holds only the last lines, so a file with all of them is attached.
      if (record.lines.length + record.dropped > MAX_HISTORY) {
        const file = createTranscriptFile(scope, record);
        const bytes = new TextEncoder().encode(file.text);
        await chat.attach(opened.value.id, user, file.name, "text/plain", bytes);
      }
      return done;
    }
    if (opened.kind === "refused" || !opened.sent) return settle("refused", null);
  }
  return { record: await markUndecided(scope, record), ref: null };
}

/**
 * Sends a chat what the reader has written since it was opened, because the process that opened it may
 * have ended.
 */
async function sendLaterLines(
  chat: ChatService,
  record: EscalationRecord,
  { id, user }: ChatRef,
): Promise<CallResult<unknown>["kind"]> {
  const begin = intentOf(record, "chat")?.given ?? countLines(record);
  for (const [index, { who, said }] of record.lines.entries()) {
    const number = record.dropped + index;
    if (number < begin || who !== "reader") continue;
    const name = `${externalIdOf(record, record.epoch)}-line-${number}`;
    const sent = await chat.say(id, user, said, name);
    if (sent.kind !== "ok") return sent.kind;
  }
  return "ok";
}

function countLines({ lines, dropped }: EscalationRecord): number {
  return dropped + lines.length;
}

type FoundChat =
  | { readonly kind: "found"; readonly chat: string; readonly user: string }
  | { readonly kind: "absent"; readonly user: string | null }
  /** The reader has another open chat, and a second one is impossible. */
  | { readonly kind: "busy" }
  | { readonly kind: "unsure" };

/** Looks for the chat among the reader's, by its external id. */
export async function findChat(
  chat: ChatService,
  record: Pick<EscalationRecord, "key" | "person">,
  externalId: string,
): Promise<FoundChat> {
  const found = await chat.findUser(userIdOf(record));
  if (found.kind !== "ok") return { kind: "unsure" };
  if (found.value === null) return { kind: "absent", user: null };
  const { id, chats } = found.value;
  let busy = false;
  for (const one of chats) {
    const state = await chat.chat(one);
    if (state.kind !== "ok") return { kind: "unsure" };
    if (state.value === null || state.value.status === "closed") continue;
    if (state.value.externalId === externalId) return { kind: "found", chat: one, user: id };
    busy = true;
  }
  return busy ? { kind: "busy" } : { kind: "absent", user: id };
}

/** Returns the reader's external id in the chat: the owner's id if a signed token names one. */
function userIdOf({ key, person }: Pick<EscalationRecord, "key" | "person">): string {
  return person.id === "" ? `aw-${key}` : person.id;
}

async function createUser(chat: ChatService, record: EscalationRecord): Promise<string | null> {
  const externalId = userIdOf(record);
  const extraInfo = { conversation: record.key, language: languageOf(record.locale) };
  const created = await chat.createUser({ externalId, person: record.person, extraInfo });
  if (created.kind === "ok") return created.value.id;
  // Another call may have created the user, or this one may have succeeded without an answer.
  const again = await chat.findUser(externalId);
  return again.kind === "ok" && again.value !== null ? again.value.id : null;
}

/** Notes that it is unknown whether a chat exists. It is looked up later and closed. */
async function markUndecided(scope: Scope, record: EscalationRecord): Promise<EscalationRecord> {
  const known = intentOf(record, "chat");
  if (known?.state !== "sent") return record;
  const next = findNextTry(known.attempts, known.first, scope.now());
  const state = next === null ? "unknown" : "sent";
  const problem = "the chat service did not answer";
  return scope.save(withIntent(record, { ...known, state, next, problem }));
}

async function inviteAgent(
  scope: Scope,
  chat: ChatService,
  record: EscalationRecord,
  ref: ChatRef,
  phase: Reaching,
): Promise<StepResult> {
  const assigned = await chat.assign(ref.id);
  const isInvited =
    assigned.kind === "ok" ? assigned.value.agent !== null : await hasAgent(chat, ref.id);
  if (isInvited) {
    return waitFor(scope, addLine(scope, record, "escalation.connecting"), ref, phase, false);
  }
  // No agent will come, so the chat is closed, as known clients do.
  const closed = await chat.close(ref.id, null);
  const left = closed.kind === "failed" ? closeLater(scope, record, ref.id) : record;
  return { record: { ...left, phase: { ...phase, why: "agents" } }, next: true };
}

/** True if an agent is invited to the chat or already in it. */
async function hasAgent(chat: ChatService, id: string): Promise<boolean> {
  const state = await chat.chat(id);
  if (state.kind !== "ok" || state.value === null) return false;
  return state.value.status === "waiting" || state.value.agent !== null;
}

async function waitFor(
  scope: Scope,
  record: EscalationRecord,
  chat: ChatRef,
  { step }: Reaching,
  isQueued: boolean,
): Promise<StepResult> {
  const since = scope.now();
  const phase = { name: "waiting", chat, step, since, queued: isQueued } as const;
  const waiting = await withQueuePosition(scope, { ...record, phase });
  return { record: await scope.save(waiting), next: false };
}
