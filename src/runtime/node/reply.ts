import {
  STATUS_CODES,
  validateHeaderName,
  validateHeaderValue,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { TLSSocket } from "node:tls";
import type { RawHeaders, Reply } from "../../gateway/exchange.ts";

/** Milliseconds in which the last bytes of a broken answer must leave. */
const farewellLimit = 5000;

/** Milliseconds in which a client must take something of what waits for it, before it is given up. */
const defaultStallLimit = 120_000;

/**
 * A place for an answer on Node. Headers go out as given: order, case, duplicates, no Date. What Node adds is framing alone:
 * `Transfer-Encoding: chunked` when there is a body and no Content-Length (HTTP/1.1; for 1.0 the connection's end is the
 * body's), and a Connection field where the default of the client's HTTP version does not hold.
 */
export function createReply(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  stallLimit: number = defaultStallLimit,
): Reply {
  let goneCallback: (() => void) | null = null;
  let drainCallback: (() => void) | null = null;
  let gone = false;
  let aborted = false;
  let framed = false;
  let listening = false;
  let stall: NodeJS.Timeout | null = null;

  outgoing.sendDate = false;
  outgoing.on("error", ignore);
  outgoing.on("close", () => {
    if (stall !== null) clearInterval(stall);
    if (outgoing.writableFinished || gone) return;
    gone = true;
    goneCallback?.();
  });

  const head = (status: number, reason: string, headers: RawHeaders): void => {
    if (outgoing.headersSent || outgoing.destroyed) return;
    framed = headers.some((name, i) => i % 2 === 0 && isContentLength(name));
    if (persists(incoming, outgoing)) outgoing.removeHeader("connection");
    try {
      outgoing.writeHead(status, reason, [...headers]);
    } catch {
      outgoing.writeHead(status, safeReason(status, reason), sendable(headers));
    }
  };

  /** Bytes that wait and do not move are a client that will not read; TCP alone would wait for ever. */
  const watchStall = (): void => {
    let left = outgoing.writableLength;
    stall ??= setInterval(() => {
      if (outgoing.writableLength >= left && outgoing.writableNeedDrain) outgoing.destroy();
      left = outgoing.writableLength;
    }, stallLimit).unref();
  };

  return {
    send(status, reason, headers, body) {
      head(status, reason, headers);
      if (outgoing.destroyed) return;
      // With the body in end() Node corks the socket: head and body leave in one write.
      if (body === null || body.length === 0) outgoing.end();
      else outgoing.end(body);
    },
    head(status, reason, headers) {
      head(status, reason, headers);
      // The client sees the head now, not with the first byte of a body that may take its time.
      if (!outgoing.destroyed) process.nextTick(flushHead, outgoing);
    },
    write(chunk) {
      if (aborted || outgoing.destroyed || outgoing.writableEnded) return true;
      if (outgoing.write(chunk)) return true;
      watchStall();
      if (!listening) {
        listening = true;
        outgoing.on("drain", () => {
          if (stall !== null) clearInterval(stall);
          stall = null;
          drainCallback?.();
        });
      }
      return false;
    },
    end(trailers) {
      if (aborted || outgoing.destroyed) return;
      if (trailers !== undefined && trailers.length > 0) outgoing.addTrailers(pairs(trailers));
      outgoing.end();
    },
    abort() {
      if (aborted) return;
      aborted = true;
      breakOff(outgoing, framed || incoming.httpVersion === "1.1");
    },
    onDrain(callback) {
      drainCallback = callback;
    },
    onGone(callback) {
      goneCallback = callback;
      if (gone) callback();
    },
    get started() {
      return outgoing.headersSent;
    },
  };
}

const ignore = (): void => undefined;

function flushHead(outgoing: ServerResponse): void {
  // Not flushHeaders(): it writes the head as UTF-8, and a byte above 0x7F becomes two.
  if (!outgoing.destroyed && !outgoing.writableEnded) outgoing.write("", "latin1");
}

/** HTTP/1.1 connections persist unless somebody says otherwise: no field is needed to say that they do. */
function persists(incoming: IncomingMessage, outgoing: ServerResponse): boolean {
  return incoming.httpVersion === "1.1" && outgoing.shouldKeepAlive;
}

/**
 * What was written still goes out. With a length or chunks the missing rest tells the client that this is not all; where
 * the connection's end is the body's (HTTP/1.0), only a reset does, or TLS without its farewell.
 */
function breakOff(outgoing: ServerResponse, framed: boolean): void {
  const { socket } = outgoing;
  if (socket === null) {
    // Still behind another answer on this connection.
    outgoing.destroy();
  } else if (!framed) {
    if (socket instanceof TLSSocket) socket.destroy();
    else socket.resetAndDestroy();
  } else {
    socket.destroySoon();
    const timer = setTimeout(() => socket.destroy(), farewellLimit).unref();
    socket.once("close", () => clearTimeout(timer));
  }
}

function isContentLength(name: string): boolean {
  return name.length === 14 && name.toLowerCase() === "content-length";
}

function safeReason(status: number, reason: string): string {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(reason) ? reason : (STATUS_CODES[status] ?? "");
}

/** What Node refuses to write (a control character in a value) is left out, so that the rest arrives. */
function sendable(headers: RawHeaders): string[] {
  const out: string[] = [];
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] ?? "";
    const value = headers[i + 1] ?? "";
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
      out.push(name, value);
    } catch {
      // Left out.
    }
  }
  return out;
}

function pairs(headers: RawHeaders): [string, string][] {
  const out: [string, string][] = [];
  for (let i = 0; i + 1 < headers.length; i += 2)
    out.push([headers[i] ?? "", headers[i + 1] ?? ""]);
  return out;
}
