import { takeAgentChatStep, findChat, lookForAgent } from "./agent-chat-step.ts";
import { followChat } from "./agent-chat.ts";
import {
  externalIdOf,
  isSettled,
  findNextTry,
  type OutcomeNote,
  withIntent,
} from "./records/intents.ts";
import { addLine, addReason } from "./records/messages.ts";
import type { EscalationRecord, Intent } from "./stores/record.ts";
import { backToBot, type Reaching, type Scope, untilSaved } from "./records/scope.ts";
import type { EscalationStore } from "./stores/store.ts";
import { addTicketLine, makeTicket, takeTicketStep } from "./ticket-step.ts";
import { pause } from "../wait.ts";

/** Makes an escalation's calls to other services, for each conversation in one process at a time. */
export interface Advancer {
  /**
   * Brings a record as far as it can go now: follows its chat, takes the steps of the ladder, and
   * retries calls with an unknown outcome. It may be called at any time.
   *
   * @param patience how long to wait for another process that has the lease, in milliseconds;
   *   default: not at all
   * @returns the record as it is stored afterwards
   */
  advance(scope: Scope, record: EscalationRecord, patience?: number): Promise<EscalationRecord>;
  /** Resolves when all work that is running now has ended. */
  idle(): Promise<unknown>;
}

/**
 * @param by names this process to the others that share the store
 * @param outlive keeps a request alive until a promise settles, in a runtime whose requests cannot
 *   await each other's promises. Null if they can
 */
export function createAdvancer(
  store: EscalationStore,
  by: string,
  outlive: ((work: Promise<unknown>) => void) | null,
): Advancer {
  const underWay = new Map<string, Promise<EscalationRecord>>();
  let requests = 0;

  return {
    idle: () => Promise.allSettled(underWay.values()),
    advance(scope, record, patience = 0) {
      // A request waiting for other processes gets its own lease: the work here may not have one.
      if (outlive === null && patience === 0) return advanceTogether(scope, record);
      const own = advanceLeased(scope, record, `${by}-${requests++}`, patience);
      outlive?.(own);
      return own;
    },
  };

  function advanceTogether(scope: Scope, record: EscalationRecord): Promise<EscalationRecord> {
    const { key } = record;
    const known = underWay.get(key);
    if (known !== undefined) return known;
    const work = advanceLeased(scope, record, by, 0).finally(() => underWay.delete(key));
    underWay.set(key, work);
    return work;
  }

  async function advanceLeased(
    scope: Scope,
    record: EscalationRecord,
    holder: string,
    patience: number,
  ): Promise<EscalationRecord> {
    const name = `attend:${record.key}`;
    const until = scope.now() + patience;
    while (!(await store.claim(name, holder, LEASE))) {
      if (scope.now() >= until) return (await store.get(record.key)) ?? record;
      await pause(CLAIM_INTERVAL);
    }
    const renewal = setInterval(() => {
      store.claim(name, holder, LEASE).catch(() => undefined);
    }, LEASE / 3);
    try {
      return await untilSaved(async () => advanceStored(scope, await scope.load(record)));
    } finally {
      clearInterval(renewal);
      // A lease that cannot be released expires by itself.
      await store.release(name, holder).catch(() => undefined);
    }
  }
}

/** Duration of a lease in milliseconds: short, so that a dead process does not hold up others for long. */
const LEASE = 6000;
/** Milliseconds between two attempts to get a lease. */
const CLAIM_INTERVAL = 250;

async function advanceStored(scope: Scope, stored: EscalationRecord): Promise<EscalationRecord> {
  let record = await followChat(scope, stored);
  if (record !== stored) record = await scope.save(record);
  if (record.phase.name === "reaching") record = await runSteps(scope, record);
  record = await retryUnsettled(scope, record);
  const isUnchanged = record.revision === stored.revision;
  // Saving an unchanged record sets its next wake-up, so that it is not due again at once.
  return isUnchanged && record.wake !== null && record.wake <= scope.now()
    ? scope.save(record)
    : record;
}

/**
 * Takes the steps of the ladder, from the record's current one until one succeeds or none is left.
 * The reader is told of a step only after it is confirmed. It may be called again after a crash at
 * any point: what was created is found by its name.
 *
 * @returns the record as it was saved last, in another phase than `reaching`
 */
async function runSteps(scope: Scope, begun: EscalationRecord): Promise<EscalationRecord> {
  let record = begun;
  for (;;) {
    const { phase } = record;
    if (phase.name !== "reaching") return record;
    const step = scope.settings.ladder[phase.step];
    if (step === undefined) return scope.save(await giveUp(scope, record, phase));
    const result =
      step === "ticket"
        ? await takeTicketStep(scope, await withReason(scope, record, phase))
        : await takeAgentChatStep(scope, record, phase, step);
    record = result.next ? await scope.save(toNextStep(result.record)) : result.record;
  }
}

function toNextStep(record: EscalationRecord): EscalationRecord {
  const { phase } = record;
  if (phase.name !== "reaching") return record;
  return { ...record, phase: { ...phase, step: phase.step + 1 } };
}

/** Says once why nobody can talk, before another step is taken instead. */
async function withReason(
  scope: Scope,
  record: EscalationRecord,
  phase: Reaching,
): Promise<EscalationRecord> {
  const why = await findReason(scope, record, phase);
  return why === "" ? record : { ...addReason(scope, record, why), phase: { ...phase, why: "" } };
}

/**
 * Looks again whether an agent is free, because slow services or a crash may lie between the
 * decision and the words.
 */
async function findReason(
  { chat, ...scope }: Scope,
  { locale }: EscalationRecord,
  { why }: Reaching,
): Promise<Reaching["why"]> {
  if (why !== "agents" || chat === null) return why;
  const found = await lookForAgent(scope, chat, locale, scope.settings.ladder);
  return found === "free" ? "unanswered" : why;
}

async function giveUp(
  scope: Scope,
  record: EscalationRecord,
  phase: Reaching,
): Promise<EscalationRecord> {
  const undecided = record.intents.some(
    ({ epoch, state }) => epoch === record.epoch && (state === "sent" || state === "unknown"),
  );
  const key = undecided ? "escalation.unknown" : "escalation.not-now";
  // The line "not now" already says that nobody is free.
  const givesReason = key === "escalation.not-now" && phase.why === "agents";
  const excused = givesReason ? record : await withReason(scope, record, phase);
  return backToBot(scope, addLine(scope, excused, key));
}

/** Retries tickets and chats with an unknown outcome, and tells readers what came of a ticket. */
async function retryUnsettled(scope: Scope, begun: EscalationRecord): Promise<EscalationRecord> {
  let record = begun;
  for (const intent of begun.intents) {
    if (isSettled(intent) || intent.next === null || intent.next > scope.now()) continue;
    record =
      intent.kind === "ticket"
        ? await retryTicket(scope, record, intent)
        : await closeLeftChat(scope, record, intent);
  }
  return record;
}

async function retryTicket(
  scope: Scope,
  record: EscalationRecord,
  intent: Intent,
): Promise<EscalationRecord> {
  if (scope.ticket === null) {
    const lost: Intent = { ...intent, next: null, state: "unknown" };
    return scope.save(addTicketLine(scope, withIntent(record, lost), lost));
  }
  const note: OutcomeNote = (now, outcome) =>
    isSettled(outcome) ? addTicketLine(scope, now, outcome) : now;
  return makeTicket(scope, scope.ticket, record, intent.epoch, note);
}

/** Closes a chat that is found too late, before an agent takes it: its reader has moved on. */
async function closeLeftChat(
  scope: Scope,
  record: EscalationRecord,
  intent: Intent,
): Promise<EscalationRecord> {
  const { chat } = scope;
  const name = externalIdOf(record, intent.epoch);
  const found = chat === null ? null : await findChat(chat, record, name);
  const closed =
    chat !== null && found?.kind === "found" ? await chat.close(found.chat, null) : null;
  if (found !== null && found.kind !== "unsure" && closed?.kind !== "failed") {
    const result = found.kind === "found" ? found.chat : "";
    const state = found.kind === "found" ? "done" : "refused";
    return scope.save(withIntent(record, { ...intent, state, result, next: null }));
  }
  const attempts = intent.attempts + 1;
  const next = findNextTry(attempts, intent.first, scope.now());
  const state = next === null ? "unknown" : "sent";
  return scope.save(withIntent(record, { ...intent, attempts, state, next }));
}
