import type { InstanceConfig } from "../../config/config.ts";
import { sessionTokenOf } from "../../conversation/memory.ts";
import { account, refuseLostBody, refuseOverload } from "../accounting.ts";
import type { GatewayRequest, Core, Forward } from "../core.ts";
import { refuse } from "../errors.ts";
import { fieldOf } from "../headers.ts";
import { sendAnswers } from "./answering.ts";
import { beginTurn } from "./begin-turn.ts";
import { followAnswer } from "./follow.ts";
import type { HandoffParts } from "./hands.ts";
import { following } from "./interest.ts";
import type { HeldConversations } from "./leftovers.ts";
import { readAheadOf } from "./read-ahead.ts";
import { readReaderRequest } from "./says.ts";
import type { Delivery } from "./turns.ts";

/** Answers a message itself, or has it forwarded and follows the engine's answer. */
export async function answerMessage(
  hands: HandoffParts,
  leftovers: HeldConversations | null,
  arrival: GatewayRequest,
  instance: InstanceConfig,
  forward: Forward,
): Promise<void> {
  const { core, records } = hands;
  const { exchange } = arrival;
  const session = sessionTokenOf(fieldOf(exchange.headers, "x-inbenta-session"));
  if (session === null) return forward(arrival, null);
  const read = await readAheadOf(arrival).catch((error: unknown) => {
    account(core, arrival, "message", refuseLostBody(core, exchange, "message", error));
    return null;
  });
  if (read === null) return;
  const { entered, bytes, whole } = read;
  const key = await hands.keyOf(instance, session);
  if (instance.escalation.mode === "off") {
    await leftovers?.ready(arrival.snapshot);
    if (leftovers?.holds(key) !== true) return forward(entered, null);
  }
  const says = await readReaderRequest(core.platform, exchange.headers, bytes, whole);
  const release = records.hold(key);
  const turn = await hands
    .inTurn(key, () => beginTurn(hands, entered, instance, key, bytes, says))
    .catch((error: unknown) => {
      hands.fault(error);
      return null;
    })
    .finally(release);
  // A store that does not answer must not keep the reader from the bot.
  if (turn === null) {
    // What is no question for the engine does not become one because a store failed.
    return says.choice === null ? forward(entered, null) : answer(core, entered, []);
  }
  if (turn.met.kind === "refused") {
    const { status, message } = turn.met;
    refuse(exchange, status, message);
    return account(core, entered, "message", status);
  }
  if (turn.met.kind === "answers") {
    const { answers, told } = turn.met;
    exchange.reply.onGone(() => void hands.outliving(untell(hands, told)));
    return answer(core, entered, answers);
  }
  // Too large to be looked at is too large for a question; the engine says so.
  if (!whole || turn.followed === null) return forward(entered, null);
  const { followed } = turn;
  return forward(entered, (inner) =>
    following(core, entered, inner, async (said, shown) => {
      if (core.disabled) return null;
      const letGo = records.hold(key);
      return hands.outliving(followAnswer(followed, said, shown).finally(letGo));
    }),
  );
}

async function answer(
  core: Core,
  arrival: GatewayRequest,
  answers: readonly Uint8Array[],
): Promise<void> {
  const ticket = await core.admission.enter(false, arrival.exchange.client.share);
  if (ticket === null) {
    refuseOverload(core, arrival.exchange, "message");
    return account(core, arrival, "message", 503);
  }
  try {
    sendAnswers(arrival.exchange, answers);
    account(core, arrival, "message", 200);
  } finally {
    ticket.leave();
  }
}

/** The reader went away before they had the answer: what it said is said again. */
async function untell({ records, fault }: HandoffParts, told: Delivery | null): Promise<void> {
  if (told === null || told.before === told.record.delivered) return;
  const { before, record } = told;
  await records
    .change(record.key, record.instance, (now) =>
      now.delivered === record.delivered ? { ...now, delivered: before } : null,
    )
    .catch(fault);
}
