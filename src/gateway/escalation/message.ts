import { toHex } from "../../json/bytes.ts";
import type { InstanceConfig } from "../../config/config.ts";
import type { Advancer } from "../../escalation/advance.ts";
import {
  answerTurn,
  type Delivery,
  setContext,
  sayNotDelivered,
  type OwnAnswers,
  SILENCE,
  type Turn,
} from "../../escalation/answer-turn.ts";
import { composeResponse, deliverAll } from "../../escalation/answers.ts";
import { type EngineTurn, followAnswer } from "../../escalation/follow-answer.ts";
import type { HeldConversations } from "../../escalation/held-conversations.ts";
import { chatOf, type EscalationRecord, createRecord } from "../../escalation/stores/record.ts";
import type { Records } from "../../escalation/records/records.ts";
import type { Scope } from "../../escalation/records/scope.ts";
import { countRating } from "../../escalation/triggers/counts.ts";
import type { ReaderRequest } from "../../escalation/turn.ts";
import {
  account,
  countGate,
  refuseLostBody,
  refuseOverload,
  reportFault,
} from "../exchange/accounting.ts";
import type { Core, EngineMessage } from "../core.ts";
import { countOwnAnswer } from "../message/insights.ts";
import type { GatewayRequest, Snapshot } from "../exchange/request.ts";
import type { Transform, Transformed } from "../upstream/route.ts";
import { createCrossOriginFields, type OwnStatus, refuse, sendBody } from "../exchange/errors.ts";
import { sessionOf } from "../exchange/headers.ts";
import {
  isAnsweredHere,
  readLineContext,
  readReaderRequest,
  refuseToken,
  withBytesRead,
} from "./reader-request.ts";

/** The parts that answer messages which may be handed over. */
export interface HandoffParts {
  readonly core: Core;
  readonly records: Records;
  readonly advancer: Advancer;
  /** Null on runtimes that do not look for held conversations. */
  readonly held: HeldConversations | null;
  readonly scopeOf: (snapshot: Pick<Snapshot, "rewriter">, instance: InstanceConfig) => Scope;
  readonly claimsOf: ClaimsOf | undefined;
  /** Handles one turn of a conversation at a time, because a client may send two at once. */
  readonly runInTurn: <Value>(key: string, work: () => Promise<Value>) => Promise<Value>;
  /** See {@link EngineTurn.runLater}. */
  readonly runLater: (key: string, work: () => Promise<void>) => Promise<void>;
  /** Keeps the request alive until the work settles, on runtimes that stop it after the answer. */
  readonly keepAlive: <Value>(work: Promise<Value>) => Promise<Value>;
  /** Counts and logs a failure that does not fail the request. */
  readonly logFailure: (error: unknown) => void;
}

/** Reads what a token that the owner signed claims about the reader, or null. It grants no rights. */
export type ClaimsOf = (
  core: Core,
  request: GatewayRequest,
) => Promise<{ readonly [name: string]: unknown } | null>;

/** Answers a message and returns null, or returns it for the engine, whose answer is followed. */
export async function answerMessage(
  parts: HandoffParts,
  arrived: GatewayRequest,
  instance: InstanceConfig,
  transform: Transform | null,
): Promise<EngineMessage | null> {
  const { core, records, held } = parts;
  const { exchange } = arrived;
  const session = sessionOf(exchange.headers);
  if (session === null) return { request: arrived, transform };
  const read = await withBytesRead(arrived).catch((error: unknown) => {
    account(core, arrived, "message", refuseLostBody(core, exchange, "message", error));
    return null;
  });
  if (read === null) return null;
  const { request, bytes, whole } = read;
  const key = await keyOf(core, instance.name, session);
  if (instance.escalation.mode === "off") {
    await held?.ready(request.snapshot);
    if (held?.holds(key) !== true) return { request, transform };
  }
  const reader = await readReaderRequest(core.platform, exchange.headers, bytes, whole);
  const release = records.hold(key);
  const begun = await parts
    .runInTurn(key, () => beginTurn(parts, request, instance, key, bytes, reader))
    .catch((error: unknown) => {
      parts.logFailure(error);
      return null;
    })
    .finally(release);
  // A store that does not answer must not keep the reader from the bot, but an option of
  // Afterword's must not become a question for the engine.
  const outcome = begun ?? (reader.choice === null ? null : SILENCE);
  if (outcome === null) return { request, transform };
  if (outcome.kind === "refused") {
    refuse(exchange, outcome.status, outcome.message);
    account(core, request, "message", outcome.status);
    return null;
  }
  if (outcome.kind === "answers") {
    const { answers, delivery } = outcome;
    exchange.reply.onGone(() => void parts.keepAlive(takeBack(parts, delivery)));
    if (!(await sendAnswers(core, request, answers))) {
      await takeBack(parts, delivery);
      return null;
    }
    const phase = delivery?.record.phase.name ?? "bot";
    countOwnAnswer(core, request, bytes, phase !== "bot" && phase !== "offered");
    return null;
  }
  // A request that is too large to be read is too large for a question, and the engine says so.
  if (!whole || core.disabled) return { request, transform };
  const turn = createEngineTurn(parts, request, outcome);
  return { request, transform: createFollower(parts, turn, transform) };
}

/** Counts a rating that the engine accepted. Never rejects. */
export async function takeRating(
  parts: HandoffParts,
  { exchange }: GatewayRequest,
  instance: InstanceConfig,
  body: Uint8Array,
): Promise<void> {
  const { core, records } = parts;
  const session = sessionOf(exchange.headers);
  if (session === null || core.disabled) return;
  try {
    const key = await keyOf(core, instance.name, session);
    await parts.runInTurn(key, () =>
      records.change(key, instance.name, (record) => {
        const counts = countRating(instance.escalation.triggers, record.counts, body);
        return counts && { ...record, counts };
      }),
    );
  } catch (error) {
    parts.logFailure(error);
  }
}

/** Returns the key of a conversation in the store. */
export async function keyOf(
  { platform }: Core,
  instance: string,
  session: string,
): Promise<string> {
  return platform.digest(`${instance}\n${session}`);
}

type TurnStart =
  | OwnAnswers
  | { readonly kind: "forward"; readonly record: EscalationRecord; readonly turn: Turn }
  | { readonly kind: "refused"; readonly status: OwnStatus; readonly message: string };

/**
 * Loads the conversation's record, and answers the reader from it. Rejects when the store fails,
 * except for a reader who talks to a person or answers one of Afterword's questions, because that
 * is not for the engine.
 */
async function beginTurn(
  parts: HandoffParts,
  request: GatewayRequest,
  instance: InstanceConfig,
  key: string,
  bytes: Uint8Array,
  reader: ReaderRequest,
): Promise<TurnStart> {
  const { core, records, advancer } = parts;
  const { snapshot } = request;
  let stored: EscalationRecord | null = null;
  let failure: unknown;
  try {
    stored = await records.load(key, instance.name);
  } catch (error) {
    failure = error;
  }
  const context = await readLineContext(core, request, instance, bytes, stored?.locale || null);
  const recognition = await snapshot.recognitionOf(instance, context.locale);
  const scope = { ...parts.scopeOf(snapshot, instance), recognition };
  const turn: Turn = { scope, instance, advancer, request: reader, context };
  try {
    if (stored === null) throw failure;
    const refusal = isAnsweredHere(stored, reader) ? await refuseToken(core, request) : null;
    if (refusal !== null) return { kind: "refused", ...refusal };
    const handsOver = instance.escalation.mode === "managed" && !core.disabled;
    if (handsOver || chatOf(stored) !== null) {
      const outcome = await answerTurn(turn, stored);
      return outcome.kind === "forward" ? { ...outcome, turn } : outcome;
    }
    // Afterword's options are no questions for the engine, even if the configuration has changed.
    if (reader.choice !== null) return SILENCE;
    return { kind: "forward", record: setContext(turn, stored), turn };
  } catch (error) {
    const isOurs = stored === null ? records.wasOurs(key) : stored.phase.name !== "bot";
    if (!isOurs) throw error;
    parts.logFailure(error);
    const known = stored ?? createRecord(key, instance.name, core.platform.now());
    const record = sayNotDelivered(scope, setContext(turn, known));
    const { answers } = deliverAll({ ...record, delivered: record.lastMessage - 1 }, instance);
    return { kind: "answers", answers, delivery: null };
  }
}

function createEngineTurn(
  { core, records, runLater, claimsOf, logFailure }: HandoffParts,
  request: GatewayRequest,
  { turn, record }: Extract<TurnStart, { kind: "forward" }>,
): EngineTurn {
  return {
    ...turn,
    before: record,
    change: (key, name, changed) => records.change(key, name, changed),
    async claims() {
      try {
        return (await claimsOf?.(core, request)) ?? null;
      } catch (error) {
        logFailure(error);
        return null;
      }
    },
    newEventId: () => toHex(core.platform.random(32)),
    runLater: (work) => runLater(record.key, work),
    count: (reason, outcome) =>
      core.metrics.count("afterword_escalations_total", reason.split(":", 1)[0] ?? reason, outcome),
  };
}

/**
 * Creates the transform that replaces the texts of an engine's answer and then follows it. A failure
 * to follow it does not change what the reader gets.
 *
 * @param inner replaces the texts, or is null
 */
function createFollower(
  { core, records, keepAlive }: HandoffParts,
  turn: EngineTurn,
  inner: Transform | null,
): Transform {
  const follow = async (answer: Uint8Array, question: Uint8Array): Promise<Transformed | null> => {
    const shown = (await inner?.apply(answer, question)) ?? null;
    const release = records.hold(turn.before.key);
    try {
      const body = await followAnswer(turn, answer, shown?.body ?? answer);
      return body === null ? shown : { decided: null, fields: [], ...shown, body };
    } catch (error) {
      reportFault(core, "escalation", error);
      countGate(core, "message", "error");
      return shown;
    } finally {
      release();
    }
  };
  return { edits: true, apply: (answer, question) => keepAlive(follow(answer, question)) };
}

/** Sends an answer of Afterword's own. Returns false if it was refused, because no place is free. */
async function sendAnswers(
  core: Core,
  request: GatewayRequest,
  answers: readonly string[],
): Promise<boolean> {
  const { exchange } = request;
  const place = await core.admission.enter(false, exchange.client.share);
  if (place === null) {
    refuseOverload(core, exchange, "message");
    account(core, request, "message", 503);
    return false;
  }
  try {
    const body = new TextEncoder().encode(composeResponse(answers));
    // The session in the request opens the conversation, not the page that it comes from.
    const fields = createCrossOriginFields(exchange.headers);
    sendBody(exchange, 200, "application/json", body, fields);
    account(core, request, "message", 200);
    return true;
  } finally {
    place.leave();
  }
}

/** Marks messages as not delivered after their answer did not reach the reader. */
async function takeBack(
  { records, logFailure }: HandoffParts,
  delivery: Delivery | null,
): Promise<void> {
  if (delivery === null || delivery.before === delivery.record.delivered) return;
  const { before, record } = delivery;
  await records
    .change(record.key, record.instance, (now) =>
      now.delivered === record.delivered ? { ...now, delivered: before } : null,
    )
    .catch(logFailure);
}
