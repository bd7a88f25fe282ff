import type { InstanceConfig } from "../../config/config.ts";
import { createAdvancer } from "../../escalation/advance.ts";
import { decodeSegment, textOfLine } from "../../escalation/answers.ts";
import { createHeldConversations } from "../../escalation/held-conversations.ts";
import { conversationOf } from "../../escalation/records/intents.ts";
import { toListed, settleByHand } from "../../escalation/operator.ts";
import type { EscalationRecord } from "../../escalation/stores/record.ts";
import { createRecords, type Records } from "../../escalation/records/records.ts";
import { createRounds } from "../../escalation/rounds.ts";
import { type ChatSign, withSign } from "../../escalation/records/signs.ts";
import type { About, Scope } from "../../escalation/records/scope.ts";
import { handOverCounter } from "../message/insights.ts";
import { createChatService } from "../../escalation/services/chat-service.ts";
import { createTicketService } from "../../escalation/services/ticket-service.ts";
import { storePatience, withDeadline } from "../../escalation/stores/deadline.ts";
import type { EscalationStore } from "../../escalation/stores/store.ts";
import { languageOf } from "../../locales/tag.ts";
import type { LineContext, Locale } from "../../locales/types.ts";
import { createKeyedQueue, pauseIdle } from "../../wait.ts";
import { reportFault } from "../exchange/accounting.ts";
import type { Core, Escalations } from "../core.ts";
import { createServiceSend } from "../upstream/service-fetch.ts";
import { answerChatWebhook } from "./chat-webhook.ts";
import { createEventStreams } from "./event-streams.ts";
import { answerMessage, type ClaimsOf, type HandoffParts, keyOf, takeRating } from "./message.ts";

export type { ClaimsOf } from "./message.ts";

export interface EscalationOptions {
  readonly store: EscalationStore;
  readonly claimsOf?: ClaimsOf;
  /**
   * Keeps a request alive until the promise settles, on runtimes where promises, timers and bodies
   * end with their request. There, requests share only the store, like those of several processes.
   * Absent if the requests of this process may wait for each other, and the process has timers.
   */
  readonly outlive?: (work: Promise<unknown>) => void;
}

/** Creates the hand-over to tickets and people. Only runtimes that need it load this module. */
export function createEscalations(options: EscalationOptions): (core: Core) => Escalations {
  return (core) => escalationsIn(core, options);
}

function escalationsIn(core: Core, options: EscalationOptions): Escalations {
  const perRequest = options.outlive !== undefined;
  const store = withDeadline(options.store, storePatience);
  const parts = createHandoffParts(core, store, options);
  const { records, advancer, held, keepAlive } = parts;
  const scopeOf = (record: OfInstance): Scope | null => findCurrentScope(parts, record);
  const serviceOf = (record: OfInstance) => scopeOf(record)?.chat ?? null;
  const advance = (record: EscalationRecord) => advanceRecord(parts, record);
  const streams = createEventStreams({ core, records, store, advance, serviceOf, perRequest });
  const rounds = createRounds(
    store,
    () => core.platform.now(),
    advance,
    (error, conversation) => {
      core.metrics.count("afterword_escalation_failures_total");
      if (conversation === null) return;
      const detail = error instanceof Error ? error.message : String(error);
      core.platform.log("warn", "escalation-failed", { conversation, detail });
    },
  );

  return {
    takes(instance, snapshot) {
      if (instance.escalation.mode !== "off") return true;
      return held !== null && (held.ready(snapshot) !== null || held.has(instance.name));
    },
    start: () => !perRequest && rounds.start(),
    async stop() {
      streams.end();
      const ended = Promise.all([rounds.stop(), advancer.idle()]);
      // An interrupted round is resumed later, because its lease has a name.
      await Promise.race([ended, pauseIdle(stopPatience)]);
    },
    answerMessage: (request, instance, transform) =>
      keepAlive(answerMessage(parts, request, instance, transform)),
    async readPerson({ name }, session) {
      return (await records.load(await keyOf(core, name, session), name)).person;
    },
    takeRating: (request, instance, body) => keepAlive(takeRating(parts, request, instance, body)),
    async answer(request, name) {
      const [area, id = "", what = "", ...rest] = name.split("/");
      if (area === "conversations" && (what === "events" || what === "media")) {
        await streams.answer(request, id, what, rest);
        return true;
      }
      if (area !== "webhooks" || id !== "chat" || rest.length > 0) return false;
      const instance = decodeSegment(what);
      const change = (chat: string, sign: ChatSign | null): Promise<void> =>
        takeChatChange(parts, store, instance, chat, sign);
      await keepAlive(answerChatWebhook(core, request, instance, change));
      return true;
    },
    runRound: () => rounds.once(),
    settle: (order) => settleByHand({ records, store, advance, scopeOf }, order),
    listOpen: async (limit) => ({ escalations: (await store.listOpen(limit)).map(toListed) }),
  };
}

function createHandoffParts(
  core: Core,
  store: EscalationStore,
  { outlive, claimsOf }: EscalationOptions,
): HandoffParts {
  const readClock = (): number => core.platform.now();
  const logFailure = (error: unknown): void => {
    core.metrics.count("afterword_escalation_failures_total");
    reportFault(core, "escalation", error);
  };
  const records = createRecords(store, readClock, handOverCounter(core));
  const shared = {
    core,
    records,
    advancer: createAdvancer(store, core.pseudonym, outlive ?? null),
    scopeOf: createScopes(core, records),
    claimsOf,
    logFailure,
  };
  if (outlive !== undefined) {
    return {
      ...shared,
      held: null,
      runInTurn: (_, work) => work(),
      runLater: (_, work) => work(),
      keepAlive(work) {
        outlive(work);
        return work;
      },
    };
  }
  const runInTurn = createKeyedQueue();
  return {
    ...shared,
    held: createHeldConversations(store, logFailure, readClock),
    runInTurn,
    async runLater(key, work) {
      void runInTurn(key, work).catch(logFailure);
    },
    keepAlive: (work) => work,
  };
}

type OfInstance = Pick<EscalationRecord, "instance">;

/** Returns the scope of an instance in the current configuration; null if it no longer exists. */
function findCurrentScope(
  { core, scopeOf }: HandoffParts,
  { instance: name }: OfInstance,
): Scope | null {
  const snapshot = core.snapshot();
  const instance = snapshot.config.instances.find((one) => one.name === name);
  return instance === undefined ? null : scopeOf(snapshot, instance);
}

async function advanceRecord(
  parts: HandoffParts,
  record: EscalationRecord,
): Promise<EscalationRecord> {
  const scope = findCurrentScope(parts, record);
  // A removed instance has no credentials.
  if (scope === null) return record;
  const advanced = await parts.advancer.advance(scope, record);
  parts.records.publish(advanced);
  return advanced;
}

/** Handles a chat's event: stores a sign, or reads the chat after any other event. */
async function takeChatChange(
  parts: HandoffParts,
  store: EscalationStore,
  instance: string,
  id: string,
  sign: ChatSign | null,
): Promise<void> {
  const state = await findCurrentScope(parts, { instance })?.chat?.chat(id);
  const name = state?.kind === "ok" ? (state.value?.externalId ?? "") : "";
  const conversation = conversationOf(name);
  const record = conversation === null ? null : await store.get(conversation.key);
  if (record === null) return;
  if (sign === null) return void (await advanceRecord(parts, record));
  await parts.records.change(record.key, record.instance, (stored) => {
    const after = withSign(stored, sign, parts.core.platform.now());
    return after === stored ? null : after;
  });
}

/** Creates scopes. Services keep their tokens as long as the configuration is in force. */
function createScopes(
  core: Pick<Core, "platform" | "via">,
  records: Records,
): HandoffParts["scopeOf"] {
  const services = new WeakMap<InstanceConfig, Pick<Scope, "chat" | "ticket">>();
  return (snapshot, instance) => {
    const known = services.get(instance) ?? openServices(core, instance);
    services.set(instance, known);
    const rewriter = snapshot.rewriter.ofInstance(instance);
    return {
      settings: instance.escalation,
      ...known,
      room: (language) => roomFor(instance, language),
      now: () => core.platform.now(),
      save: (record) => records.save(record),
      load: ({ key, instance: name }) => records.load(key, name),
      say(record, key, about = {}) {
        if (rewriter === null) return null;
        const { locale } = rewriter.negotiate({
          header: record.locale,
          instance: instance.language,
        });
        const context = createLineContext(instance.name, record, locale, about);
        const line = rewriter.lines.render(key, context, () => about.count ?? null);
        if (line === null || (about.own === true && line.source.origin !== "own")) return null;
        return textOfLine(line);
      },
    };
  };
}

function createLineContext(
  instance: string,
  record: EscalationRecord,
  locale: Locale,
  { ticket }: About,
): LineContext {
  const { channel } = record;
  const lang = languageOf(locale);
  return {
    locale,
    channel,
    facts: { instance, channel, env: null, userType: null, source: null, lang },
    variables: new Map(ticket === undefined ? [] : [["ticket", ticket]]),
    query: () => null,
    seed: () => [record.key, String(record.epoch)],
    now: () => record.updated,
  };
}

function openServices(
  { platform, via }: Pick<Core, "platform" | "via">,
  { upstream, credentials }: InstanceConfig,
): Pick<Scope, "chat" | "ticket"> {
  if (credentials === null) return { chat: null, ticket: null };
  const { apiKey, secret, chatApp, chatSecret } = credentials;
  const send = createServiceSend({ platform, upstream, via });
  const chat =
    upstream.chat === null || chatApp === null || chatSecret === null
      ? null
      : createChatService({ send, base: upstream.chat, appId: chatApp, secret: chatSecret });
  const ticket =
    apiKey === null || secret === null
      ? null
      : createTicketService({
          send,
          auth: upstream.auth,
          ticketing: upstream.apis["ticketing"] ?? null,
          apiKey,
          secret,
          keyHeader: upstream.keyHeader,
          now: () => platform.now(),
        });
  return { chat, ticket };
}

function roomFor({ escalation, credentials }: InstanceConfig, language: string): string | number {
  const { rooms } = escalation.chat;
  const own =
    rooms === null ? undefined : Object.hasOwn(rooms, language) ? rooms[language] : rooms["*"];
  return own ?? credentials?.room ?? 1;
}

/** How long a stop waits for calls that are under way, in milliseconds. */
const stopPatience = 5000;
