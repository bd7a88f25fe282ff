import { fileOf } from "./hand-over.ts";
import { isOpen } from "./hours.ts";
import type { StepResult, Reaching } from "./rung.ts";
import { externalIdOf, userIdOf } from "./names.ts";
import { saveOutcome } from "./outcome.ts";
import type { ChatService } from "./services/chat-service.ts";
import type { ChatRef, EscalationRecord } from "./record.ts";
import { intentOf, nextTry, sending, withIntent } from "./retries.ts";
import { addLine, addMessage } from "./sayings.ts";
import type { Scope } from "./scope.ts";
import { chatHistory } from "./transcript.ts";

/**
 * Hands the conversation to a person: `agents` when the chat has no queue and somebody is free,
 * `queue` when it has one and somebody is online. A chat is created at most once in an epoch: what
 * may have been created is looked for by its name, and created again only where it is provably
 * absent.
 */
export async function agentChatStep(
  scope: Scope,
  record: EscalationRecord,
  phase: Reaching,
  step: "agents" | "queue",
): Promise<StepResult> {
  const { chat, settings } = scope;
  if (chat === null) return { record, next: true };
  const passed = (why: Reaching["why"], at: EscalationRecord = record): StepResult => ({
    record: { ...at, phase: { ...phase, why: phase.why === "hours" ? "hours" : why } },
    next: true,
  });
  // What a crashed process may have opened comes before every other question.
  const earlier = intentOf(record, "chat");
  // One that is to be closed already.
  if (earlier?.state === "sent" && earlier.result !== "") return passed("agents");
  if (earlier?.state === "done") {
    const state = await chat.chat(earlier.result);
    if (state.kind !== "ok") return passed("agents", closeLater(scope, record, earlier.result));
    // A chat of this escalation that was closed is not opened a second time.
    if (state.value === null || state.value.status === "closed") return passed("agents");
  }
  if (earlier?.state !== "sent" && earlier?.state !== "done") {
    if (settings.hours !== null && !isOpen(settings.hours, scope.now())) return passed("hours");
    const free = await chat.availability(scope.room(languageOf(record)), languageOf(record));
    if (free.kind !== "ok" || free.value.agents < 1) return passed("agents");
    if (free.value.queue !== (step === "queue")) return passed("agents");
  }
  const opened = await openOnce(scope, chat, record);
  if (opened.kind !== "open") return passed("agents", opened.record);
  return step === "queue"
    ? queued(scope, chat, opened.record, opened.ref, phase)
    : invited(scope, chat, opened.record, opened.ref, phase);
}

/**
 * The record for which a chat that could not be closed is closed later: nobody waits in it any
 * more.
 */
export function closeLater(scope: Scope, record: EscalationRecord, chat: string): EscalationRecord {
  const now = scope.now();
  const intent = sending(record, "chat", record.epoch, now);
  return withIntent(record, { ...intent, attempts: 1, first: now, result: chat, next: now });
}

type Opened =
  | { readonly kind: "open"; readonly record: EscalationRecord; readonly ref: ChatRef }
  | { readonly kind: "not"; readonly record: EscalationRecord };

async function openOnce(scope: Scope, chat: ChatService, begun: EscalationRecord): Promise<Opened> {
  let record = begun;
  const name = externalIdOf(record, record.epoch);
  for (let round = 0; round < 2; round++) {
    const looked = await findChat(chat, record, name);
    if (looked.kind === "unsure") return { kind: "not", record: await undecided(scope, record) };
    if (looked.kind === "found") {
      const ref = { id: looked.chat, user: looked.user, seen: "" };
      return { kind: "open", record: await settled(scope, record, "done", looked.chat), ref };
    }
    if (looked.kind === "busy") {
      return { kind: "not", record: await settled(scope, record, "refused", "") };
    }
    const user = looked.user ?? (await newUser(chat, record));
    if (user === null) return { kind: "not", record };
    record = await scope.save(
      withIntent(record, sending(record, "chat", record.epoch, scope.now())),
    );
    const opened = await chat.openChat({
      externalId: name,
      user,
      room: scope.room(languageOf(record)),
      lang: languageOf(record),
      source: scope.settings.chat.source,
      history: chatHistory(record, user, scope.say(record, "escalation.transcript-cut")),
      idempotencyKey: name,
    });
    if (opened.kind === "ok") {
      const ref = { id: opened.value.id, user, seen: "" };
      record = await settled(scope, record, "done", opened.value.id);
      // The history is there in any case; the file is for what did not fit into it.
      if (record.lines.length + record.dropped > mostHistory) {
        const file = fileOf(scope, record);
        const bytes = new TextEncoder().encode(file.text);
        await chat.attach(ref.id, user, file.name, "text/plain", bytes);
      }
      return { kind: "open", record, ref };
    }
    if (opened.kind === "refused") {
      return { kind: "not", record: await settled(scope, record, "refused", "") };
    }
    if (!opened.sent) return { kind: "not", record: await settled(scope, record, "refused", "") };
  }
  return { kind: "not", record: await undecided(scope, record) };
}

type FoundChat =
  | { readonly kind: "found"; readonly chat: string; readonly user: string }
  | { readonly kind: "absent"; readonly user: string | null }
  /** The reader has an open chat that is not ours: a second is impossible. */
  | { readonly kind: "busy" }
  | { readonly kind: "unsure" };

/** Looks for the chat by the reader's name and its own. */
export async function findChat(
  chat: ChatService,
  record: Pick<EscalationRecord, "key" | "person">,
  name: string,
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
    if (state.value.externalId === name) return { kind: "found", chat: one, user: id };
    busy = true;
  }
  return busy ? { kind: "busy" } : { kind: "absent", user: id };
}

async function newUser(chat: ChatService, record: EscalationRecord): Promise<string | null> {
  const { person } = record;
  const created = await chat.createUser({
    externalId: userIdOf(record),
    person,
    extraInfo: { conversation: record.key, language: languageOf(record) },
  });
  if (created.kind === "ok") return created.value.id;
  // Somebody else made it, or our own call got through after all: a user is made once by its name.
  const again = await chat.findUser(userIdOf(record));
  return again.kind === "ok" && again.value !== null ? again.value.id : null;
}

async function invited(
  scope: Scope,
  chat: ChatService,
  record: EscalationRecord,
  ref: ChatRef,
  phase: Reaching,
): Promise<StepResult> {
  const assigned = await chat.assign(ref.id);
  const asked =
    assigned.kind === "ok" ? assigned.value.agent !== null : await isLookedAfter(chat, ref.id);
  if (asked) {
    return held(scope, addLine(scope, record, "escalation.connecting"), ref, phase, false);
  }
  // Nobody will come: the chat is the system's to close, as known clients do.
  const closed = await chat.close(ref.id, null);
  const left = closed.kind === "failed" ? closeLater(scope, record, ref.id) : record;
  return { record: { ...left, phase: { ...phase, why: "agents" } }, next: true };
}

async function isLookedAfter(chat: ChatService, id: string): Promise<boolean> {
  const state = await chat.chat(id);
  if (state.kind !== "ok" || state.value === null) return false;
  return state.value.status === "waiting" || state.value.agent !== null;
}

async function queued(
  scope: Scope,
  chat: ChatService,
  record: EscalationRecord,
  ref: ChatRef,
  phase: Reaching,
): Promise<StepResult> {
  const place = await chat.place(ref.id);
  const said = place.kind === "ok" ? addQueuePlace(scope, record, place.value) : record;
  return held(scope, said, ref, phase, true);
}

/** Tells the reader where in the queue they are, where that is known. */
export function addQueuePlace(
  scope: Scope,
  record: EscalationRecord,
  place: { readonly position: number; readonly estimate: number | null } | null,
): EscalationRecord {
  if (place === null || place.position < 1) return record;
  const ahead = place.position - 1;
  const where =
    ahead === 0
      ? scope.say(record, "escalation.queued-next")
      : scope.say(record, "escalation.queued", { count: ahead });
  const minutes = place.estimate === null ? 0 : Math.ceil(place.estimate / 60);
  const long =
    minutes < 1 ? null : scope.say(record, "escalation.wait-minutes", { count: minutes });
  const text = [where, long].filter((part) => part !== null && part !== "").join(" ");
  return addMessage(record, { kind: "line", text });
}

async function held(
  scope: Scope,
  record: EscalationRecord,
  chat: ChatRef,
  { step }: Reaching,
  isQueued: boolean,
): Promise<StepResult> {
  const since = scope.now();
  const waiting = { name: "waiting", chat, step, since, queued: isQueued } as const;
  return { record: await scope.save({ ...record, phase: waiting }), next: false };
}

async function settled(
  scope: Scope,
  record: EscalationRecord,
  state: "done" | "refused",
  result: string,
): Promise<EscalationRecord> {
  const known = intentOf(record, "chat") ?? sending(record, "chat", record.epoch, scope.now());
  return saveOutcome(scope, record, { ...known, state, result, next: null });
}

/**
 * Nobody can say whether there is a chat. It is looked for later, and closed if it turns up: the
 * reader has moved on.
 */
async function undecided(scope: Scope, record: EscalationRecord): Promise<EscalationRecord> {
  const known = intentOf(record, "chat");
  if (known?.state !== "sent") return record;
  const next = nextTry(known.attempts, known.first, scope.now());
  const state = next === null ? "unknown" : "sent";
  return scope.save(
    withIntent(record, { ...known, state, next, problem: "the chat service did not answer" }),
  );
}

/** What a chat takes of the past (chat.md, 5): the file is for longer ones. */
const mostHistory = 150;

/** The language alone, as chat agents are chosen by it. */
export function languageOf({ locale }: Pick<EscalationRecord, "locale">): string {
  return locale.split("-", 1)[0] ?? "";
}
