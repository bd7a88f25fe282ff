import type { InstanceConfig } from "../../config/config.ts";
import type { Answered } from "../../escalation/services/answered.ts";
import type { EscalationRecord } from "../../escalation/record.ts";
import { addLine } from "../../escalation/sayings.ts";
import { type Scope, Superseded } from "../../escalation/scope.ts";
import { addLines } from "../../escalation/transcript.ts";
import { externalIdOf } from "../../escalation/names.ts";
import { placeNow } from "../../escalation/tend.ts";
import { type ReaderRequest, decideTurn } from "../../escalation/turn.ts";
import { deliverAll } from "./answering.ts";
import type { Advancer } from "./climbing.ts";
import type { Records } from "./records.ts";

/** What comes of a reader's request before the engine is asked. */
export type TurnOutcome =
  /** The engine answers; `record` is what its answer goes on from. */
  | { readonly kind: "forward"; readonly record: EscalationRecord }
  | {
      readonly kind: "answers";
      readonly answers: readonly Uint8Array[];
      readonly told: Delivery | null;
    };

/**
 * What was told before, and the record that knows these answers told. Null where nothing was
 * written down.
 */
export interface Delivery {
  readonly before: number;
  readonly record: EscalationRecord;
}

/**
 * Meets a reader's request: our own answer when a person holds the conversation or a form is open,
 * else the engine's.
 */
export async function answerTurn(
  parts: {
    readonly records: Records;
    readonly climbing: Advancer;
  },
  scope: Scope,
  instance: InstanceConfig,
  stored: EscalationRecord,
  says: ReaderRequest,
  tagged: (record: EscalationRecord) => EscalationRecord,
): Promise<TurnOutcome> {
  const { records, climbing } = parts;
  // Whoever begins anew on somebody else's record does not say the same to the agent once more.
  let passed: { readonly chat: string; readonly sent: Answered<unknown> } | null = null;
  let record = tagged(stored);
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const taken = decideTurn(scope, record, says);
    try {
      switch (taken.step) {
        case "forward":
          // The agent has it: it is no question for the engine, though the chat is over meanwhile.
          if (isPassedOn()) return await answered(record, taken.record);
          // What was never written need not be written now: the engine's answer will be.
          return { kind: "forward", record: taken.record };
        case "answer":
          return await answered(record, taken.record);
        case "unheard":
          return await answered(
            record,
            withNotDelivered(scope, { ...record, deliveredBefore: record.delivered }),
          );
        case "climb": {
          const begun = taken.record === record ? record : await records.save(taken.record);
          const climbed = await inTime(scope, climbing.attend(scope, begun), begun);
          return await answered(climbed, climbed);
        }
        case "relay":
          return await relayed(record, taken.record, taken.words ?? "");
      }
    } catch (error) {
      // The agent has it, and a store that fails now must not make the reader send it again.
      if (!(error instanceof Superseded) && isPassedOn()) {
        return { kind: "answers", answers: [], told: null };
      }
      if (!(error instanceof Superseded)) throw error;
      record = tagged(await records.load(stored.key, stored.instance));
    }
  }
  throw new Superseded();

  function isPassedOn(): boolean {
    return passed?.sent.kind === "ok";
  }

  async function answered(before: EscalationRecord, from: EscalationRecord): Promise<TurnOutcome> {
    const { record: told, answers } = deliverAll(from, instance);
    // Anybody can send options of ours: where nothing is said and nothing has changed, nothing is
    // written.
    if (from === before && told.delivered === from.delivered)
      return { kind: "answers", answers, told: null };
    const saved = await records.save(told);
    return { kind: "answers", answers, told: { before: from.delivered, record: saved } };
  }

  /**
   * The reader's words go to the chat before they are written down: who gets no answer sends them
   * again under the same name.
   */
  async function relayed(
    before: EscalationRecord,
    from: EscalationRecord,
    words: string,
  ): Promise<TurnOutcome> {
    const { phase } = from;
    if (scope.chat === null || (phase.name !== "waiting" && phase.name !== "talking")) {
      return answered(before, withNotDelivered(scope, from));
    }
    if (passed?.chat !== phase.chat.id) {
      const name = `${externalIdOf(from, from.epoch)}-${from.counts.turns}-${says.digest.slice(0, 16)}`;
      const sent = await scope.chat.say(phase.chat.id, phase.chat.user, words, name);
      passed = { chat: phase.chat.id, sent };
    }
    if (!isPassedOn()) {
      // Who is looking at a chat that takes nothing any more finds out that it is closed.
      const patience = passed.sent.kind === "refused" ? othersPatience : 0;
      const now = await inTime(scope, climbing.attend(scope, before, patience), before);
      // The chat was closed meanwhile: the bot has the conversation again, and answers what it was
      // asked.
      if (now.phase.name === "bot") return { kind: "forward", record: now };
      // The same words again are a new try then, and no client's retry: only the transcript knows
      // of this one.
      const { lines, dropped } = { ...now, ...addLines(now, from.lines.slice(-1)) };
      return answered(
        now,
        withNotDelivered(scope, { ...now, lines, dropped, deliveredBefore: now.delivered }),
      );
    }
    const saved = await records.save(from);
    let now = await inTime(scope, climbing.attend(scope, saved), saved);
    if (now.phase.name === "waiting" && now.lastMessage === now.delivered) {
      now = await passedOn(scope, now);
    }
    return answered(saved, now);
  }
}

/**
 * A reader does not wait longer than clients do; what comes later is told by the stream or the next
 * turn.
 */
export async function inTime(
  scope: Pick<Scope, "load">,
  work: Promise<EscalationRecord>,
  meanwhile: EscalationRecord,
): Promise<EscalationRecord> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), patience);
  });
  try {
    const done = await Promise.race([work, late]);
    return done ?? (await scope.load(meanwhile));
  } finally {
    clearTimeout(timer);
    work.catch(() => undefined);
  }
}

export function withNotDelivered(scope: Scope, record: EscalationRecord): EscalationRecord {
  return addLine(scope, record, "escalation.not-delivered");
}

async function passedOn(scope: Scope, record: EscalationRecord): Promise<EscalationRecord> {
  return placeNow(scope, addLine(scope, record, "escalation.passed-on"));
}

/**
 * How long a turn waits for the outside world, in milliseconds: well below the 30 s of known
 * clients.
 */
const patience = 20_000;
/** How long a turn waits for what another process finds out about its chat, in milliseconds. */
const othersPatience = 3000;
const mostAttempts = 6;
