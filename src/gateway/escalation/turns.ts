import type { InstanceConfig } from "../../config/config.ts";
import { readChoice } from "../../escalation/choice.ts";
import type { EscalationRecord } from "../../escalation/record.ts";
import { saying } from "../../escalation/sayings.ts";
import { type Scope, Superseded } from "../../escalation/scope.ts";
import { externalIdOf } from "../../escalation/names.ts";
import { placeNow } from "../../escalation/tend.ts";
import { type ReaderSays, take } from "../../escalation/turn.ts";
import type { Platform } from "../platform.ts";
import { createFieldReader } from "../request-text.ts";
import { typedQuestion } from "../typed-question.ts";
import { drained } from "./answering.ts";
import type { Climbing } from "./climbing.ts";
import type { Records } from "./records.ts";

/** What comes of a reader's request before the engine is asked. */
export type Met =
  /** The engine answers; `record` is what its answer goes on from. */
  | { readonly kind: "forward"; readonly record: EscalationRecord }
  | { readonly kind: "answers"; readonly answers: readonly Uint8Array[] };

/** Meets a reader's request: our own answer when a person holds the conversation or a form is open, else the engine's. */
export async function meet(
  parts: {
    readonly records: Records;
    readonly climbing: Climbing;
  },
  scope: Scope,
  instance: InstanceConfig,
  stored: EscalationRecord,
  says: ReaderSays,
  tagged: (record: EscalationRecord) => EscalationRecord,
): Promise<Met> {
  const { records, climbing } = parts;
  let record = tagged(stored);
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const taken = take(scope, record, says);
    try {
      switch (taken.step) {
        case "forward":
          // What was never written need not be written now: the engine's answer will be.
          return { kind: "forward", record: taken.record };
        case "answer":
          return await answered(taken.record);
        case "climb": {
          const begun = taken.record === stored ? stored : await records.save(taken.record);
          return await answered(await inTime(climbing.attend(scope, begun), begun));
        }
        case "relay":
          return await relayed(taken.record, taken.words ?? "");
      }
    } catch (error) {
      if (!(error instanceof Superseded)) throw error;
      record = tagged(await records.load(stored.key, stored.instance));
    }
  }
  throw new Superseded();

  async function answered(from: EscalationRecord): Promise<Met> {
    const { record: told, answers } = drained(from, instance);
    await records.save(told);
    return { kind: "answers", answers };
  }

  /** The reader's words go to the chat before they are written down: who gets no answer sends them again under the same name. */
  async function relayed(from: EscalationRecord, words: string): Promise<Met> {
    const { phase } = from;
    if (scope.chat === null || (phase.name !== "waiting" && phase.name !== "talking")) {
      return answered(from);
    }
    const name = `${externalIdOf(from, from.epoch)}-${from.counts.turns}-${says.digest.slice(0, 16)}`;
    const sent = await scope.chat.say(phase.chat.id, phase.chat.user, words, name);
    let now = await records.save(from);
    now = await inTime(climbing.attend(scope, now), now);
    if (sent.kind !== "ok") {
      // The chat was closed meanwhile: the bot has the conversation again, and answers what it was asked.
      if (now.phase.name === "bot") return { kind: "forward", record: now };
      now = undelivered(scope, now);
    } else if (now.phase.name === "waiting" && now.lastSaying === now.told) {
      now = await passedOn(scope, now);
    }
    return answered(now);
  }

  /** A reader does not wait longer than clients do; what comes later is told by the stream or the next turn. */
  async function inTime(
    work: Promise<EscalationRecord>,
    meanwhile: EscalationRecord,
  ): Promise<EscalationRecord> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), patience);
    });
    try {
      const done = await Promise.race([work, late]);
      return done ?? (await records.load(meanwhile.key, meanwhile.instance));
    } finally {
      clearTimeout(timer);
      work.catch(() => undefined);
    }
  }
}

/** The request as escalation reads it. */
export async function readSays(
  platform: Pick<Platform, "digest" | "now">,
  body: Uint8Array,
): Promise<ReaderSays> {
  const option = readOption(body).get("option") ?? null;
  const digest = await platform.digest(new TextDecoder("latin1").decode(body));
  return {
    question: typedQuestion(body),
    option,
    choice: readChoice(option),
    digest,
    at: platform.now(),
  };
}

const readOption = createFieldReader(["option"]);

function undelivered(scope: Scope, record: EscalationRecord): EscalationRecord {
  const text = scope.say(record, "escalation.not-delivered") ?? "";
  return saying(record, { kind: "line", text });
}

async function passedOn(scope: Scope, record: EscalationRecord): Promise<EscalationRecord> {
  const text = scope.say(record, "escalation.passed-on") ?? "";
  return placeNow(scope, saying(record, { kind: "line", text }));
}

/** How long a turn waits for the outside world, in milliseconds: well below the 30 s of known clients. */
const patience = 20_000;
const mostAttempts = 6;
