import type { RawHeaders } from "../gateway/exchange.ts";
import { fieldOf } from "../gateway/headers.ts";
import type { TransportError } from "../gateway/transport.ts";
import { AnswerParser } from "./answer-parser.ts";
import { type Llhttp, pageSize } from "./llhttp.ts";
import { toTransportError } from "./transport-error.ts";
import { type Streamed, Upload, type Uploading } from "./upload.ts";
import type { OpenWire, Wire, WireEvents } from "./wire.ts";

/** Whose request is on a connection. */
export interface Carrying {
  readonly method: string;
  readonly body: Uint8Array | null;
  /** Instead of `body`. */
  readonly streamed: Streamed | null;
  /** It waits for nothing any more. */
  readonly over: boolean;
  /** The request's head, one char per byte. */
  readonly head: string;
  /** Tells whose it is. */
  on(connection: Connection): void;
  answered(status: number, reason: string, headers: RawHeaders): void;
  /** @param lent they are others once this returns */
  data(bytes: Uint8Array, lent: boolean): void;
  ended(trailers: RawHeaders): void;
  fail(error: TransportError): void;
  /** From now on bytes of it may have left. */
  sent(): void;
  /** A piece of its body has left. */
  moved(): void;
}

/** Who keeps connections. */
export interface Keeper {
  /** It can take the next request. */
  free(connection: Connection): void;
  /** The upstream closed it before it sent anything for this request, or while there was none. */
  closedByUpstream(connection: Connection): void;
  gone(connection: Connection): void;
}

/**
 * One connection to an upstream, for one request at a time. Whatever is out of order closes it:
 * bytes that nobody asked for, an answer that is no HTTP, one that came before its request was all
 * sent. What was sent is never sent again.
 */
export class Connection implements WireEvents, Uploading {
  /** Milliseconds on the clock of `performance`, when it became free last. */
  freeSince: number = Number.NEGATIVE_INFINITY;
  /** Milliseconds that the upstream keeps it when it is free; null when it did not say. */
  keptFor: number | null = null;
  readonly #parser: AnswerParser;
  readonly #keeper: Keeper;
  #wire: Wire | null = null;
  #carrying: Carrying | null = null;
  #upload: Upload | null = null;
  #headTold = false;
  /** It can't be known to be clean after this request. */
  #last = false;
  #ended = false;
  #closed = false;
  #paused = false;

  constructor(keeper: Keeper, llhttp: Llhttp) {
    this.#parser = new AnswerParser(llhttp);
    this.#keeper = keeper;
  }

  /** Connects, and then sends this request. */
  open(carrying: Carrying, open: OpenWire): void {
    this.#carrying = carrying;
    carrying.on(this);
    open(this);
  }

  /** False: it is closed, or another request is on it. */
  get isFree(): boolean {
    return !this.#closed && this.#carrying === null && this.#wire !== null;
  }

  /** @returns false when it can't be written to any more: nothing has left */
  carry(carrying: Carrying): boolean {
    const wire = this.#wire;
    if (wire === null || !wire.stands || !this.isFree) return false;
    this.#carrying = carrying;
    carrying.on(this);
    this.#send(wire, carrying);
    return true;
  }

  /** Whose request it is no longer wants an answer. */
  abandon(carrying: Carrying): void {
    if (this.#carrying !== carrying) return;
    this.#carrying = null;
    // One that is still being opened serves the next.
    if (this.#wire !== null) this.close();
  }

  /** Breaks off what is under way. */
  breakOff(): void {
    this.#fail({ kind: "broken", detail: "closed on our side", sent: this.#wire !== null });
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#upload?.stop();
    this.#wire?.terminate();
    this.#parser.free();
    this.#keeper.gone(this);
  }

  pause(): void {
    if (this.#closed || this.#paused) return;
    this.#paused = true;
    this.#wire?.pause();
  }

  resume(): void {
    if (this.#closed || !this.#paused) return;
    this.#paused = false;
    this.#wire?.resume();
  }

  opened(wire: Wire): void {
    if (this.#closed) {
      wire.terminate();
      return;
    }
    this.#wire = wire;
    const carrying = this.#carrying;
    if (carrying !== null) this.#send(wire, carrying);
    else {
      wire.hold(false);
      this.#keeper.free(this);
    }
  }

  unreached(error: TransportError): void {
    this.#fail(error);
  }

  received(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; at += pageSize) {
      const carrying = this.#carrying;
      if (this.#closed) return;
      if (carrying === null) {
        this.close();
        return;
      }
      const page = bytes.length <= pageSize ? bytes : bytes.subarray(at, at + pageSize);
      if (this.#read(carrying, page, at + page.length === bytes.length)) return;
    }
  }

  roomAgain(): void {
    this.#upload?.roomAgain();
  }

  moved(): void {
    this.#carrying?.moved();
  }

  done(): void {
    this.#upload = null;
  }

  /** The body ended in another way than it should: what has left of it is worth nothing. */
  failed(error: unknown): void {
    this.#fail(toTransportError(error, true));
  }

  /** The upstream will send nothing more. */
  sentAll(): void {
    this.#ended = true;
    // Nobody waits for it to read what it has yet to be sent.
    if (this.#carrying === null || !this.#paused) this.lost();
  }

  lost(): void {
    if (this.#closed) return;
    const carrying = this.#carrying;
    const whole = carrying !== null && this.#headTold && this.#ended && this.#parser.finish();
    const began = carrying !== null && this.#parser.headers.length > 0;
    if (!began) this.#keeper.closedByUpstream(this);
    if (!whole) this.#fail(began ? brokenOff : closedEarly);
    else {
      this.#carrying = null;
      this.close();
      carrying.ended(none);
    }
  }

  #fail(error: TransportError): void {
    const carrying = this.#carrying;
    this.#carrying = null;
    this.close();
    carrying?.fail(error);
  }

  #send(wire: Wire, carrying: Carrying): void {
    const { method, head, body, streamed } = carrying;
    const hasBody = body !== null || streamed !== null;
    this.#parser.expect(method === "HEAD");
    this.#headTold = false;
    this.#last = method === "HEAD" || (hasBody && !expectsBody.has(method));
    this.keptFor = null;
    carrying.sent();
    wire.hold(true);
    wire.send(head, body);
    if (streamed !== null) {
      this.#upload = new Upload(wire, streamed, this);
      this.#upload.start();
    }
  }

  /** @returns whether there is nothing more to read */
  #read(carrying: Carrying, bytes: Buffer, isLast: boolean): boolean {
    const parser = this.#parser;
    const progress = parser.read(bytes);
    if (progress === "broken") {
      this.#fail(noHttp);
      return true;
    }
    if (!this.#headTold && parser.headed) {
      this.#headTold = true;
      carrying.answered(parser.status, parser.reason, parser.headers);
    }
    const { pieces } = parser;
    for (let i = 0; i + 1 < pieces.length && this.#carrying === carrying; i += 2) {
      carrying.data(bytes.subarray(pieces[i], pieces[i + 1]), this.#wire?.lends === true);
    }
    if (this.#carrying !== carrying) return true;
    if (progress === "more") return false;
    this.#carrying = null;
    this.resume();
    const { headers, trailers } = parser;
    const more = !isLast || parser.used !== bytes.length;
    const sending = this.#upload !== null || this.#wire?.drained !== true;
    if (more || !parser.keepAlive || sending || this.#last || this.#ended) this.close();
    else {
      this.keptFor = promisedTime(headers);
      parser.next();
      this.#wire?.hold(false);
      this.#keeper.free(this);
    }
    carrying.ended(trailers);
    return true;
  }
}

/**
 * Of other methods an upstream may ignore the body, and take it for the next request; and what it
 * may wrongly send after the answer to a HEAD would be the next answer. Such a connection is not
 * used again.
 */
const expectsBody: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);

const none: readonly string[] = [];

const noHttp: TransportError = { kind: "broken", detail: "not HTTP/1.1", sent: true };
const closedEarly: TransportError = {
  kind: "broken",
  detail: "closed before its answer",
  sent: true,
};
const brokenOff: TransportError = {
  kind: "broken",
  detail: "closed within its answer",
  sent: true,
};

/** What `Keep-Alive: timeout=5` promises, in milliseconds. */
function promisedTime(headers: RawHeaders): number | null {
  const promise = fieldOf(headers, "keep-alive");
  const seconds = promise === null ? undefined : /timeout=(\d{1,6})/i.exec(promise)?.[1];
  return seconds === undefined ? null : Number(seconds) * 1000;
}
