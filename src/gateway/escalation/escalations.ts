import type { InstanceConfig } from "../../config/config.ts";
import { nothingKnown, sessionTokenOf } from "../../conversation/memory.ts";
import type { EscalationRecord } from "../../escalation/record.ts";
import type { EscalationStore } from "../../escalation/store.ts";
import type { ReaderSays } from "../../escalation/turn.ts";
import { judgeRating } from "../../escalation/triggers.ts";
import { account, reportFault } from "../accounting.ts";
import type { Arrival, Core, Escalations, Forward } from "../core.ts";
import { refuse } from "../errors.ts";
import { readAhead } from "../errand.ts";
import type { Exchange, RequestBody } from "../exchange.ts";
import { retrySoon } from "../forward.ts";
import { fieldOf } from "../headers.ts";
import { createSetting } from "../scene.ts";
import { chained } from "../upload.ts";
import { sendAnswers } from "./answering.ts";
import { answerHook } from "./chat-hook.ts";
import { createClimbing } from "./climbing.ts";
import { follow, type Followed } from "./follow.ts";
import { following } from "./interest.ts";
import { createKeeper } from "./keeper.ts";
import { listOpen } from "./listing.ts";
import { createRecords } from "./records.ts";
import { createScopes } from "./scopes.ts";
import { answerStream, createWatch } from "./stream.ts";
import { meet, type Met, readSays } from "./turns.ts";

export interface EscalationOptions {
  readonly store: EscalationStore;
  /** What the owner's signed token tells of the reader, or null; it never decides who may do what here. */
  readonly claimsOf?: (arrival: Arrival) => Promise<{ readonly [name: string]: unknown } | null>;
}

/** Hands conversations over to tickets and people. Made by the runtime, so that a gateway without it does not carry it. */
export function createEscalations(options: EscalationOptions): (core: Core) => Escalations {
  return (core) => new Hands(core, options);
}

class Hands implements Escalations {
  readonly #core: Core;
  readonly #options: EscalationOptions;
  readonly #records: ReturnType<typeof createRecords>;
  readonly #climbing: ReturnType<typeof createClimbing>;
  readonly #scopeOf: ReturnType<typeof createScopes>;
  readonly #watch: ReturnType<typeof createWatch>;
  readonly #turns = new Map<string, Promise<void>>();
  readonly #keeper: ReturnType<typeof createKeeper>;

  constructor(core: Core, options: EscalationOptions) {
    this.#core = core;
    this.#options = options;
    const { store } = options;
    this.#records = createRecords(store, () => core.platform.now());
    this.#climbing = createClimbing(store, this.#records, core.pseudonym);
    this.#scopeOf = createScopes(core, this.#records);
    const attend = (record: EscalationRecord): Promise<EscalationRecord> => this.#attend(record);
    this.#watch = createWatch(core, this.#records, store, attend);
    this.#keeper = createKeeper(core, store, this.#records, attend);
  }

  start(): void {
    this.#keeper.start();
  }

  async stop(): Promise<void> {
    this.#watch.end();
    await this.#keeper.stop();
  }

  async message(arrival: Arrival, instance: InstanceConfig, forward: Forward): Promise<void> {
    const { exchange } = arrival;
    const session = sessionTokenOf(fieldOf(exchange.headers, "x-inbenta-session"));
    if (session === null) return forward(arrival, null);
    const read = await readAheadOf(arrival).catch(() => null);
    if (read === null) {
      // The client went away while it was still sending.
      exchange.reply.abort();
      return account(this.#core, arrival, "message", 499);
    }
    const { entered, bytes, whole } = read;
    if (!whole || bytes === null) return forward(entered, null);
    const key = await this.#keyOf(instance, session);
    const says = await readSays(this.#core.platform, bytes);
    const release = this.#records.hold(key);
    const turn = await this.#inTurn(key, () => this.#begin(entered, instance, key, bytes, says))
      .catch((error: unknown) => {
        this.#fault(error);
        return null;
      })
      .finally(release);
    // A store that does not answer must not keep the reader from the bot.
    if (turn === null) {
      // What is no question for the engine does not become one because a store failed.
      return says.choice === null ? forward(entered, null) : this.#answer(entered, []);
    }
    if (turn.met.kind === "answers") return this.#answer(entered, turn.met.answers);
    const followed = { ...turn.followed, before: turn.met.record };
    return forward(entered, (inner) =>
      following(this.#core, entered, inner, async (said, shown) => {
        if (this.#core.disabled) return null;
        const letGo = this.#records.hold(key);
        return follow(followed, said, shown).finally(letGo);
      }),
    );
  }

  async rated(arrival: Arrival, instance: InstanceConfig, request: Uint8Array): Promise<void> {
    const session = sessionTokenOf(fieldOf(arrival.exchange.headers, "x-inbenta-session"));
    if (session === null || this.#core.disabled) return;
    try {
      const key = await this.#keyOf(instance, session);
      const record = await this.#records.load(key, instance.name);
      const { triggers } = instance.escalation;
      const { counts, rated } = judgeRating(triggers, record.counts, request);
      if (rated) await this.#records.save({ ...record, counts });
    } catch (error) {
      this.#fault(error);
    }
  }

  async own(arrival: Arrival, name: string): Promise<boolean> {
    const [area, id = "", what = "", ...rest] = name.split("/");
    if (area === "conversations" && (what === "events" || what === "media")) {
      await answerStream(this.#watch, arrival, id, what, rest);
      return true;
    }
    if (area === "webhooks" && id === "chat" && rest.length === 0) {
      await answerHook(
        this.#core,
        arrival,
        decoded(what),
        (instance, chat) => this.#nameOf(instance, chat),
        (key) => this.#lookAfter(key),
      );
      return true;
    }
    return false;
  }

  open(limit: number): Promise<unknown> {
    return listOpen(this.#options.store, limit);
  }

  /** One turn of a conversation after the other: a client that sends twice at once does not get in its own way. */
  async #inTurn<Value>(key: string, work: () => Promise<Value>): Promise<Value> {
    const before = this.#turns.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    const ended = mine.then(
      () => undefined,
      () => undefined,
    );
    this.#turns.set(key, ended);
    try {
      return await mine;
    } finally {
      if (this.#turns.get(key) === ended) this.#turns.delete(key);
    }
  }

  async #begin(
    arrival: Arrival,
    instance: InstanceConfig,
    key: string,
    bytes: Uint8Array,
    says: ReaderSays,
  ) {
    const { platform } = this.#core;
    const stored = await this.#records.load(key, instance.name);
    const scope = this.#scopeOf(arrival.snapshot, instance);
    const scene = await this.#sceneOf(arrival, instance, bytes);
    const tagged = (record: EscalationRecord): EscalationRecord =>
      record.locale === scene.locale && record.channel === scene.channel
        ? record
        : { ...record, locale: scene.locale, channel: scene.channel };
    const met: Met =
      instance.escalation.mode === "managed"
        ? await meet(
            { records: this.#records, climbing: this.#climbing },
            scope,
            instance,
            stored,
            says,
            tagged,
          )
        : { kind: "forward", record: tagged(stored) };
    const followed: Followed = {
      scope,
      instance,
      records: this.#records,
      climbing: this.#climbing,
      says,
      scene,
      tagged,
      before: stored,
      claims: (await this.#options.claimsOf?.(arrival)) ?? null,
      newEventId: () => hex(platform.random(32)),
      noted: (reason, outcome) =>
        this.#core.metrics.count("afterword_escalations_total", {
          trigger: reason.split(":", 1)[0] ?? reason,
          outcome,
        }),
    };
    return { met, followed };
  }

  async #sceneOf(arrival: Arrival, instance: InstanceConfig, request: Uint8Array) {
    const { headers } = arrival.exchange;
    const { config, rewriter } = arrival.snapshot;
    const memory = (await this.#core.recall.of(instance, headers)) ?? nothingKnown;
    const voice = rewriter.voiceOf(instance);
    if (voice === null) throw new Error(`no tables for instance ${instance.name}`);
    const context = {
      locale: fieldOf(headers, "x-afterword-locale"),
      lang: memory.lang,
      acceptLanguage: fieldOf(headers, "accept-language"),
      channel: fieldOf(headers, "x-afterword-channel"),
      source: memory.source ?? fieldOf(headers, "x-inbenta-source"),
      env: memory.env ?? fieldOf(headers, "x-inbenta-env"),
      userType: memory.userType ?? fieldOf(headers, "x-inbenta-user-type"),
      variables: memory.variables,
      session: sessionTokenOf(fieldOf(headers, "x-inbenta-session")),
      request,
    };
    const now = (): number => this.#core.platform.now();
    return createSetting(context, instance, config, voice.negotiate, now).scene;
  }

  async #answer(arrival: Arrival, answers: readonly Uint8Array[]): Promise<void> {
    const ticket = await this.#core.admission.enter(false);
    if (ticket === null) {
      this.#core.metrics.count("afterword_overload_total");
      refuse(arrival.exchange, 503, "Too much is under way. Try again in a second.", retrySoon);
      return account(this.#core, arrival, "message", 503);
    }
    try {
      sendAnswers(arrival.exchange, answers);
      account(this.#core, arrival, "message", 200);
    } finally {
      ticket.leave();
    }
  }

  /** Under which name of ours a chat was opened, or null. */
  async #nameOf(name: string, chat: string): Promise<string | null> {
    const snapshot = this.#core.snapshot();
    const instance = snapshot.config.instances.find((one) => one.name === name);
    if (instance === undefined) return null;
    const state = await this.#scopeOf(snapshot, instance).chat?.chat(chat);
    return state?.kind === "ok" ? (state.value?.externalId ?? null) : null;
  }

  /** Somebody says that something happened to this conversation. */
  async #lookAfter(key: string): Promise<void> {
    const record = await this.#options.store.get(key);
    if (record !== null) await this.#attend(record);
  }

  async #attend(record: EscalationRecord): Promise<EscalationRecord> {
    const snapshot = this.#core.snapshot();
    const instance = snapshot.config.instances.find(({ name }) => name === record.instance);
    // Of an instance that is gone nobody knows the credentials.
    if (instance === undefined) return record;
    const attended = await this.#climbing.attend(this.#scopeOf(snapshot, instance), record);
    this.#records.tell(attended);
    return attended;
  }

  async #keyOf({ name }: InstanceConfig, session: string): Promise<string> {
    return this.#core.platform.digest(`${name}\n${session}`);
  }

  #fault(error: unknown): void {
    this.#core.metrics.count("afterword_escalation_failures_total");
    reportFault(this.#core, "escalation", error);
  }
}

/** The request with its first bytes read; they go upstream again as they came. */
async function readAheadOf(arrival: Arrival): Promise<{
  readonly entered: Arrival;
  readonly bytes: Uint8Array | null;
  readonly whole: boolean;
}> {
  const { exchange } = arrival;
  if (exchange.body === null) return { entered: arrival, bytes: new Uint8Array(0), whole: true };
  const { bytes, rest } = await exchange.body.peek(readAhead);
  const body = readAlready(exchange.body.length, bytes, rest);
  // Not a spread: what a platform makes may be an object of a class.
  const { method, target, headers, peer, scheme, reply } = exchange;
  const entered: Exchange = {
    method,
    target,
    headers,
    body,
    peer,
    reply,
    ...(scheme !== undefined && { scheme }),
  };
  return { entered: { ...arrival, exchange: entered }, bytes, whole: rest === null };
}

function readAlready(
  length: number | null,
  bytes: Uint8Array,
  rest: AsyncIterable<Uint8Array> | null,
): RequestBody {
  return {
    length,
    peek: async () => ({ bytes, rest }),
    stream: () => chained(bytes, rest ?? nothingMore()),
  };
}

async function* nothingMore(): AsyncGenerator<Uint8Array> {}

function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
