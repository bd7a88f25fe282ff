import type { InstanceConfig } from "../../config/config.ts";
import { nothingKnown, sessionTokenOf } from "../../conversation/memory.ts";
import type { EscalationRecord } from "../../escalation/record.ts";
import type { EscalationStore } from "../../escalation/store.ts";
import type { Scope } from "../../escalation/scope.ts";
import type { ReaderSays } from "../../escalation/turn.ts";
import type { Scene } from "../../locales/types.ts";
import { judgeRating } from "../../escalation/triggers.ts";
import { account, reportFault } from "../accounting.ts";
import type { Arrival, Core, Escalations, Forward, SettledOrder, Snapshot } from "../core.ts";
import { refuse } from "../errors.ts";
import { retrySoon } from "../forward.ts";
import { fieldOf } from "../headers.ts";
import { createSetting } from "../scene.ts";
import { drained, sendAnswers } from "./answering.ts";
import type { Apart } from "./apart.ts";
import { answerHook } from "./chat-hook.ts";
import { createClimbing } from "./climbing.ts";
import { decoded } from "./decoded.ts";
import { follow, type Followed } from "./follow.ts";
import { following } from "./interest.ts";
import { createKeeper } from "./keeper.ts";
import { listOpen } from "./listing.ts";
import { readAheadOf } from "./read-ahead.ts";
import { createRecords } from "./records.ts";
import { settleByHand } from "./settle-by-hand.ts";
import { createScopes } from "./scopes.ts";
import { answerStream, createWatch } from "./stream.ts";
import { createLeftovers } from "./leftovers.ts";
import { readSays } from "./says.ts";
import { storePatience, withDeadline } from "./store-deadline.ts";
import { meet, type Met, undelivered } from "./turns.ts";

export interface EscalationOptions {
  readonly store: EscalationStore;
  /** What the owner's signed token tells of the reader, or null; it never decides who may do what here. */
  readonly claimsOf?: (
    core: Core,
    arrival: Arrival,
  ) => Promise<{ readonly [name: string]: unknown } | null>;
  /** Absent: requests of this process may wait for each other. */
  readonly apart?: Apart;
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
  readonly #leftovers: ReturnType<typeof createLeftovers>;

  constructor(core: Core, options: EscalationOptions) {
    this.#core = core;
    const store = withDeadline(options.store, storePatience);
    this.#options = { ...options, store };
    const { apart } = options;
    this.#records = createRecords(store, () => core.platform.now());
    this.#climbing = createClimbing(store, this.#records, core.pseudonym, apart);
    this.#scopeOf = createScopes(core, this.#records);
    const attend = (record: EscalationRecord): Promise<EscalationRecord> => this.#attend(record);
    this.#watch = createWatch(core, this.#records, store, attend, apart);
    this.#keeper = createKeeper(core, store, attend);
    const now = (): number => core.platform.now();
    this.#leftovers = createLeftovers(store, (error) => this.#fault(error), now);
  }

  takes(instance: InstanceConfig, snapshot: Snapshot): boolean {
    if (instance.escalation.mode !== "off") return true;
    // Looked for once for all requests of a process: where they are apart none may wait for that.
    if (this.#options.apart !== undefined) return false;
    return this.#leftovers.ready(snapshot) !== null || this.#leftovers.has(instance);
  }

  start(): void {
    this.#keeper.start();
  }

  async stop(): Promise<void> {
    this.#watch.end();
    const ended = Promise.all([this.#keeper.stop(), this.#climbing.idle()]);
    // What is cut off then is found again by its name.
    await Promise.race([ended, pause(stopPatience)]);
  }

  message(arrival: Arrival, instance: InstanceConfig, forward: Forward): Promise<void> {
    return this.#outliving(this.#message(arrival, instance, forward));
  }

  async #message(arrival: Arrival, instance: InstanceConfig, forward: Forward): Promise<void> {
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
    const key = await this.#keyOf(instance, session);
    if (instance.escalation.mode === "off") {
      await this.#leftovers.ready(arrival.snapshot);
      if (!this.#leftovers.holds(key)) return forward(entered, null);
    }
    const says = await readSays(this.#core.platform, exchange.headers, bytes, whole);
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
    if (turn.met.kind === "answers") {
      const { answers, told } = turn.met;
      exchange.reply.onGone(() => void this.#outliving(this.#untell(told)));
      return this.#answer(entered, answers);
    }
    // Too large to be looked at is too large for a question; the engine says so.
    if (!whole || turn.followed === null) return forward(entered, null);
    const { followed } = turn;
    return forward(entered, (inner) =>
      following(this.#core, entered, inner, async (said, shown) => {
        if (this.#core.disabled) return null;
        const letGo = this.#records.hold(key);
        return this.#outliving(follow(followed, said, shown).finally(letGo));
      }),
    );
  }

  rated(arrival: Arrival, instance: InstanceConfig, request: Uint8Array): Promise<void> {
    return this.#outliving(this.#rated(arrival, instance, request));
  }

  async #rated(arrival: Arrival, instance: InstanceConfig, request: Uint8Array): Promise<void> {
    const session = sessionTokenOf(fieldOf(arrival.exchange.headers, "x-inbenta-session"));
    if (session === null || this.#core.disabled) return;
    try {
      const key = await this.#keyOf(instance, session);
      const { triggers } = instance.escalation;
      await this.#inTurn(key, () =>
        this.#records.change(key, instance.name, (record) => {
          const { counts, rated } = judgeRating(triggers, record.counts, request);
          return rated ? { ...record, counts } : null;
        }),
      );
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
      const hook = answerHook(
        this.#core,
        arrival,
        decoded(what),
        (instance, chat) => this.#nameOf(instance, chat),
        (key) => this.#lookAfter(key),
      );
      await this.#outliving(hook);
      return true;
    }
    return false;
  }

  round(): Promise<number> {
    return this.#keeper.round();
  }

  settle(order: unknown): Promise<SettledOrder> {
    return settleByHand(
      {
        records: this.#records,
        store: this.#options.store,
        attend: (record) => this.#attend(record),
        scopeOf: ({ instance: name }) => {
          const snapshot = this.#core.snapshot();
          const instance = snapshot.config.instances.find((one) => one.name === name);
          return instance === undefined ? null : this.#scopeOf(snapshot, instance);
        },
      },
      order,
    );
  }

  open(limit: number): Promise<unknown> {
    return listOpen(this.#options.store, limit);
  }

  /** One turn of a conversation after the other: a client that sends twice at once does not get in its own way. */
  async #inTurn<Value>(key: string, work: () => Promise<Value>): Promise<Value> {
    if (this.#options.apart !== undefined) return work();
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
    const { snapshot } = arrival;
    const scope = this.#scopeOf(snapshot, instance);
    const scene = await this.#sceneOf(arrival, instance, bytes);
    const tagged = (record: EscalationRecord): EscalationRecord =>
      record.locale === scene.locale && record.channel === scene.channel
        ? record
        : { ...record, locale: scene.locale, channel: scene.channel };
    let stored: EscalationRecord | null = null;
    try {
      stored = await this.#records.load(key, instance.name);
      const met = await this.#meet(scope, instance, stored, says, tagged);
      return { met, followed: this.#followed(arrival, instance, scope, scene, tagged, says, met) };
    } catch (error) {
      // Who talks to a person, or fills in a form of ours, does not talk to the engine because a store failed.
      const isOurs = stored === null ? this.#records.isOurs(key) : stored.phase.name !== "bot";
      if (!isOurs) throw error;
      this.#fault(error);
      const record = undelivered(scope, tagged(stored ?? this.#records.fresh(key, instance.name)));
      const { answers } = drained({ ...record, told: record.lastSaying - 1 }, instance);
      return { met: { kind: "answers", answers, told: null } as const, followed: null };
    }
  }

  #meet(
    scope: Scope,
    instance: InstanceConfig,
    stored: EscalationRecord,
    says: ReaderSays,
    tagged: (record: EscalationRecord) => EscalationRecord,
  ): Met | Promise<Met> {
    const { name } = stored.phase;
    const isHeld = name === "waiting" || name === "talking";
    if (isHeld || (instance.escalation.mode === "managed" && !this.#core.disabled)) {
      const parts = { records: this.#records, climbing: this.#climbing };
      return meet(parts, scope, instance, stored, says, tagged);
    }
    // An option of ours is no question for the engine, whatever holds now.
    return says.choice === null
      ? { kind: "forward", record: tagged(stored) }
      : { kind: "answers", answers: [], told: null };
  }

  #followed(
    arrival: Arrival,
    instance: InstanceConfig,
    scope: Scope,
    scene: Scene,
    tagged: (record: EscalationRecord) => EscalationRecord,
    says: ReaderSays,
    met: Met,
  ): Followed | null {
    if (met.kind !== "forward") return null;
    return {
      scope,
      instance,
      records: this.#records,
      climbing: this.#climbing,
      says,
      scene,
      tagged,
      before: met.record,
      claims: () => this.#claimsOf(arrival),
      later: (work) => this.#later(met.record.key, work),
      newEventId: () => hex(this.#core.platform.random(32)),
      noted: (reason, outcome) =>
        this.#core.metrics.count("afterword_escalations_total", {
          trigger: reason.split(":", 1)[0] ?? reason,
          outcome,
        }),
    };
  }

  async #later(key: string, work: () => Promise<void>): Promise<void> {
    if (this.#options.apart !== undefined) return work();
    void this.#inTurn(key, work).catch((error: unknown) => this.#fault(error));
  }

  async #claimsOf(arrival: Arrival): Promise<{ readonly [name: string]: unknown } | null> {
    try {
      return (await this.#options.claimsOf?.(this.#core, arrival)) ?? null;
    } catch (error) {
      this.#fault(error);
      return null;
    }
  }

  /** The reader went away before they had the answer: what it said is said again. */
  async #untell(
    told: { readonly before: number; readonly record: EscalationRecord } | null,
  ): Promise<void> {
    if (told === null || told.before === told.record.told) return;
    const { before, record } = told;
    await this.#records
      .change(record.key, record.instance, (now) =>
        now.told === record.told ? { ...now, told: before } : null,
      )
      .catch((error: unknown) => this.#fault(error));
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

  #outliving<Value>(work: Promise<Value>): Promise<Value> {
    this.#options.apart?.outlive(work);
    return work;
  }

  async #keyOf({ name }: InstanceConfig, session: string): Promise<string> {
    return this.#core.platform.digest(`${name}\n${session}`);
  }

  #fault(error: unknown): void {
    this.#core.metrics.count("afterword_escalation_failures_total");
    reportFault(this.#core, "escalation", error);
  }
}

/** What is under way outside gets so long to end, in milliseconds. */
const stopPatience = 5000;

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    if (typeof timer === "object") timer.unref?.();
  });
}

function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
