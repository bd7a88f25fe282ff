import type { InstanceConfig } from "../../config/config.ts";
import { nothingKnown } from "../../conversation/memory.ts";
import type { EscalationRecord } from "../../escalation/record.ts";
import type { Scope } from "../../escalation/scope.ts";
import { hex } from "../../escalation/stores/digest.ts";
import type { ReaderRequest } from "../../escalation/turn.ts";
import type { LineContext } from "../../locales/types.ts";
import type { GatewayRequest, Core } from "../core.ts";
import type { OwnStatus } from "../errors.ts";
import { contextOf } from "../message-context.ts";
import { createSetting } from "../scene.ts";
import { deliverAll } from "./answering.ts";
import type { EngineTurn } from "./follow.ts";
import type { HandoffParts } from "./hands.ts";
import { isAnsweredHere, tokenRefusal } from "./required-token.ts";
import { answerTurn, type TurnOutcome, withNotDelivered } from "./turns.ts";

/** What a reader's message has come to before the engine is asked. */
export interface BegunTurn {
  readonly met:
    | TurnOutcome
    | { readonly kind: "refused"; readonly status: OwnStatus; readonly message: string };
  /** How the engine's answer is followed; null: it is not asked. */
  readonly followed: EngineTurn | null;
}

/**
 * Loads what is known of the conversation, and meets the reader there. Rejects when the store
 * fails, except for a reader whom a person or a form of ours has.
 */
export async function beginTurn(
  hands: HandoffParts,
  arrival: GatewayRequest,
  instance: InstanceConfig,
  key: string,
  bytes: Uint8Array,
  says: ReaderRequest,
): Promise<BegunTurn> {
  const { core, records, climbing } = hands;
  const scene = await sceneOf(core, arrival, instance, bytes);
  const tagged = (record: EscalationRecord): EscalationRecord =>
    record.locale === scene.locale && record.channel === scene.channel
      ? record
      : { ...record, locale: scene.locale, channel: scene.channel };
  let stored: EscalationRecord | null = null;
  try {
    stored = await records.load(key, instance.name);
    const refusal = isAnsweredHere(stored, says) ? await tokenRefusal(core, arrival) : null;
    if (refusal !== null) return { met: { kind: "refused", ...refusal }, followed: null };
    const scope = hands.scopeOf(arrival.snapshot, instance);
    const met = await metWith(scope, stored);
    return { met, followed: met.kind === "forward" ? followed(scope, met.record) : null };
  } catch (error) {
    // Who talks to a person, or fills in a form of ours, does not talk to the engine because a
    // store failed.
    const isOurs = stored === null ? records.isOurs(key) : stored.phase.name !== "bot";
    if (!isOurs) throw error;
    hands.fault(error);
    const scope = hands.scopeOf(arrival.snapshot, instance);
    const record = withNotDelivered(scope, tagged(stored ?? records.fresh(key, instance.name)));
    const { answers } = deliverAll({ ...record, delivered: record.lastMessage - 1 }, instance);
    return { met: { kind: "answers", answers, told: null }, followed: null };
  }

  function metWith(scope: Scope, record: EscalationRecord): TurnOutcome | Promise<TurnOutcome> {
    if (isHeld(record) || (instance.escalation.mode === "managed" && !core.disabled)) {
      return answerTurn(hands, scope, instance, record, says, tagged);
    }
    // An option of ours is no question for the engine, whatever holds now.
    return says.choice === null
      ? { kind: "forward", record: tagged(record) }
      : { kind: "answers", answers: [], told: null };
  }

  function followed(scope: Scope, before: EscalationRecord): EngineTurn {
    return {
      scope,
      instance,
      records,
      climbing,
      says,
      scene,
      tagged,
      before,
      claims: () => claims(hands, arrival),
      later: async (work) => {
        if (hands.apart !== undefined) return work();
        void hands.inTurn(before.key, work).catch(hands.fault);
      },
      newEventId: () => hex(core.platform.random(32)),
      noted: (reason, outcome) =>
        core.metrics.count("afterword_escalations_total", {
          trigger: reason.split(":", 1)[0] ?? reason,
          outcome,
        }),
    };
  }
}

function isHeld({ phase: { name } }: EscalationRecord): boolean {
  return name === "waiting" || name === "talking";
}

async function claims(
  { core, claimsOf, fault }: HandoffParts,
  arrival: GatewayRequest,
): Promise<{ readonly [name: string]: unknown } | null> {
  try {
    return (await claimsOf?.(core, arrival)) ?? null;
  } catch (error) {
    fault(error);
    return null;
  }
}

async function sceneOf(
  core: Core,
  arrival: GatewayRequest,
  instance: InstanceConfig,
  request: Uint8Array,
): Promise<LineContext> {
  const { headers } = arrival.exchange;
  const { config, rewriter } = arrival.snapshot;
  const memory = (await core.recall.of(instance, headers)) ?? nothingKnown;
  const texts = rewriter.textsOf(instance);
  if (texts === null) throw new Error(`no tables for instance ${instance.name}`);
  const context = contextOf(headers, memory, request, false);
  return createSetting(context, instance, config, texts.negotiate, () => core.platform.now()).scene;
}
