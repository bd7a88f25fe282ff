import type { EscalationRecord } from "../../escalation/record.ts";
import { Superseded } from "../../escalation/scope.ts";
import { undelivered } from "../../escalation/sayings.ts";
import type { EscalationStore } from "../../escalation/store.ts";
import { sessionTokenOf } from "../../conversation/memory.ts";
import type { Place } from "../admission.ts";
import type { GatewayRequest, Core } from "../core.ts";
import { crossOrigin, refuse, retrySoon } from "../errors.ts";
import type { Exchange, RawHeaders } from "../exchange.ts";
import { fieldOf } from "../headers.ts";
import { notFound } from "../own-routes.ts";
import { messageAsAnswer } from "./answering.ts";
import { type Apart, mostLooks } from "./apart.ts";
import { relayMedia } from "./media.ts";
import type { Records } from "./records.ts";

/** The readers who listen to their conversation. */
export interface Watch {
  /** Streams to this reader until they go away. */
  open(arrival: GatewayRequest, record: EscalationRecord, ticket: Place): void;
  find(eventId: string): Promise<EscalationRecord | null>;
  readonly core: Core;
  /** Ends all streams: clients come back, here or to another process. */
  end(): void;
}

export function createWatch(
  core: Core,
  records: Records,
  store: EscalationStore,
  attend: (record: EscalationRecord) => Promise<EscalationRecord>,
  apart?: Apart,
): Watch {
  const open = new Set<() => void>();

  return {
    core,
    find: (eventId) => store.byEventId(eventId),
    open(arrival, record, ticket) {
      const instance = instanceOf(core, record);
      if (instance === null) {
        ticket.leave();
        return notFound(arrival.exchange);
      }
      const stream = new Stream(core, arrival.exchange, record, records);
      const alone = apart === undefined ? null : { looks: 0 };
      const lookOnce = async (): Promise<boolean> => {
        const found = await look(record.key);
        if (found === null) return false;
        if (alone === null) records.tell(found);
        else {
          stream.tell(found);
          if (++alone.looks >= mostLooks) end();
        }
        return isBusy(found);
      };
      const poll = createPoll(lookOnce, instance.escalation.chat.poll);
      const end = (): void => {
        if (!open.delete(end)) return;
        poll.stop();
        deafen();
        stream.end();
        ticket.leave();
      };
      // Where requests are apart none may write into another one's answer.
      const deafen =
        alone === null ? records.listen(record.key, (now) => stream.tell(now)) : () => undefined;
      open.add(end);
      arrival.exchange.reply.onGone(end);
      stream.tell(record);
      poll.start();
    },
    end() {
      for (const one of open) one();
    },
  };

  async function look(key: string): Promise<EscalationRecord | null> {
    const record = await store.get(key);
    return record === null || !isBusy(record) ? record : attend(record);
  }
}

/** Answers GET /_afterword/conversations/<event id>/events, and the files of an agent beside it. */
export async function answerStream(
  watch: Watch,
  arrival: GatewayRequest,
  eventId: string,
  what: "events" | "media",
  rest: readonly string[],
): Promise<void> {
  const { exchange } = arrival;
  const { core } = watch;
  if (exchange.method === "OPTIONS") return allow(exchange);
  if (exchange.method !== "GET") {
    return refuse(exchange, 405, "This route takes GET.", ["Allow", "GET, OPTIONS"]);
  }
  const record = /^[0-9a-f]{64}$/u.test(eventId) ? await watch.find(eventId) : null;
  if (record === null) return notFound(exchange);
  if (what === "media") return relayMedia(core, arrival, record, rest);
  // The id alone opens nothing: whoever listens has the session too.
  const session = sessionTokenOf(fieldOf(exchange.headers, "x-inbenta-session"));
  const key =
    session === null ? null : await core.platform.digest(`${record.instance}\n${session}`);
  if (key !== record.key || rest.length > 0) return notFound(exchange);
  const ticket = await core.admission.enter(false, exchange.client.share);
  if (ticket === null || !ticket.becomeStream()) {
    ticket?.leave();
    return refuse(exchange, 503, "Too many streams are open. Try again later.", retrySoon);
  }
  watch.open(arrival, record, ticket);
}

/** One reader's stream. */
class Stream {
  readonly #core: Core;
  readonly #exchange: Exchange;
  readonly #records: Records;
  #latest: EscalationRecord;
  #sent: number;
  /** Up to where turns have told since this stream was opened. */
  #turn: number;
  #holder = "";
  #flowing = true;
  #ended = false;
  #beat: ReturnType<typeof setInterval>;

  constructor(core: Core, exchange: Exchange, record: EscalationRecord, records: Records) {
    this.#core = core;
    this.#exchange = exchange;
    this.#records = records;
    this.#latest = record;
    // An id from elsewhere must not make a reader miss what comes.
    this.#sent = Math.min(lastSeen(exchange.headers) ?? record.delivered, record.lastMessage);
    this.#turn = record.deliveredByTurn ?? 0;
    const { reply } = exchange;
    reply.onDrain(() => {
      this.#flowing = true;
      this.tell(this.#latest);
    });
    reply.head(200, "OK", [...streamHeaders, ...crossOrigin(exchange.headers)]);
    this.#write(`retry: ${reconnectAfter}\n\n`);
    // Whoever does not read needs no sign of life, and would have them pile up.
    this.#beat = setInterval(() => this.#flowing && this.#write(": \n\n"), heartbeat);
  }

  /**
   * Writes what this reader has not been told; what a slow one cannot take now waits in the record.
   */
  tell(record: EscalationRecord): void {
    this.#latest = record;
    this.#skip(record);
    if (this.#ended || !this.#flowing) return;
    const { name } = record.phase;
    const holder = name === "waiting" || name === "talking" ? "person" : "bot";
    const instance = instanceOf(this.#core, record);
    if (instance === null) return;
    let last = this.#sent;
    for (const said of undelivered(record, this.#sent)) {
      const data = utf8.decode(messageAsAnswer(record, instance, said));
      last = said.id;
      this.#sent = said.id;
      if (!this.#write(`id: ${said.id}\nevent: answer\ndata: ${data}\n\n`)) break;
    }
    if (holder !== this.#holder && this.#flowing) {
      this.#holder = holder;
      this.#write(`event: holder\ndata: ${JSON.stringify({ holder, phase: name })}\n\n`);
    }
    if (last > record.delivered) void this.#told(record, last);
  }

  /**
   * What a turn has just said is not said again. What the turn found told already, this stream may
   * still owe to a slow reader.
   */
  #skip({ deliveredByTurn: toldByTurn = 0, deliveredBefore: toldBefore }: EscalationRecord): void {
    if (toldByTurn <= this.#turn) return;
    this.#turn = toldByTurn;
    if (toldBefore > this.#sent || toldByTurn <= this.#sent) return;
    this.#sent = toldByTurn;
    // Nothing but the id: whoever comes back after this stream breaks off goes on behind it.
    if (this.#flowing) this.#write(`id: ${toldByTurn}\n\n`);
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    clearInterval(this.#beat);
    this.#exchange.reply.end();
  }

  #write(text: string): boolean {
    if (this.#ended) return false;
    this.#flowing = this.#exchange.reply.write(encoder.encode(text));
    return this.#flowing;
  }

  /** The next turn need not say it again. */
  async #told(record: EscalationRecord, last: number): Promise<void> {
    let now = record;
    for (let attempt = 0; attempt < mostAttempts && now.delivered < last; attempt++) {
      try {
        // Nor need a client's retry of the last turn, where that had nothing of its own to say.
        const toldBefore = now.deliveredBefore === now.delivered ? last : now.deliveredBefore;
        await this.#records.save({ ...now, delivered: last, deliveredBefore: toldBefore });
        return;
      } catch (error) {
        if (!(error instanceof Superseded)) return;
        now = await this.#records.load(record.key, record.instance).catch(() => now);
      }
    }
  }
}

function isBusy({ phase: { name } }: EscalationRecord): boolean {
  return name === "waiting" || name === "talking" || name === "reaching";
}

function createPoll(look: () => Promise<boolean>, every: number) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;
  const next = (wait: number): void => {
    if (stopped) return;
    timer = setTimeout(() => {
      void again();
    }, wait);
  };
  const again = async (): Promise<void> => {
    // A look that fails is one look that told nothing.
    const busy = await look().catch(() => false);
    next(busy ? every : every * idleFactor);
  };
  return {
    start: () => next(0),
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

function instanceOf(core: Core, { instance }: EscalationRecord) {
  return core.snapshot().config.instances.find(({ name }) => name === instance) ?? null;
}

function lastSeen(headers: RawHeaders): number | null {
  const id = fieldOf(headers, "last-event-id");
  return id !== null && /^\d{1,15}$/u.test(id) ? Number(id) : null;
}

/**
 * A preflight for the stream: the session in a header is what opens it, so that any page may ask.
 */
function allow(exchange: Exchange): void {
  const names = fieldOf(exchange.headers, "access-control-request-headers");
  const out = ["Access-Control-Allow-Methods", "GET", "Access-Control-Max-Age", "600"];
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
const utf8 = new TextDecoder();
/** Milliseconds. */
const reconnectAfter = 2000;
const heartbeat = 15_000;
/** A conversation that the bot holds is looked at so many times less often. */
const idleFactor = 5;
const mostAttempts = 5;
