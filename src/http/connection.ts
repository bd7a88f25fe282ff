import type { Socket } from "node:net";
import { AnswerParser } from "./answer-parser.ts";
import type { Connect } from "./connect.ts";
import { type Llhttp, pageSize } from "./llhttp.ts";
import { type PendingRequest, valueOf } from "./request.ts";
import type { Failure, RawHeaders } from "./types.ts";
import { Upload } from "./upload.ts";

/** Tells a pool about its connections. */
export interface ConnectionEvents {
  /** The connection can take the next request. */
  free(connection: Connection): void;
  /** The upstream closed the connection while it was idle, or before it answered anything. */
  closedByUpstream(connection: Connection): void;
  /** The connection is closed. */
  gone(connection: Connection): void;
  /** Turns the error of a request's body into the failure of its request. */
  toUploadFailure(error: unknown): Failure;
}

/**
 * One connection to an upstream, for one request at a time. Any irregularity closes it: unsolicited
 * bytes, an answer that is not HTTP, an answer before its request was sent completely. A
 * request that was sent is never sent again.
 */
export class Connection {
  /** When it last became free, in milliseconds of `performance.now()`. */
  freeSince: number = Number.NEGATIVE_INFINITY;
  /** Milliseconds for which the upstream keeps it open while idle; null if it did not say so. */
  keepAliveTimeout: number | null = null;
  readonly #parser: AnswerParser;
  readonly #events: ConnectionEvents;
  #socket: Socket | null = null;
  #request: PendingRequest | null = null;
  #upload: Upload | null = null;
  /** Whether the receiver has the answer's head. */
  #answered = false;
  /** Whether it is closed after this request, since bytes of an old body might be left on it. */
  #closesAfterRequest = false;
  /** Whether the upstream has ended its side. */
  #ended = false;
  #closed = false;
  #paused = false;

  constructor(llhttp: Llhttp, events: ConnectionEvents) {
    this.#parser = new AnswerParser(llhttp);
    this.#events = events;
  }

  /** Connects, then sends the request. */
  open(request: PendingRequest, connect: Connect): void {
    this.#request = request;
    request.connection = this;
    connect((socket, failure) => {
      if (socket === null) this.#fail(failure);
      else this.#opened(socket);
    }, this.#receive);
  }

  /** False while it is opening, has a request, or is closed. */
  get isFree(): boolean {
    return !this.#closed && this.#request === null && this.#socket !== null;
  }

  /** @returns false when it is closed, and nothing was sent */
  send(request: PendingRequest): boolean {
    const socket = this.#socket;
    if (socket === null || socket.destroyed || !this.isFree) return false;
    this.#request = request;
    request.connection = this;
    this.#write(socket, request);
    return true;
  }

  /** Detaches a request that no longer needs its answer. */
  abandon(request: PendingRequest): void {
    if (this.#request !== request) return;
    this.#request = null;
    // A connection that is still opening can serve the next request.
    if (this.#socket !== null) this.close();
  }

  /** Closes it, and fails its request. */
  abort(): void {
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

  /** @param lent true if the buffer is reused after this call */
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
    // A paused answer is ended by the close event, after its last bytes were read.
    if (this.#request === null || !this.#paused) this.#lost();
  }

  /** Ends the request, if any: an answer that has no length is complete now, others have failed. */
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
    this.#closesAfterRequest = method === "HEAD" || (body !== null && !expectsBody.has(method));
    this.keepAliveTimeout = null;
    request.sent = true;
    socket.ref();
    const bytes = Buffer.allocUnsafe(head.length + (whole?.length ?? 0));
    bytes.write(head, 0, "latin1");
    if (whole !== null) bytes.set(whole, head.length);
    socket.write(bytes);
    if (body !== null && !(body instanceof Uint8Array)) {
      const upload = new Upload(socket, body, request.length, () => request.moved());
      this.#upload = upload;
      void this.#run(upload);
    }
  }

  async #run(upload: Upload): Promise<void> {
    const failure = await upload
      .run()
      .catch((error: unknown) => this.#events.toUploadFailure(error));
    if (this.#upload !== upload || this.#closed) return;
    this.#upload = null;
    // The upstream has received only a part of the body.
    if (failure !== null) this.#fail(failure);
  }

  /** @returns true when nothing more is to be read for this request */
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
      this.#closesAfterRequest ||= hasMissingBody(parser.status, parser.headers);
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
    if (hasMore || !parser.keepAlive || isSending || this.#closesAfterRequest || this.#ended)
      this.close();
    else {
      this.keepAliveTimeout = readKeepAliveTimeout(headers);
      parser.next();
      this.#socket?.unref();
      this.#events.free(this);
    }
    request.ended(trailers);
    return true;
  }
}

/**
 * Methods whose body every upstream reads. After the body of another method the connection is closed,
 * because the upstream may take that body for the next request. It is also closed after HEAD, and
 * after a 204 or 304 that announces a body: if the upstream wrongly sends that body, it would be taken
 * for the next answer.
 */
const expectsBody: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);

/** True for an answer without a body (RFC 9110 section 6.4.1) whose fields announce one. */
function hasMissingBody(status: number, headers: RawHeaders): boolean {
  if (status !== 204 && status !== 304) return false;
  const length = valueOf(headers, "content-length");
  return (length !== null && length !== "0") || valueOf(headers, "transfer-encoding") !== null;
}

const noTrailers: RawHeaders = [];

const closedEarly: Failure = { kind: "broken", detail: "closed before its answer", sent: true };
const brokenOff: Failure = { kind: "broken", detail: "closed during its answer", sent: true };

/** Reads the seconds in `Keep-Alive: timeout=5`, in milliseconds. */
function readKeepAliveTimeout(headers: RawHeaders): number | null {
  const promise = valueOf(headers, "keep-alive");
  const seconds = promise === null ? undefined : /timeout=(\d{1,6})/i.exec(promise)?.[1];
  return seconds === undefined ? null : Number(seconds) * 1000;
}
