import type { Exchange } from "../../../gateway/exchange.ts";
import { fieldOf } from "../../../gateway/headers.ts";
import { type Llhttp, pageSize } from "../../../http/llhttp.ts";
import { refusedHead } from "../../../http/refused-head.ts";
import { RequestParser } from "../../../http/request-parser.ts";
import type { WireEvents } from "../../../http/wire.ts";
import { limits } from "../../server-limits.ts";
import type { BunWire } from "../sockets.ts";
import { ServedBody } from "./body.ts";
import { type Outgoing, ServedReply } from "./reply.ts";

/** Who keeps the visits. */
export interface Host {
  /** No connection goes on after the answer that is under way. */
  readonly draining: boolean;
  /** Answers it. Never throws. */
  serve(exchange: Exchange): void;
  /** What reading a connection threw that Bun does not see. */
  failed(error: unknown): void;
  gone(wire: BunWire): void;
}

/**
 * A client's connection: one request after the other, each answered before the next is begun. What
 * is no HTTP/1 gets the shortest answer there is, and the connection ends.
 */
export class Visit implements WireEvents, Outgoing {
  readonly #host: Host;
  readonly #parser: RequestParser;
  #wire: BunWire | null = null;
  /** Null while no request is under way. */
  #reply: ServedReply | null = null;
  #body: ServedBody | null = null;
  #reading: "nothing yet" | "head" | "body" | "whole" = "nothing yet";
  /** Requests that were answered. */
  #answers = 0;
  /** What came behind the request that is being answered. */
  #behind: Buffer | null = null;
  /** Since when it is read, waited for, or taken leave of: milliseconds of `performance`. */
  #since = performance.now();
  /** When the client last took something. */
  #took = 0;
  #paused = false;
  #ending = false;
  #closed = false;

  constructor(host: Host, llhttp: Llhttp) {
    this.#host = host;
    this.#parser = new RequestParser(llhttp);
  }

  get persists(): boolean {
    return this.#parser.keepAlive && !this.#parser.upgrade && !this.#host.draining;
  }

  /** Nothing is under way. @param late a head that has begun does not count any more */
  isUnused(late: boolean): boolean {
    if (this.#reply !== null || this.#ending || this.#wire?.drained !== true) return false;
    return late || this.#reading === "nothing yet";
  }

  /** Looks whether a time is up. @param now milliseconds of `performance` */
  check(now: number): void {
    const spent = now - this.#since;
    if (this.#wire?.drained === false) {
      if (now - this.#took > limits.stall) this.close();
    } else if (this.#ending) {
      if (spent > limits.rest) this.#wire?.end();
    } else if (this.#reading === "nothing yet" && this.#answers > 0) {
      if (spent > limits.idle) this.end();
    } else if (this.#reading === "nothing yet" || this.#reading === "head") {
      if (spent > limits.head) this.#refuse("408 Request Timeout");
    } else if (this.#reading === "body") {
      const isLate = this.#reply === null ? limits.rest : limits.request;
      if (spent > isLate) this.#giveUp();
    }
  }

  close(): void {
    if (this.#closed) return;
    this.#wire?.terminate();
    this.lost();
  }

  opened(wire: BunWire): void {
    this.#wire = wire;
  }

  unreached(): void {
    // It came to us.
  }

  received(bytes: Buffer): void {
    if (this.#ending || this.#closed) return;
    if (!this.#isBusy) this.#read(bytes);
    else {
      this.#behind = this.#behind === null ? bytes : Buffer.concat([this.#behind, bytes]);
      this.#flow();
    }
  }

  /** The client has taken something of what waits for it. */
  moved(): void {
    this.#took = performance.now();
  }

  roomAgain(): void {
    if (this.#closed) return;
    if (this.#reply !== null) this.#reply.roomAgain();
    else {
      this.#since = performance.now();
      this.#goOn();
    }
  }

  /**
   * The client sends nothing more: whoever leaves so early wants no answer. What was written still
   * goes out.
   */
  sentAll(): void {
    const reply = this.#reply;
    const isCut =
      this.#reading === "head" || (this.#reading === "body" && reply?.started === false);
    if (isCut && !this.#ending) this.#refuse("400 Bad Request");
    this.#reply = null;
    this.end();
    if (!this.#closed) this.#wire?.end();
    reply?.lose();
    this.#body?.lose();
  }

  lost(): void {
    if (this.#closed) return;
    this.#closed = true;
    const reply = this.#reply;
    this.#reply = null;
    this.#behind = null;
    if (this.#wire !== null) this.#host.gone(this.#wire);
    this.#body?.lose();
    reply?.lose();
    this.#parser.free();
  }

  send(head: string, body: Uint8Array | null): boolean {
    const wire = this.#wire;
    if (wire === null || this.#closed) return true;
    const wasDrained = wire.drained;
    wire.send(head, body);
    if (wire.drained) return true;
    if (wasDrained) this.#took = performance.now();
    return false;
  }

  answered(persists: boolean): void {
    if (this.#closed) return;
    this.#reply = null;
    this.#answers++;
    if (!persists) this.end();
    else if (this.#reading === "whole") this.#next();
    else {
      this.#since = performance.now();
      this.#body?.leave();
      this.#flow();
    }
  }

  brokenOff(hard: boolean): void {
    if (this.#closed) return;
    this.#reply = null;
    if (hard) this.close();
    else this.end();
  }

  /**
   * Takes leave: what was sent still goes out, nothing more is answered. A client that is still
   * sending gets a moment: the system answers bytes that nobody reads with a reset, which would
   * take the answer away from it.
   */
  end(): void {
    if (this.#ending || this.#closed) return;
    this.#ending = true;
    this.#since = performance.now();
    this.#behind = null;
    if (this.#reading !== "head" && this.#reading !== "body") this.#wire?.end();
    else if (this.#paused) this.#wire?.resume();
  }

  /** What comes has to wait: for an answer, or until an answer has been taken. */
  get #isBusy(): boolean {
    if (this.#reading === "nothing yet") return this.#wire?.drained === false;
    return this.#reading === "whole";
  }

  #read(bytes: Buffer): void {
    const parser = this.#parser;
    if (this.#reading === "nothing yet") {
      this.#reading = "head";
      this.#since = performance.now();
    }
    for (let at = 0; at < bytes.length; at += pageSize) {
      const page = bytes.length <= pageSize ? bytes : bytes.subarray(at, at + pageSize);
      const progress = parser.read(page);
      if (progress === "broken") {
        this.#misread();
        return;
      }
      const begins = this.#reading === "head" && parser.headed;
      if (begins) this.#body = this.#bodyOf(parser);
      const body = this.#body;
      const { pieces } = parser;
      for (let i = 0; i + 1 < pieces.length; i += 2)
        body?.push(page.subarray(pieces[i], pieces[i + 1]));
      // Whoever reads it may have ended all this.
      if (this.#ending || this.#closed) return;
      if (progress === "complete") {
        this.#reading = "whole";
        if (at + parser.used < bytes.length) this.#behind = bytes.subarray(at + parser.used);
        body?.end();
        if (begins) this.#begin();
        else if (this.#reply === null) this.#next();
        this.#flow();
        return;
      }
      if (begins) {
        this.#reading = "body";
        this.#begin();
        if (this.#ending || this.#closed) return;
      }
    }
    if (this.#reply === null && (this.#body?.dropped ?? 0) > limits.dropped) this.#giveUp();
    this.#flow();
  }

  #bodyOf({ headers }: RequestParser): ServedBody | null {
    const changed = (): void => this.#flow();
    if (fieldOf(headers, "transfer-encoding") !== null) return new ServedBody(null, changed);
    const length = Number(fieldOf(headers, "content-length") ?? 0);
    return length === 0 ? null : new ServedBody(length, changed);
  }

  #begin(): void {
    const { method, target, headers, current } = this.#parser;
    const reply = new ServedReply(this, method, current);
    this.#reply = reply;
    const host = fieldOf(headers, "host");
    // HTTP/1.0 knows none (RFC 9110 section 10.1.1).
    const expected = current ? fieldOf(headers, "expect") : null;
    const refused = refusedHead(headers);
    if (method === "CONNECT" || refused === 501) this.#refuse("501 Not Implemented");
    else if (refused === 400 || (host === null && current)) this.#refuse("400 Bad Request");
    else if (expected !== null && expected.toLowerCase() !== "100-continue") {
      this.#refuse("417 Expectation Failed");
    } else {
      if (expected !== null && this.#reading === "body") {
        this.send("HTTP/1.1 100 Continue\r\n\r\n", null);
      }
      const body = this.#body;
      this.#host.serve({ method, target, headers, body, peer: null, scheme: "http", reply });
    }
  }

  /** The next request, of which something may be here already. */
  #next(): void {
    this.#parser.next();
    this.#body = null;
    this.#reading = "nothing yet";
    this.#since = performance.now();
    if (this.#behind === null) this.#flow();
    else if (!this.#isBusy) queueMicrotask(() => this.#goOn());
  }

  #goOn(): void {
    const bytes = this.#behind;
    if (bytes === null || this.#closed || this.#ending || this.#isBusy) return;
    this.#behind = null;
    try {
      this.#read(bytes);
      this.#flow();
    } catch (error) {
      this.#host.failed(error);
      this.close();
    }
  }

  /** Reads no faster than what is read is used. */
  #flow(): void {
    if (this.#closed || this.#ending || this.#wire === null) return;
    const behind = this.#behind?.length ?? 0;
    const paused = behind >= limits.behind || this.#body?.isFull === true;
    if (paused === this.#paused) return;
    this.#paused = paused;
    if (paused) this.#wire.pause();
    else this.#wire.resume();
  }

  #misread(): void {
    const reply = this.#reply;
    const isHead = this.#reading === "head";
    const { tooLarge } = this.#parser;
    // What follows something that is no HTTP is not worth waiting for.
    if (!tooLarge) this.#reading = "whole";
    if (!isHead && reply === null) this.end();
    else if (!isHead && reply?.started === true) this.close();
    else this.#refuse(tooLarge ? "431 Request Header Fields Too Large" : "400 Bad Request");
  }

  /** The request takes too long, or its rest is too long to wait for. */
  #giveUp(): void {
    const reply = this.#reply;
    if (reply === null) this.end();
    else if (reply.started) this.close();
    else this.#refuse("408 Request Timeout");
  }

  /** For what is no request, or none that we take. */
  #refuse(status: string): void {
    const reply = this.#reply;
    this.#reply = null;
    this.send(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`, null);
    this.end();
    reply?.lose();
    this.#body?.lose();
  }
}
