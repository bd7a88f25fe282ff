import { eventText } from "../../api/server-sent.ts";
import { messageAsAnswer } from "../../escalation/answers.ts";
import { undelivered } from "../../escalation/messages.ts";
import { chatOf, type EscalationRecord } from "../../escalation/record.ts";
import type { Records } from "../../escalation/records.ts";
import { Superseded } from "../../escalation/scope.ts";
import { isAgentTyping, isRead } from "../../escalation/signs.ts";
import type { EscalationStore } from "../../escalation/stores/store.ts";
import type { InstanceConfig } from "../../config/config.ts";
import { sessionTokenOf } from "../../conversation/memory.ts";
import type { Core, GatewayRequest } from "../core.ts";
import { crossOrigin, refuse, retrySoon } from "../errors.ts";
import type { Exchange, RawHeaders } from "../exchange.ts";
import { fieldOf } from "../headers.ts";
import { notFound } from "../own-routes.ts";
import { relayMedia } from "./media.ts";
import { createReaderPresence, type SignParts, takeReaderSign } from "./reader-signs.ts";

/** The readers who listen to their conversations. */
export interface EventStreams {
  /**
   * Answers GET /_afterword/conversations/<event id>/events, POST there, and GET of the files
   * beside it.
   */
  answer(
    request: GatewayRequest,
    eventId: string,
    what: "events" | "media",
    rest: readonly string[],
  ): Promise<void>;
  /** Ends all streams: clients come back, here or to another process. */
  end(): void;
}

export interface StreamParts extends SignParts {
  readonly store: Pick<EscalationStore, "get" | "byEventId">;
  /** False: no request may write into another one's answer, and each may look so often only. */
  readonly shared: boolean;
}

export function createEventStreams(parts: StreamParts): EventStreams {
  const { core, records, store, advance, shared } = parts;
  const open = new Set<() => void>();
  const readers = createReaderPresence(parts);

  return {
    async answer(request, eventId, what, rest) {
      const { exchange } = request;
      const methods = what === "events" ? ["GET", "POST"] : ["GET"];
      if (exchange.method === "OPTIONS") return allow(exchange, methods);
      if (!methods.includes(exchange.method)) {
        const allowed = [...methods, "OPTIONS"].join(", ");
        const message = `This route takes ${methods.join(" and ")}.`;
        return refuse(exchange, 405, message, ["Allow", allowed]);
      }
      const record = /^[0-9a-f]{64}$/u.test(eventId) ? await store.byEventId(eventId) : null;
      if (record === null) return notFound(exchange);
      if (what === "media") return relayMedia(core, request, record, rest);
      const instance = instanceOf(core, record);
      // The id alone opens nothing: a reader has the session too.
      const session = sessionTokenOf(fieldOf(exchange.headers, "x-inbenta-session"));
      const key = session && (await core.platform.digest(`${record.instance}\n${session}`));
      if (key !== record.key || rest.length > 0) return notFound(exchange);
      const place = await core.admission.enter(false, exchange.client.share);
      if (place !== null && exchange.method === "POST") {
        return takeReaderSign(parts, exchange, record).finally(() => place.leave());
      }
      if (place === null || !place.becomeStream()) {
        place?.leave();
        return refuse(exchange, 503, "Too many streams are open. Try again later.", retrySoon);
      }
      if (instance === null) {
        place.leave();
        return notFound(exchange);
      }
      // Turns that have been answered meanwhile are not said again.
      start(exchange, (await store.get(key)) ?? record, instance, () => place.leave());
    },
    end() {
      for (const one of open) one();
    },
  };

  function start(
    exchange: Exchange,
    record: EscalationRecord,
    instance: InstanceConfig,
    leave: () => void,
  ): void {
    const stream = new EventStream(core, exchange, record, records);
    let looks = 0;
    const look = async (): Promise<boolean> => {
      const stored = await store.get(record.key);
      if (stored === null) return false;
      const now = isBusy(stored) ? await advance(stored) : stored;
      if (shared) records.publish(now);
      else {
        stream.show(now);
        if (++looks >= mostLooks) end();
      }
      return isBusy(now);
    };
    const stopPolling = poll(look, instance.escalation.chat.poll);
    const unsubscribe = shared
      ? records.subscribe(record.key, (now) => stream.show(now))
      : () => undefined;
    const end = (): void => {
      if (!open.delete(end)) return;
      stopPolling();
      unsubscribe();
      stream.end();
      leave();
    };
    open.add(end);
    if (shared) readers.came(record);
    exchange.reply.onGone(() => {
      if (shared && open.has(end)) readers.left(record);
      end();
    });
    stream.show(record);
  }
}

/** One reader's stream. */
class EventStream {
  readonly #core: Core;
  readonly #exchange: Exchange;
  readonly #records: Records;
  #latest: EscalationRecord;
  /** Id of the last message that was sent. */
  #sent: number;
  /** Id of the last message that a turn is known to have delivered. */
  #byTurn: number;
  #holder = "";
  #typing = false;
  /** True: the reader knows that an agent has read what the reader wrote last. */
  #read = false;
  #flowing = true;
  #ended = false;
  readonly #heartbeat: ReturnType<typeof setInterval>;

  constructor(core: Core, exchange: Exchange, record: EscalationRecord, records: Records) {
    this.#core = core;
    this.#exchange = exchange;
    this.#records = records;
    this.#latest = record;
    // An id from elsewhere must not make a reader miss what comes.
    this.#sent = Math.min(lastEventId(exchange.headers) ?? record.delivered, record.lastMessage);
    this.#byTurn = record.deliveredByTurn ?? 0;
    const { reply } = exchange;
    reply.onDrain(() => {
      this.#flowing = true;
      this.show(this.#latest);
    });
    reply.head(200, "OK", [...streamHeaders, ...crossOrigin(exchange.headers)]);
    this.#write(eventText({ retry: reconnectAfter }));
    // A reader who does not read needs no heartbeat: they would pile up.
    this.#heartbeat = setInterval(() => this.#flowing && this.#write(": \n\n"), heartbeat);
  }

  /** Writes what this reader lacks; what a slow one cannot take stays in the record. */
  show(record: EscalationRecord): void {
    this.#latest = record;
    this.#skipWhatTurnsDelivered(record);
    if (this.#ended || !this.#flowing) return;
    const instance = instanceOf(this.#core, record);
    if (instance === null) return;
    let last = this.#sent;
    for (const message of undelivered(record, this.#sent)) {
      last = message.id;
      this.#sent = message.id;
      const data = messageAsAnswer(record, instance, message);
      if (!this.#write(eventText({ id: message.id, event: "answer", data }))) break;
    }
    if (this.#flowing) this.#showSigns(record);
    if (last > record.delivered) void this.#saveDelivered(record, last);
  }

  /** Who holds the conversation, and what that person does: each when it changes. */
  #showSigns(record: EscalationRecord): void {
    const { phase } = record;
    const holder = chatOf(record) === null ? "bot" : "person";
    const name = phase.name === "talking" ? phase.chat.names?.[phase.agent] : undefined;
    const isTyping = isAgentTyping(record, this.#core.platform.now());
    const read = isRead(record);
    if (`${holder} ${name}` !== this.#holder) {
      this.#holder = `${holder} ${name}`;
      const data = { holder, phase: phase.name, ...(name !== undefined && { name }) };
      this.#write(eventText({ event: "holder", data: JSON.stringify(data) }));
    }
    if (isTyping !== this.#typing) {
      this.#typing = isTyping;
      this.#write(eventText({ event: "typing", data: JSON.stringify({ typing: isTyping }) }));
    }
    if (read !== this.#read) {
      this.#read = read;
      this.#write(eventText({ event: "read", data: JSON.stringify({ read }) }));
    }
  }

  /** What was delivered before the turn, this stream may still owe to a slow reader. */
  #skipWhatTurnsDelivered({ deliveredByTurn = 0, deliveredBefore }: EscalationRecord): void {
    if (deliveredByTurn <= this.#byTurn) return;
    this.#byTurn = deliveredByTurn;
    if (deliveredBefore > this.#sent || deliveredByTurn <= this.#sent) return;
    this.#sent = deliveredByTurn;
    // The id alone: a client that reconnects goes on behind it.
    if (this.#flowing) this.#write(eventText({ id: deliveredByTurn }));
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    clearInterval(this.#heartbeat);
    this.#exchange.reply.end();
  }

  #write(text: string): boolean {
    if (this.#ended) return false;
    this.#flowing = this.#exchange.reply.write(encoder.encode(text));
    return this.#flowing;
  }

  /** The next turn does not repeat what the stream has delivered. */
  async #saveDelivered(record: EscalationRecord, last: number): Promise<void> {
    let now = record;
    for (let attempt = 0; attempt < mostAttempts && now.delivered < last; attempt++) {
      try {
        // Nor does a retry of the last turn, where that turn had no messages of its own.
        const hadNone = now.deliveredBefore === now.delivered;
        const deliveredBefore = hadNone ? last : now.deliveredBefore;
        await this.#records.save({ ...now, delivered: last, deliveredBefore });
        return;
      } catch (error) {
        if (!(error instanceof Superseded)) return;
        now = await this.#records.load(record.key, record.instance).catch(() => now);
      }
    }
  }
}

function isBusy(record: EscalationRecord): boolean {
  return chatOf(record) !== null || record.phase.name === "reaching";
}

/** Looks at once, then again and again, less often while `look` says false. Returns how to stop. */
function poll(look: () => Promise<boolean>, every: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;
  const next = (wait: number): void => {
    if (!stopped) timer = setTimeout(() => void again(), wait);
  };
  const again = async (): Promise<void> => {
    const busy = await look().catch(() => false);
    next(busy ? every : every * idleFactor);
  };
  next(0);
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}

function instanceOf(core: Core, { instance }: EscalationRecord): InstanceConfig | null {
  return core.snapshot().config.instances.find(({ name }) => name === instance) ?? null;
}

function lastEventId(headers: RawHeaders): number | null {
  const id = fieldOf(headers, "last-event-id");
  return id !== null && /^\d{1,15}$/u.test(id) ? Number(id) : null;
}

/** A preflight. The session in a header is what opens the stream, so that any page may ask. */
function allow(exchange: Exchange, methods: readonly string[]): void {
  const names = fieldOf(exchange.headers, "access-control-request-headers");
  const allowed = methods.join(", ");
  const out = ["Access-Control-Allow-Methods", allowed, "Access-Control-Max-Age", "600"];
  if (names !== null) out.push("Access-Control-Allow-Headers", names);
  exchange.reply.send(204, "No Content", [...out, ...crossOrigin(exchange.headers)], null);
}

const streamHeaders: RawHeaders = [
  "Content-Type",
  "text/event-stream; charset=utf-8",
  "Cache-Control",
  "no-store",
  "X-Accel-Buffering",
  "no",
  "X-Content-Type-Options",
  "nosniff",
];
const encoder = new TextEncoder();
/** Milliseconds. */
const reconnectAfter = 2000;
const heartbeat = 15_000;
/** A conversation that the bot holds is looked at so many times less often. */
const idleFactor = 5;
const mostAttempts = 5;
/** What one request may do is limited where requests are apart: then its client reconnects. */
const mostLooks = 100;
