import type { RawHeaders } from "../../http/types.ts";
import type { InstanceConfig } from "../../config/config.ts";
import type { Gate, Trace } from "../../direct-answers/types.ts";
import type { EscalationRecord } from "../../escalation/stores/record.ts";
import { ratingOf } from "../../escalation/triggers/counts.ts";
import type { AskedRequest, HandOverStage, ShownContents } from "../../insights/facts.ts";
import type { Core } from "../core.ts";
import { isTest, sessionOf } from "../exchange/headers.ts";
import type { GatewayRequest } from "../exchange/request.ts";
import { createLineContext, readChoiceAndText } from "../rewriter/line-context.ts";
import type { Route } from "../upstream/route.ts";
import { contextOf } from "./message.ts";

// The facts that insights learn of a message, once its answer was sent.

/** Counts an answer of the engine. Undefined if the request is of no instance. */
export function countAnswered(core: Core, request: GatewayRequest): Route["answered"] {
  const { instance } = request;
  if (instance === null) return undefined;
  const isOwn = instance.upstream.auth.startsWith("embedded:");
  return ({ status, decided, body: answer }, question) => {
    // A reader sends a failed message again, so it does not count as a turn.
    if (status !== 200) return;
    const contents = isOwn && answer !== null ? listShownContents(answer) : [];
    noteTurn(core, request, instance, { decided, question, contents, isHandedOver: false });
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
  noteTurn(core, request, instance, { decided: null, question, contents: [], isHandedOver });
}

function noteTurn(
  core: Core,
  request: GatewayRequest,
  instance: InstanceConfig,
  turn: {
    readonly decided: Gate | Trace | null;
    readonly question: Uint8Array;
    readonly contents: readonly number[];
    readonly isHandedOver: boolean;
  },
): void {
  const { insights, platform } = core;
  // Insights hold the functions below until their store has written. These use neither the exchange
  // nor its body, so that memory is free again when `limits.heldBytes` says so.
  const {
    exchange: { headers },
    snapshot,
  } = request;
  if (insights === null || isTest(headers)) return;
  const { decided, question, contents, isHandedOver } = turn;
  const readRequest = createRequestReader(question);
  insights.note({
    kind: "turn",
    at: platform.now(),
    instance: instance.name,
    session: sessionOf(headers),
    decided,
    isHandedOver,
    readRequest,
    readNames: () => readToldNames(core, headers, instance),
    ...(contents.length > 0 && {
      readContents: () =>
        readShown(core, snapshot, headers, instance, contents, () => readRequest().typed),
    }),
  });
}

/** Reads a long request at once, and a short one when insights ask for it: few need to be read. */
function createRequestReader(question: Uint8Array): () => AskedRequest {
  if (question.length > maxHeld) return createLongRequestReader(question);
  let asked: AskedRequest | null = null;
  return () => (asked ??= readChoiceAndText(question));
}

/** Bytes of a request that are held. */
const maxHeld = 4096;

/** Keeps no text that is too long for a question. */
function createLongRequestReader(request: Uint8Array): () => AskedRequest {
  const { isOption, typed } = readChoiceAndText(request);
  const asked = { isOption, typed: typed === null || typed.length > maxHeld ? null : typed };
  return () => asked;
}

/**
 * Lists the contents that an answer of the embedded backend shows: the codes by which readers rate
 * them begin with their numbers.
 */
function listShownContents(answer: Uint8Array): readonly number[] {
  const text = new TextDecoder().decode(answer);
  return Array.from(text.matchAll(RATED), ([, id]) => Number(id));
}

/** Matches only a member of JSON, because quotation marks inside a text would be escaped. */
const RATED = /"rateCode":"rate\.(\d{1,15})\.\d{1,15}"/g;

/** Reads who got these contents. Rejects when the store of conversations does not answer. */
async function readShown(
  core: Core,
  snapshot: GatewayRequest["snapshot"],
  headers: RawHeaders,
  instance: InstanceConfig,
  ids: readonly number[],
  readTyped: () => string | null,
): Promise<ShownContents> {
  const memory = await core.recall.of(instance, headers);
  const rewriter = snapshot.rewriter.ofInstance(instance);
  if (memory === null || rewriter === null) throw new Error("the conversation can't be read now");
  const context = contextOf(headers, memory, null, false);
  const { negotiate } = rewriter;
  const now = (): number => core.platform.now();
  const { line } = createLineContext(context, instance, snapshot.config, negotiate, now);
  const { locale, channel } = line;
  return {
    ids,
    language: locale,
    channel,
    async isReply() {
      const recognition = await snapshot.recognitionOf(instance, locale);
      return recognition.consentOf(readTyped() ?? "", locale) !== null;
    },
  };
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
  const session = sessionOf(headers);
  const person = session === null ? null : await escalations?.readPerson(instance, session);
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
  if (insights === null || isTest(exchange.headers)) return;
  const value = ratingOf(body);
  if (value === null) return;
  const session = sessionOf(exchange.headers);
  const isNegative = triggers.negative.includes(value);
  insights.note({ kind: "rating", at: platform.now(), instance, session, isNegative });
}

/** Counts how far hand-overs come. Undefined if nothing is counted. */
export function handOverCounter({
  insights,
  platform,
}: Pick<Core, "insights" | "platform">):
  | ((before: EscalationRecord | null, after: EscalationRecord) => void)
  | undefined {
  if (insights === null) return undefined;
  return (before, after) => {
    const { key: conversation, instance } = after;
    if (after.isTest === true) return;
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
