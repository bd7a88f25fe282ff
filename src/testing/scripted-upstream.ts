import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { createMessageReader, listFieldValues, type HttpMessage } from "./http-message.ts";

/** A request as the scripted upstream saw it. Grows until `complete`. */
export interface RecordedRequest extends HttpMessage {
  readonly method: string;
  readonly target: string;
  /** Which connection it came on, counted from 1. */
  readonly connection: number;
}

/** Bytes to write; text is UTF-8. An async iterable may wait, or throw to break the connection. */
export type ScriptedBody =
  | string
  | Uint8Array
  | AsyncIterable<string | Uint8Array>
  | Iterable<string | Uint8Array>;

/** The upstream's answer: a described answer, or bytes exactly as written. */
export type ScriptedAnswer =
  | {
      /** Default 200. */
      readonly status?: number;
      /** Latin-1. Default "OK". */
      readonly reason?: string;
      /**
       * name, value, … written exactly so, Latin-1. With `Transfer-Encoding` among them the body is
       * sent in chunks (one per piece); with neither that nor `Content-Length`, a string or byte
       * body gets a `content-length` after them.
       */
      readonly headers?: readonly string[];
      readonly body?: ScriptedBody;
      /** Sent after a chunked body. */
      readonly trailers?: readonly string[];
      /** Closes the connection after the answer. */
      readonly close?: boolean;
    }
  | { readonly raw: ScriptedBody; readonly close?: boolean };

export interface ScriptedUpstreamOptions {
  /** Answers each request. Default: 200 with the body `{}`. */
  readonly handler?: (request: RecordedRequest) => ScriptedAnswer | Promise<ScriptedAnswer>;
  /** When to call `handler`: on the head, or (default) once the whole request has arrived. */
  readonly answerOn?: "head" | "complete";
  /** Takes a connection over from its first byte; `handler` is then not used. */
  readonly onConnection?: (socket: Socket) => void;
  /** PEM texts: the upstream then speaks TLS. */
  readonly tls?: { readonly key: string; readonly cert: string };
  /** Default 127.0.0.1. */
  readonly host?: string;
}

export interface ScriptedUpstream {
  readonly port: number;
  /** `http://127.0.0.1:PORT`, or https. */
  readonly origin: string;
  /** Every request whose head arrived, in order, byte for byte. */
  readonly requests: readonly RecordedRequest[];
  /** Connections accepted so far. */
  readonly connections: number;
  /** Connections open now. */
  readonly open: number;
  /** Resolves once no connection is open. */
  idle(): Promise<void>;
  /** Breaks every connection off and stops listening. */
  close(): Promise<void>;
}

/**
 * A server for tests that sends exactly what its script says, including what no HTTP library would
 * send, and records exactly what it received.
 *
 * @example
 * const upstream = await startScriptedUpstream({
 *   handler: () => ({ status: 200, reason: "D\u00e9j\u00e0 vu", headers: ["X-Odd", "1", "x-odd",
 *   "2"], body: "{}" }),
 * });
 */
export async function startScriptedUpstream(
  options: ScriptedUpstreamOptions = {},
): Promise<ScriptedUpstream> {
  const requests: RecordedRequest[] = [];
  const sockets = new Set<Socket>();
  const waiting: (() => void)[] = [];
  let connections = 0;

  const server = listenerFor(options, (socket) => {
    const connection = ++connections;
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => {
      sockets.delete(socket);
      if (sockets.size === 0) for (const resolve of waiting.splice(0)) resolve();
    });
    if (options.onConnection !== undefined) options.onConnection(socket);
    else serveConnection(socket, connection, options, (request) => requests.push(request));
  });
  await new Promise<void>((resolve) =>
    server.listen(0, options.host ?? "127.0.0.1", () => resolve()),
  );
  const { port } = addressOf(server);

  return {
    port,
    origin: `${options.tls === undefined ? "http" : "https"}://127.0.0.1:${port}`,
    requests,
    get connections() {
      return connections;
    },
    get open() {
      return sockets.size;
    },
    idle: () =>
      sockets.size === 0
        ? Promise.resolve()
        : new Promise<void>((resolve) => {
            waiting.push(resolve);
          }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function listenerFor({ tls }: ScriptedUpstreamOptions, onSocket: (socket: Socket) => void): Server {
  if (tls === undefined) return createServer({ noDelay: true }, onSocket);
  return createTlsServer({ ...tls, ALPNProtocols: ["http/1.1"] }, onSocket);
}

function addressOf(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("not listening on TCP");
  return address;
}

function serveConnection(
  socket: Socket,
  connection: number,
  options: ScriptedUpstreamOptions,
  record: (request: RecordedRequest) => void,
): void {
  const seen = new Map<HttpMessage, RecordedRequest>();
  let queue: Promise<void> = Promise.resolve();

  // Answers leave in the order of their requests.
  const answerAfter = async (previous: Promise<void>, request: RecordedRequest): Promise<void> => {
    await previous;
    const scripted = (await options.handler?.(request)) ?? { body: "{}" };
    await writeAnswer(socket, request, scripted);
  };

  const answer = (message: HttpMessage): void => {
    const request = seen.get(message);
    if (request === undefined) return;
    queue = answerAfter(queue, request);
    // Bytes that were written before the script broke off still arrive.
    queue.catch(() => socket.destroySoon());
  };

  const reader = createMessageReader({
    onHead(message) {
      const request = toRecord(message, connection);
      seen.set(message, request);
      record(request);
      if (options.answerOn === "head") answer(message);
    },
    onMessage(message) {
      if (options.answerOn !== "head") answer(message);
    },
  });
  socket.on("data", (bytes) => {
    try {
      reader.push(bytes);
    } catch {
      socket.destroy();
    }
  });
}

function toRecord(message: HttpMessage, connection: number): RecordedRequest {
  const [method = "", target = ""] = message.startLine.split(" ");
  return {
    method,
    target,
    connection,
    startLine: message.startLine,
    headers: message.headers,
    head: message.head,
    chunks: message.chunks,
    trailers: message.trailers,
    get body() {
      return message.body;
    },
    get complete() {
      return message.complete;
    },
  };
}

async function writeAnswer(
  socket: Socket,
  request: RecordedRequest,
  answer: ScriptedAnswer,
): Promise<void> {
  if ("raw" in answer) {
    for await (const piece of streamPieces(answer.raw)) await write(socket, piece);
    if (answer.close === true) socket.end();
    return;
  }
  const { status = 200, reason = "OK", headers = [], body = "", trailers = [] } = answer;
  const chunked = listFieldValues(headers, "transfer-encoding").length > 0;
  const framed = chunked || listFieldValues(headers, "content-length").length > 0;
  const whole = typeof body === "string" || body instanceof Uint8Array;
  const silent = request.method === "HEAD" || status === 204 || status === 304;
  const length =
    !framed && whole && !silent ? ["content-length", String(Buffer.byteLength(body))] : [];

  socket.cork();
  socket.write(`HTTP/1.1 ${status} ${reason}\r\n`, "latin1");
  socket.write(`${formatFields([...headers, ...length])}\r\n`, "latin1");
  // A whole body leaves together with its head, any other after it.
  if (whole && !silent && !chunked) socket.write(body);
  socket.uncork();
  if (!silent && (chunked || !whole)) {
    for await (const piece of streamPieces(body))
      await write(socket, chunked ? toChunk(piece) : piece);
    if (chunked) socket.write(`0\r\n${formatFields(trailers)}\r\n`, "latin1");
  }
  if (answer.close === true || (!framed && !whole && !silent)) socket.end();
}

async function* streamPieces(body: ScriptedBody): AsyncGenerator<Uint8Array> {
  const source = typeof body === "string" || body instanceof Uint8Array ? [body] : body;
  for await (const piece of source) {
    const bytes = typeof piece === "string" ? Buffer.from(piece) : piece;
    if (bytes.length > 0) yield bytes;
  }
}

function toChunk(piece: Uint8Array): Uint8Array {
  return Buffer.concat([
    Buffer.from(`${piece.length.toString(16)}\r\n`),
    piece,
    Buffer.from("\r\n"),
  ]);
}

function formatFields(fields: readonly string[]): string {
  let lines = "";
  for (let i = 0; i < fields.length; i += 2) lines += `${fields[i]}: ${fields[i + 1] ?? ""}\r\n`;
  return lines;
}

/** Resolves when the socket wants more; a peer that is gone ends the script. */
function write(socket: Socket, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    if (socket.destroyed) {
      reject(new Error("the peer is gone"));
      return;
    }
    if (socket.write(bytes)) {
      resolve();
      return;
    }
    const settle = (): void => {
      socket.off("drain", settle).off("close", settle);
      if (socket.destroyed) reject(new Error("the peer is gone"));
      else resolve();
    };
    socket.on("drain", settle).on("close", settle);
  });
}
