import type { RawHeaders } from "../../../http/types.ts";
import {
  STATUS_CODES,
  validateHeaderName,
  validateHeaderValue,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { TLSSocket } from "node:tls";
import type { Reply } from "../../../gateway/exchange/exchange.ts";
import { fieldOf, plainText } from "../../../gateway/exchange/headers.ts";
import { limits } from "./server-limits.ts";

/** Milliseconds in which the last bytes of an aborted answer must be sent. */
const flushLimit = 5000;

/**
 * The answer to a request on Node. Headers go out as given: order, case, duplicates, no Date. Node
 * adds nothing but framing: `Transfer-Encoding: chunked` when there is a body and no Content-Length
 * (HTTP/1.1; in 1.0 the connection's end is the body's), and a Connection field where the default
 * of the client's HTTP version does not hold.
 */
export class NodeReply implements Reply {
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;
  readonly #stallLimit: number;
  readonly #goneCallbacks: (() => void)[] = [];
  readonly #drainCallbacks: (() => void)[] = [];
  #gone = false;
  #aborted = false;
  #headers: RawHeaders = [];
  #listening = false;
  #stall: NodeJS.Timeout | null = null;

  /** @param closed called once, when the answer has ended or failed */
  constructor(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    closed: () => void = ignore,
    stallLimit: number = limits.stall,
  ) {
    this.#incoming = incoming;
    this.#outgoing = outgoing;
    this.#stallLimit = stallLimit;
    outgoing.sendDate = false;
    outgoing.on("error", ignore);
    outgoing.on("close", () => {
      closed();
      this.#closed();
    });
  }

  get started(): boolean {
    return this.#outgoing.headersSent;
  }

  send(status: number, reason: string, headers: RawHeaders, body: Uint8Array | null): void {
    this.#head(status, reason, headers);
    if (this.#outgoing.destroyed) return;
    // With the body in end(), head and body are sent in one write.
    this.#finish(body === null || body.length === 0 ? null : body);
  }

  head(status: number, reason: string, headers: RawHeaders): void {
    this.#head(status, reason, headers);
    // The client gets the head now, not with the first byte of a body that may take long.
    if (!this.#outgoing.destroyed) process.nextTick(flushHead, this.#outgoing);
  }

  write(chunk: Uint8Array): boolean {
    const outgoing = this.#outgoing;
    if (this.#aborted || outgoing.destroyed || outgoing.writableEnded) return true;
    if (outgoing.write(chunk)) return true;
    this.#watchStall();
    if (!this.#listening) {
      this.#listening = true;
      outgoing.on("drain", () => {
        this.#stopStall();
        for (const callback of this.#drainCallbacks) callback();
      });
    }
    return false;
  }

  end(trailers?: RawHeaders): void {
    if (this.#aborted || this.#outgoing.destroyed) return;
    if (trailers !== undefined && trailers.length > 0)
      this.#outgoing.addTrailers(toPairs(listSendable(trailers)));
    this.#finish(null);
  }

  abort(): void {
    if (this.#aborted) return;
    this.#aborted = true;
    const framed = fieldOf(this.#headers, "content-length") !== null;
    closeIncomplete(this.#outgoing, framed || this.#incoming.httpVersion === "1.1");
  }

  onDrain(callback: () => void): void {
    this.#drainCallbacks.push(callback);
  }

  onGone(callback: () => void): void {
    if (this.#gone) callback();
    else this.#goneCallbacks.push(callback);
  }

  #head(status: number, reason: string, headers: RawHeaders): void {
    const outgoing = this.#outgoing;
    if (outgoing.headersSent || outgoing.destroyed) return;
    this.#headers = headers;
    if (persists(this.#incoming, outgoing)) outgoing.removeHeader("connection");
    try {
      outgoing.writeHead(status, reason, Array.isArray(headers) ? headers : [...headers]);
    } catch {
      try {
        outgoing.writeHead(status, toSafeReason(status, reason), listSendable(headers));
      } catch {
        // The status is invalid, so nothing can be sent.
        outgoing.destroy();
      }
    }
  }

  /** Ends the answer. From now on, the client must take the remaining bytes in time. */
  #finish(body: Uint8Array | null): void {
    const outgoing = this.#outgoing;
    if (body === null) outgoing.end();
    else if (body.length <= SHORT_BODY) outgoing.end(toLatin1(body), "latin1");
    else outgoing.end(body);
    this.#stopStall();
    if (outgoing.writableLength > 0) this.#watchStall();
  }

  #closed(): void {
    this.#stopStall();
    if (this.#outgoing.writableFinished || this.#gone) return;
    this.#gone = true;
    for (const callback of this.#goneCallbacks) callback();
  }

  #stopStall(): void {
    if (this.#stall !== null) clearInterval(this.#stall);
    this.#stall = null;
  }

  /** Bytes that keep waiting mean that the client does not read. TCP alone would wait for ever. */
  #watchStall(): void {
    const outgoing = this.#outgoing;
    let left = countWaiting(outgoing);
    this.#stall ??= setInterval(() => {
      const now = countWaiting(outgoing);
      const isHeld = outgoing.writableEnded ? now > 0 : outgoing.writableNeedDrain;
      if (isHeld && Number.isFinite(now) && now >= left) outgoing.destroy();
      left = now;
    }, this.#stallLimit).unref();
  }
}

/**
 * Bodies of up to so many bytes are written as strings, because Node joins a head and a body that are
 * both strings. A rewritten message then takes a tenth less CPU time than with a buffer.
 */
const SHORT_BODY = 8192;

/**
 * Converts bytes to a string with one character for each. Node writes it as latin1, which gives the
 * same bytes.
 */
function toLatin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}

const ignore = (): void => undefined;

/**
 * Counts the bytes that the system has not accepted yet, those in libuv's queue included; infinite
 * once the answer was sent.
 */
function countWaiting(outgoing: ServerResponse): number {
  const { socket } = outgoing;
  if (socket === null) return Number.POSITIVE_INFINITY;
  const handle: unknown = Reflect.get(socket, "_handle");
  if (typeof handle !== "object" || handle === null) return outgoing.writableLength;
  const queued: unknown = Reflect.get(handle, "writeQueueSize");
  return outgoing.writableLength + (typeof queued === "number" ? queued : 0);
}

function flushHead(outgoing: ServerResponse): void {
  // Not flushHeaders(): it writes the head as UTF-8, and a byte above 0x7F becomes two.
  if (!outgoing.destroyed && !outgoing.writableEnded) outgoing.write("", "latin1");
}

/** HTTP/1.1 connections persist by default, so no field is needed. */
function persists(incoming: IncomingMessage, outgoing: ServerResponse): boolean {
  return incoming.httpVersion === "1.1" && outgoing.shouldKeepAlive;
}

/**
 * Closes the connection, so that the client notices that the answer is incomplete. If the answer has
 * a length or chunks, the missing rest shows it, and the written bytes are still sent. If the end of
 * the connection ends the body (HTTP/1.0), only a reset shows it, or TLS without `close_notify`.
 */
function closeIncomplete(outgoing: ServerResponse, framed: boolean): void {
  const { socket } = outgoing;
  if (socket === null) {
    // The answer has already released its connection.
    outgoing.destroy();
  } else if (!framed) {
    if (socket instanceof TLSSocket) socket.destroy();
    else socket.resetAndDestroy();
  } else {
    socket.destroySoon();
    const timer = setTimeout(() => socket.destroy(), flushLimit).unref();
    socket.once("close", () => clearTimeout(timer));
  }
}

function toSafeReason(status: number, reason: string): string {
  return plainText.test(reason) ? reason : (STATUS_CODES[status] ?? "");
}

/** Drops fields that Node refuses (a control character in a value), so that the rest is sent. */
function listSendable(headers: RawHeaders): string[] {
  const out: string[] = [];
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] ?? "";
    const value = headers[i + 1] ?? "";
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
      out.push(name, value);
    } catch {
      // The field is left out.
    }
  }
  return out;
}

function toPairs(headers: RawHeaders): [string, string][] {
  const out: [string, string][] = [];
  for (let i = 0; i + 1 < headers.length; i += 2)
    out.push([headers[i] ?? "", headers[i + 1] ?? ""]);
  return out;
}
