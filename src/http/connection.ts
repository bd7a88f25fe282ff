import type { Socket } from "node:net";
import { AnswerParser } from "./answer-parser.ts";
import type { Connect } from "./connect.ts";
import { type Llhttp, pageSize } from "./llhttp.ts";
import { type PendingRequest, valueOf } from "./request.ts";
import type { Failure, RawHeaders } from "./types.ts";
import { Upload } from "./upload.ts";

/** Called for what a pool has to know of its connections. */
export interface ConnectionEvents {
  /** It can take the next request. */
  free(connection: Connection): void;
  /** The upstream closed it before it sent anything for this request, or while there was none. */
  closedByUpstream(connection: Connection): void;
  gone(connection: Connection): void;
  /** Turns the error of a request's body into the failure of its request. */
  uploadFailed(error: unknown): Failure;
}

/**
 * One connection to an upstream, for one request at a time. Whatever is out of order closes it:
 * unasked bytes, an answer that is no HTTP, one that came before its request was all sent. What was
 * sent is never sent again.
 */
export class Connection {
  /** Milliseconds on the clock of `performance`, when it became free last. */
  freeSince: number = Number.NEGATIVE_INFINITY;
  /** Milliseconds that the upstream keeps it when it is free; null when it did not say. */
  keptFor: number | null = null;
  readonly #parser: AnswerParser;
  readonly #events: ConnectionEvents;
  #socket: Socket | null = null;
  #request: PendingRequest | null = null;
  #upload: Upload | null = null;
  /** The receiver has the answer's head. */
  #answered = false;
  /** It can't be known to be clean after this request. */
  #last = false;
  /** The upstream will send nothing more. */
  #ended = false;
  #closed = false;
  #paused = false;

  constructor(llhttp: Llhttp, events: ConnectionEvents) {
    this.#parser = new AnswerParser(llhttp);
    this.#events = events;
  }

  /** Connects, and then sends this request. */
  open(request: PendingRequest, connect: Connect): void {
    this.#request = request;
    request.connection = this;
    connect((socket, failure) => {
      if (socket === null) this.#fail(failure);
      else this.#opened(socket);
    }, this.#receive);
  }

  /** False: it is closed, or another request is on it. */
  get isFree(): boolean {
    return !this.#closed && this.#request === null && this.#socket !== null;
  }

  /** @returns false when it can't be written to any more: nothing has left */
  send(request: PendingRequest): boolean {
    const socket = this.#socket;
    if (socket === null || socket.destroyed || !this.isFree) return false;
    this.#request = request;
    request.connection = this;
    this.#write(socket, request);
    return true;
  }

  /** Its request no longer wants an answer. */
  abandon(request: PendingRequest): void {
    if (this.#request !== request) return;
    this.#request = null;
    // One that is still being opened serves the next.
    if (this.#socket !== null) this.close();
  }

  /** Breaks off what is under way. */
  breakOff(): void {
    this.#fail({ kind: "broken", detail: "closed on our side", sent: this.#socket !== null });
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#upload?.stop();
    this.#socket?.destroy();
    this.#parser.free();
    this.#events.gone(this);
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

  #opened(socket: Socket): void {
    if (this.#closed) {
      socket.destroy();
      return;
    }
    this.#socket = socket;
    socket.on("end", () => this.#endedByUpstream());
    socket.on("close", () => this.#lost());
    socket.on("drain", () => this.#upload?.drained());
    const request = this.#request;
    if (request !== null) this.#write(socket, request);
    else {
      socket.unref();
      this.#events.free(this);
    }
  }

  /** @param lent the buffer is used again after this call */
  readonly #receive = (bytes: Buffer, lent: boolean): void => {
    for (let at = 0; at < bytes.length; at += pageSize) {
      const request = this.#request;
      if (this.#closed) return;
      if (request === null) {
        this.close();
        return;
      }
      const piece = bytes.length <= pageSize ? bytes : bytes.subarray(at, at + pageSize);
      if (this.#read(request, piece, lent, at + piece.length === bytes.length)) return;
    }
  };

  #endedByUpstream(): void {
    this.#ended = true;
    // Nobody waits for it to read what it has yet to be sent.
    if (this.#request === null || !this.#paused) this.#lost();
  }

  /** Nothing follows. */
  #lost(): void {
    if (this.#closed) return;
    const request = this.#request;
    const isWhole = request !== null && this.#answered && this.#ended && this.#parser.finish();
    const began = request !== null && this.#parser.headers.length > 0;
    if (!began) this.#events.closedByUpstream(this);
    if (!isWhole) this.#fail(began ? brokenOff : closedEarly);
    else {
      this.#request = null;
      this.close();
      request.ended(noTrailers);
    }
  }

  #fail(failure: Failure): void {
    const request = this.#request;
    this.#request = null;
    this.close();
    request?.fail(failure);
  }

  #write(socket: Socket, request: PendingRequest): void {
    const { method, head, body } = request;
    const whole = body instanceof Uint8Array ? body : null;
    this.#parser.expect(method === "HEAD");
    this.#answered = false;
    this.#last = method === "HEAD" || (body !== null && !expectsBody.has(method));
    this.keptFor = null;
    request.sent = true;
    socket.ref();
    const bytes = Buffer.allocUnsafe(head.length + (whole?.length ?? 0));
    bytes.write(head, 0, "latin1");
    if (whole !== null) bytes.set(whole, head.length);
    socket.write(bytes);
    if (body !== null && !(body instanceof Uint8Array)) {
      const upload = new Upload(socket, body, () => request.moved());
      this.#upload = upload;
      void this.#run(upload);
    }
  }

  async #run(upload: Upload): Promise<void> {
    const failure = await upload.run().catch((error: unknown) => this.#events.uploadFailed(error));
    if (this.#upload !== upload || this.#closed) return;
    this.#upload = null;
    // The part of it that has left is worth nothing.
    if (failure !== null) this.#fail(failure);
  }

  /** @returns whether there is nothing more to read */
  #read(request: PendingRequest, bytes: Buffer, lent: boolean, isLast: boolean): boolean {
    const parser = this.#parser;
    const progress = parser.read(bytes);
    if (progress === "broken") {
      const { unreadable } = parser;
      const header = unreadable === null ? "" : `: the header ${unreadable} cannot be read`;
      this.#fail({ kind: "broken", detail: `not HTTP/1.1${header}`, sent: true });
      return true;
    }
    if (!this.#answered && parser.headed) {
      this.#answered = true;
      request.answered(parser.status, parser.reason, parser.headers);
    }
    const { pieces } = parser;
    for (let i = 0; i + 1 < pieces.length && this.#request === request; i += 2) {
      const piece = bytes.subarray(pieces[i], pieces[i + 1]);
      request.data(lent ? Buffer.from(piece) : piece);
    }
    if (this.#request !== request) return true;
    if (progress === "more") return false;
    this.#request = null;
    this.resume();
    const { headers, trailers } = parser;
    const hasMore = !isLast || parser.used !== bytes.length;
    const isSending = this.#upload !== null || this.#socket?.writableLength !== 0;
    if (hasMore || !parser.keepAlive || isSending || this.#last || this.#ended) this.close();
    else {
      this.keptFor = readPromisedTime(headers);
      parser.next();
      this.#socket?.unref();
      this.#events.free(this);
    }
    request.ended(trailers);
    return true;
  }
}

/**
 * Upstreams may ignore the body of other methods, and take it for the next request; and a body that
 * they wrongly send after the answer to a HEAD would be the next answer. Such a connection is not
 * used again.
 */
const expectsBody: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);

const noTrailers: RawHeaders = [];

const closedEarly: Failure = { kind: "broken", detail: "closed before its answer", sent: true };
const brokenOff: Failure = { kind: "broken", detail: "closed within its answer", sent: true };

/** Reads the promise of `Keep-Alive: timeout=5`, in milliseconds. */
function readPromisedTime(headers: RawHeaders): number | null {
  const promise = valueOf(headers, "keep-alive");
  const seconds = promise === null ? undefined : /timeout=(\d{1,6})/i.exec(promise)?.[1];
  return seconds === undefined ? null : Number(seconds) * 1000;
}
