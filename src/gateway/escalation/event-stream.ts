import type { RawHeaders } from "../../http/types.ts";
import { formatEvent } from "../../api/call/server-sent.ts";
import { messageAsAnswer } from "../../escalation/answers.ts";
import { listUndelivered } from "../../escalation/records/messages.ts";
import { chatOf, type EscalationRecord } from "../../escalation/stores/record.ts";
import { isAgentTyping, isRead } from "../../escalation/records/signs.ts";
import type { InstanceConfig } from "../../config/config.ts";
import type { Core } from "../core.ts";
import { createCrossOriginFields } from "../exchange/errors.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { fieldOf } from "../exchange/headers.ts";

/** One open stream of a reader: writes what this stream has not sent yet. */
export class EventStream {
  readonly #core: Core;
  readonly #exchange: Exchange;
  /** Id of the last message that was sent. */
  #sent: number;
  /** Id of the last message that a turn is known to have delivered. */
  #byTurn: number;
  #holder = "";
  #typing = false;
  /** True if the reader knows that an agent has read what the reader wrote last. */
  #read = false;
  #flowing = true;
  #ended = false;
  readonly #heartbeat: ReturnType<typeof setInterval>;

  /** @param drained called when a slow client has read enough for more */
  constructor(core: Core, exchange: Exchange, record: EscalationRecord, drained: () => void) {
    this.#core = core;
    this.#exchange = exchange;
    // A reader must not miss messages because of an id from elsewhere.
    this.#sent = Math.min(
      readLastEventId(exchange.headers) ?? record.delivered,
      record.lastMessage,
    );
    this.#byTurn = record.deliveredByTurn ?? 0;
    const { reply } = exchange;
    reply.onDrain(() => {
      this.#flowing = true;
      drained();
    });
    reply.head(200, "OK", [...streamHeaders, ...createCrossOriginFields(exchange.headers)]);
    this.#write(formatEvent({ retry: reconnectAfter }));
    // Heartbeats are not sent to a client that does not read: they would pile up.
    this.#heartbeat = setInterval(() => this.#flowing && this.#write(": \n\n"), heartbeat);
  }

  /** Id of the last message that was sent, here or before this stream began. */
  get sent(): number {
    return this.#sent;
  }

  /**
   * Writes the messages that this reader lacks. A slow client gets the rest from the record later.
   */
  show(record: EscalationRecord): void {
    this.#skipWhatTurnsDelivered(record);
    if (this.#ended || !this.#flowing) return;
    const instance = instanceOf(this.#core, record);
    if (instance === null) return;
    for (const message of listUndelivered(record, this.#sent)) {
      this.#sent = message.id;
      const data = messageAsAnswer(record, instance, message);
      if (!this.#write(formatEvent({ id: message.id, event: "answer", data }))) return;
    }
    this.#showSigns(record);
  }

  /**
   * @param retry milliseconds after which the client may reconnect; absent for the value that was
   *   sent first
   */
  end(retry?: number): void {
    if (this.#ended) return;
    if (retry !== undefined) this.#write(formatEvent({ retry }));
    this.#ended = true;
    clearInterval(this.#heartbeat);
    this.#exchange.reply.end();
  }

  /** Sends who holds the conversation, and that person's signs, when they change. */
  #showSigns(record: EscalationRecord): void {
    const { phase } = record;
    const holder = chatOf(record) === null ? "bot" : "person";
    const name = phase.name === "talking" ? phase.chat.names?.[phase.agent] : undefined;
    const isTyping = isAgentTyping(record, this.#core.platform.now());
    const read = isRead(record);
    if (`${holder} ${name}` !== this.#holder) {
      this.#holder = `${holder} ${name}`;
      const data = { holder, phase: phase.name, ...(name !== undefined && { name }) };
      this.#write(formatEvent({ event: "holder", data: JSON.stringify(data) }));
    }
    if (isTyping !== this.#typing) {
      this.#typing = isTyping;
      this.#write(formatEvent({ event: "typing", data: JSON.stringify({ typing: isTyping }) }));
    }
    if (read !== this.#read) {
      this.#read = read;
      this.#write(formatEvent({ event: "read", data: JSON.stringify({ read }) }));
    }
  }

  /**
   * A message that was delivered before the turn may still be owed by this stream to a slow reader.
   */
  #skipWhatTurnsDelivered({ deliveredByTurn = 0, deliveredBefore }: EscalationRecord): void {
    if (deliveredByTurn <= this.#byTurn) return;
    this.#byTurn = deliveredByTurn;
    if (deliveredBefore > this.#sent || deliveredByTurn <= this.#sent) return;
    this.#sent = deliveredByTurn;
    // Sends only the id, so that a client that reconnects continues after it.
    if (this.#flowing) this.#write(formatEvent({ id: deliveredByTurn }));
  }

  #write(text: string): boolean {
    if (this.#ended) return false;
    this.#flowing = this.#exchange.reply.write(encoder.encode(text));
    return this.#flowing;
  }
}

/** The instance of a record in the present configuration; null if it no longer exists. */
export function instanceOf(core: Core, { instance }: EscalationRecord): InstanceConfig | null {
  return core.snapshot().config.instances.find(({ name }) => name === instance) ?? null;
}

function readLastEventId(headers: RawHeaders): number | null {
  const id = fieldOf(headers, "last-event-id");
  return id !== null && /^\d{1,15}$/u.test(id) ? Number(id) : null;
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
