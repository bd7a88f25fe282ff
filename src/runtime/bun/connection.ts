import { isIP } from "node:net";
import type { RawHeaders } from "../../gateway/exchange.ts";
import type { TransportError } from "../../gateway/transport.ts";
import { AnswerParser } from "./answer-parser.ts";
import { type AnswerEvents, pageSize, type Parsing } from "./llhttp.ts";
import type { BunConnect, BunSocket, BunSocketHandlers } from "./sockets.ts";

/** Whose request is on a connection. */
export interface Carrying {
  readonly method: string;
  readonly body: Uint8Array | null;
  /** It waits for nothing any more. */
  readonly over: boolean;
  /** The request's head, one char per byte. @param host for a request that names none */
  headFor(host: string): string;
  /** Tells whose it is. */
  on(connection: Connection): void;
  answered(status: number, reason: string, headers: RawHeaders): void;
  data(bytes: Uint8Array): void;
  ended(trailers: RawHeaders): void;
  failed(error: TransportError): void;
  /** From now on bytes of it may have left. */
  sent(): void;
}

/** Who keeps connections. */
export interface Keeper {
  /** It can take the next request. */
  free(connection: Connection): void;
  gone(connection: Connection): void;
}

/** Where a connection leads. */
export interface Address {
  readonly hostname: string;
  /** As Host has it. */
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
}

/**
 * One connection to an upstream, for one request at a time. Whatever is out of order closes it: bytes that nobody asked for,
 * an answer that is no HTTP, one that came before its request was all sent. What was sent is never sent again.
 */
export class Connection {
  /** Milliseconds on the clock of `performance`, when it became free. */
  freeSince = 0;
  /** Milliseconds that the upstream keeps it when it is free; null when it did not say. */
  keptFor: number | null = null;
  readonly #parser: AnswerParser;
  readonly #keeper: Keeper;
  readonly #address: Address;
  #socket: BunSocket<Connection> | null = null;
  #carrying: Carrying | null = null;
  #rest: Buffer | null = null;
  #headTold = false;
  #ended = false;
  #closed = false;
  #paused = false;

  constructor(address: Address, keeper: Keeper, llhttp: (events: AnswerEvents) => Parsing) {
    this.#address = address;
    this.#parser = new AnswerParser(llhttp);
    this.#keeper = keeper;
  }

  /** Connects, and then sends this request. */
  open(carrying: Carrying, connect: BunConnect): void {
    const { hostname, port, secure } = this.#address;
    this.#carrying = carrying;
    carrying.on(this);
    // An address is no name to ask for (RFC 6066 section 3); the certificate is checked against it all the same.
    const named = isIP(hostname) === 0 ? { serverName: hostname } : {};
    const tls = { rejectUnauthorized: true, ALPNProtocols: onlyHttp1, ...named } as const;
    const place = { hostname, port, data: this, socket: handlers };
    // Some things it refuses at once.
    new Promise((resolve) => {
      resolve(connect(secure ? { ...place, tls } : place));
    }).catch((error: unknown) => this.#unreached(error));
  }

  /** False: it is closed, or another request is on it. */
  get isFree(): boolean {
    return !this.#closed && this.#carrying === null && this.#socket !== null;
  }

  /** @returns false when it can't be written to any more: nothing has left */
  carry(carrying: Carrying): boolean {
    if (!this.isFree) return false;
    this.#carrying = carrying;
    carrying.on(this);
    this.#send(carrying);
    return true;
  }

  /** Whose request it is no longer wants an answer. */
  abandon(carrying: Carrying): void {
    if (this.#carrying !== carrying) return;
    this.#carrying = null;
    // One that is still being opened serves the next.
    if (this.#socket !== null) this.close();
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#socket?.terminate();
    this.#parser.free();
    this.#keeper.gone(this);
  }

  pause(): void {
    if (this.#closed || this.#paused) return;
    this.#paused = true;
    this.#socket?.pause();
  }

  resume(): void {
    if (this.#closed || !this.#paused) return;
    this.#paused = false;
    this.#socket?.resume();
  }

  /** It is open, and with TLS also proved. */
  opened(socket: BunSocket<Connection>): void {
    if (this.#closed) {
      socket.terminate();
      return;
    }
    this.#socket = socket;
    const carrying = this.#carrying;
    if (carrying === null) this.#keeper.free(this);
    else this.#send(carrying);
  }

  greeted(socket: BunSocket<Connection>): void {
    if (!this.#address.secure) this.opened(socket);
  }

  shookHands(socket: BunSocket<Connection>, success: boolean, error: unknown): void {
    if (success && socket.authorized) this.opened(socket);
    else {
      this.#unreached(error);
      socket.terminate();
    }
  }

  /** The system has room again for what was not taken. */
  drained(): void {
    const rest = this.#rest;
    const socket = this.#socket;
    if (rest === null || socket === null || this.#closed) return;
    const taken = socket.write(rest, 0, rest.length);
    if (taken >= rest.length) this.#rest = null;
    else if (taken > 0) this.#rest = rest.subarray(taken);
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

  /** The upstream will send nothing more. */
  sentAll(): void {
    this.#ended = true;
    if (this.#carrying === null) this.close();
  }

  lost(): void {
    if (this.#closed) return;
    if (this.#socket === null) {
      this.#unreached(null);
      return;
    }
    const carrying = this.#carrying;
    this.#carrying = null;
    const { headers } = this.#parser;
    const whole = carrying !== null && this.#headTold && this.#ended && this.#parser.finish();
    this.close();
    if (carrying === null) return;
    if (whole) carrying.ended(none);
    else carrying.failed(headers.length > 0 ? brokenOff : closedEarly);
  }

  #unreached(error: unknown): void {
    const carrying = this.#carrying;
    this.#carrying = null;
    this.close();
    carrying?.failed({ kind: "unreachable", detail: codeOf(error), sent: false });
  }

  #send(carrying: Carrying): void {
    const { method, body } = carrying;
    const head = carrying.headFor(this.#address.host);
    const socket = this.#socket;
    if (socket === null) return;
    this.#parser.expect(method === "HEAD");
    this.#headTold = false;
    this.keptFor = null;
    const length = head.length + (body?.length ?? 0);
    const bytes = length <= scratch.length ? scratch : Buffer.allocUnsafe(length);
    bytes.write(head, 0, "latin1");
    if (body !== null) bytes.set(body, head.length);
    carrying.sent();
    const taken = Math.max(0, socket.write(bytes, 0, length));
    if (taken < length) this.#rest = Buffer.from(bytes.subarray(taken, length));
  }

  /** @returns whether there is nothing more to read */
  #read(carrying: Carrying, bytes: Buffer, isLast: boolean): boolean {
    const parser = this.#parser;
    const progress = parser.read(bytes);
    if (progress === "broken") {
      this.#carrying = null;
      this.close();
      carrying.failed(noHttp);
      return true;
    }
    if (!this.#headTold && parser.headed) {
      this.#headTold = true;
      carrying.answered(parser.status, parser.reason, parser.headers);
    }
    const { pieces } = parser;
    for (let i = 0; i + 1 < pieces.length && this.#carrying === carrying; i += 2) {
      carrying.data(bytes.subarray(pieces[i], pieces[i + 1]));
    }
    if (this.#carrying !== carrying) return true;
    if (progress === "more") return false;
    this.#carrying = null;
    this.resume();
    const more = !isLast || parser.used !== bytes.length;
    if (more || !parser.keepAlive || this.#rest !== null || this.#ended) this.close();
    else {
      this.keptFor = promisedTime(parser.headers);
      this.#keeper.free(this);
    }
    carrying.ended(parser.trailers);
    return true;
  }
}

const handlers: BunSocketHandlers<Connection> = {
  binaryType: "buffer",
  open: (socket) => socket.data.greeted(socket),
  handshake: (socket, success, error) => socket.data.shookHands(socket, success, error),
  data: (socket, bytes) => socket.data.received(bytes),
  drain: (socket) => socket.data.drained(),
  end: (socket) => socket.data.sentAll(),
  close: (socket) => socket.data.lost(),
  error: (socket) => socket.data.lost(),
  // The promise of `connect` says the same.
  connectError: () => undefined,
};

/** As it goes over the wire, its length first (RFC 7301 section 3.1). */
const onlyHttp1 = "\x08http/1.1";

/** What goes out at once is put together here: the system has taken it before the next request is written. */
const scratch = Buffer.allocUnsafe(65_536);

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
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] ?? "";
    if (name.length !== 10 || name.toLowerCase() !== "keep-alive") continue;
    const seconds = /timeout=(\d{1,6})/i.exec(headers[i + 1] ?? "")?.[1];
    return seconds === undefined ? null : Number(seconds) * 1000;
  }
  return null;
}

/** A code says what it was; a message may quote what must not be logged. */
function codeOf(error: unknown): string {
  if (typeof error === "object" && error !== null && "code" in error) {
    if (typeof error.code === "string") return error.code;
  }
  return error instanceof Error ? error.name : "closed before it was open";
}
