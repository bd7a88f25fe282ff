import type { RawHeaders } from "../../http/types.ts";
import type { InstanceConfig } from "../../config/config.ts";
import { sessionTokenOf } from "../../conversation/memory.ts";
import type { Gate, Trace } from "../../direct-answers/types.ts";
import type { EscalationRecord } from "../../escalation/stores/record.ts";
import { ratingOf } from "../../escalation/triggers/counts.ts";
import type { AskedRequest, HandOverStage } from "../../insights/facts.ts";
import type { Core } from "../core.ts";
import { fieldOf } from "../exchange/headers.ts";
import type { GatewayRequest } from "../exchange/request.ts";
import { readAskedRequest } from "../rewriter/line-context.ts";
import type { Answered } from "../upstream/route.ts";

// The facts that insights learn of a message, once its answer was sent.

/** Counts an answer of the engine. Undefined: nothing is counted. */
export function countAnswered(core: Core, request: GatewayRequest): Answered | undefined {
  const { insights } = core;
  const { instance } = request;
  if (insights === null || instance === null) return undefined;
  return (status, decided, question) => {
    // A reader whose message failed sends it again: that is no turn.
    if (status === 200)
      noteTurn(core, request, instance, { decided, question, isHandedOver: false });
  };
}

/** Counts a message that Afterword, or a person, has answered. */
export function countOwnAnswer(
  core: Core,
  request: GatewayRequest,
  question: Uint8Array,
  isHandedOver: boolean,
): void {
  const { instance } = request;
  if (instance === null) return;
  noteTurn(core, request, instance, { decided: null, question, isHandedOver });
}

function noteTurn(
  core: Core,
  { exchange }: GatewayRequest,
  instance: InstanceConfig,
  turn: {
    readonly decided: Gate | Trace | null;
    readonly question: Uint8Array;
    readonly isHandedOver: boolean;
  },
): void {
  const { insights, platform } = core;
  if (insights === null) return;
  const { decided, question, isHandedOver } = turn;
  const { headers } = exchange;
  let asked: AskedRequest | null = null;
  insights.note({
    kind: "turn",
    at: platform.now(),
    instance: instance.name,
    session: sessionTokenOf(fieldOf(headers, "x-inbenta-session")),
    decided,
    isHandedOver,
    readRequest: () => (asked ??= readAskedRequest(question)),
    readNames: () => readToldNames(core, headers, instance),
  });
}

/**
 * Reads what the gateway was told of a reader: conversation variables, and the name of a hand-over.
 * Rejects when a store does not answer.
 */
async function readToldNames(
  { recall, escalations }: Core,
  headers: RawHeaders,
  instance: InstanceConfig,
): Promise<readonly string[]> {
  const memory = await recall.of(instance, headers);
  if (memory === null) throw new Error("the conversation can't be read now");
  const session = sessionTokenOf(fieldOf(headers, "x-inbenta-session"));
  const person = session === null ? null : await escalations?.person(instance, session);
  const [local = ""] = person?.email.split("@") ?? [];
  return [...Object.values(memory.variables), person?.name ?? "", local];
}

/** Counts a reader's rating: the body of POST /tracking/events. */
export function countRating(
  { insights, platform }: Core,
  { exchange }: GatewayRequest,
  { name: instance, escalation: { triggers } }: InstanceConfig,
  body: Uint8Array,
): void {
  if (insights === null) return;
  const value = ratingOf(body);
  if (value === null) return;
  const session = sessionTokenOf(fieldOf(exchange.headers, "x-inbenta-session"));
  const isNegative = triggers.negative.includes(value);
  insights.note({ kind: "rating", at: platform.now(), instance, session, isNegative });
}

/** Counts how far hand-overs come. Undefined: nothing is counted. */
export function handOverCounter({
  insights,
  platform,
}: Pick<Core, "insights" | "platform">):
  | ((before: EscalationRecord | null, after: EscalationRecord) => void)
  | undefined {
  if (insights === null) return undefined;
  return (before, after) => {
    const { key: conversation, instance } = after;
    for (const stage of listReachedStages(before, after)) {
      insights.note({ kind: "hand-over", at: platform.now(), instance, conversation, stage });
    }
  };
}

/** The stages that a hand-over has reached with this write. */
function listReachedStages(
  before: EscalationRecord | null,
  after: EscalationRecord,
): readonly HandOverStage[] {
  const phase = after.phase.name;
  const isBegun = after.epoch > (before?.epoch ?? 0);
  const earlier = isBegun ? "bot" : (before?.phase.name ?? "bot");
  const stages: HandOverStage[] = [];
  const isUnderWay = phase !== "bot" && phase !== "offered";
  if (isBegun) stages.push("offered");
  if (isUnderWay && (earlier === "bot" || earlier === "offered")) stages.push("accepted");
  if (phase === "talking" && earlier !== "talking") stages.push("person");
  const tickets = countTickets(after) - (before === null ? 0 : countTickets(before));
  for (let ticket = 0; ticket < tickets; ticket++) stages.push("ticket");
  // A ticket that may exist is still looked for.
  const hasTicket = after.intents.some(
    ({ kind, epoch, state }) => kind === "ticket" && epoch === after.epoch && state !== "refused",
  );
  if (phase === "bot" && earlier === "reaching" && !hasTicket) stages.push("nobody");
  return stages;
}

function countTickets({ intents }: EscalationRecord): number {
  return intents.filter(({ kind, state }) => kind === "ticket" && state === "done").length;
}
