import type { EscalationStore } from "../../escalation/store.ts";
import type { GatewayRequest, Core, Escalations } from "../core.ts";
import type { Apart } from "./apart.ts";
import { createAttending } from "./attending.ts";
import { answerHook } from "./chat-hook.ts";
import { createAdvancer } from "./climbing.ts";
import { decoded } from "./decoded.ts";
import { createHandoffParts } from "./hands.ts";
import type { InTurn } from "./in-turn.ts";
import { listOpen } from "./listing.ts";
import { answerMessage } from "./message.ts";
import { takeRating } from "./rating.ts";
import { createRecords } from "./records.ts";
import { createRounds } from "./rounds.ts";
import { createScopes } from "./scopes.ts";
import { settleByHand } from "./settle-by-hand.ts";
import { storePatience, withDeadline } from "./store-deadline.ts";
import { answerStream, createWatch } from "./stream.ts";
import type { Together } from "./together.ts";

export type EscalationOptions = Common & (WithTogether | WithApart);

interface Common {
  readonly store: EscalationStore;
  readonly claimsOf?: ClaimsOf;
}

/**
 * What the owner's signed token tells of the reader, or null; it never decides who may do what
 * here.
 */
export type ClaimsOf = (
  core: Core,
  arrival: GatewayRequest,
) => Promise<{ readonly [name: string]: unknown } | null>;

/** The requests of this process may wait for each other. */
interface WithTogether {
  readonly together: Together;
  readonly apart?: never;
}

interface WithApart {
  readonly apart: Apart;
  readonly together?: never;
}

/**
 * Hands conversations over to tickets and people. Made by the runtime, so that a gateway without it
 * does not carry it.
 */
export function createEscalations(options: EscalationOptions): (core: Core) => Escalations {
  return (core) => escalationsIn(core, options);
}

function escalationsIn(
  core: Core,
  { apart, together, claimsOf, ...options }: EscalationOptions,
): Escalations {
  const now = (): number => core.platform.now();
  const store = withDeadline(options.store, storePatience);
  const records = createRecords(store, now, together?.createSubscribers());
  const climbing = createAdvancer(store, core.pseudonym, together?.createAtOnce() ?? null, (work) =>
    apart?.outlive(work),
  );
  const scopeOf = createScopes(core, records);
  const inTurn: InTurn = together?.createInTurn() ?? ((_, work) => work());
  const hands = createHandoffParts({ core, records, climbing, scopeOf, claimsOf, apart, inTurn });
  const attending = createAttending(hands, store);
  const { attend } = attending;
  const watch = createWatch(core, records, store, attend, apart);
  const round = createRounds(core, store, attend);
  const keeper = together?.createKeeper(core, round);
  const leftovers = together?.createHeldConversations(store, hands.fault, now) ?? null;

  return {
    takes(instance, snapshot) {
      if (instance.escalation.mode !== "off") return true;
      // Looked for once for all requests of a process: where they are apart none may wait for that.
      if (leftovers === null) return false;
      return leftovers.ready(snapshot) !== null || leftovers.has(instance);
    },
    start: () => keeper?.start(),
    async stop() {
      watch.end();
      const ended = Promise.all([keeper?.stop(), climbing.idle()]);
      // What is cut off then is found again by its name.
      await Promise.race([ended, pause(stopPatience)]);
    },
    message: (arrival, instance, forward) =>
      hands.outliving(answerMessage(hands, leftovers, arrival, instance, forward)),
    rated: (arrival, instance, request) =>
      hands.outliving(takeRating(hands, arrival, instance, request)),
    async own(arrival, name) {
      const [area, id = "", what = "", ...rest] = name.split("/");
      if (area === "conversations" && (what === "events" || what === "media")) {
        await answerStream(watch, arrival, id, what, rest);
        return true;
      }
      if (area === "webhooks" && id === "chat" && rest.length === 0) {
        const { nameOf, lookAfter } = attending;
        await hands.outliving(answerHook(core, arrival, decoded(what), nameOf, lookAfter));
        return true;
      }
      return false;
    },
    round,
    settle: (order) => settleByHand({ records, store, attend, scopeOf: attending.scopeOf }, order),
    open: (limit) => listOpen(store, limit),
  };
}

/** What is under way outside gets so long to end, in milliseconds. */
const stopPatience = 5000;

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    if (typeof timer === "object") timer.unref?.();
  });
}
