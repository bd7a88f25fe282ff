import { dropTrailing } from "../text.ts";

/** One HTTP/1 message as it came over a socket, without interpretation beyond its framing. */
export interface HttpMessage {
  /** Request line or status line, Latin-1, without its CRLF. */
  readonly startLine: string;
  /** name, value, name, value, … in wire order and case, with duplicates; Latin-1. */
  readonly headers: readonly string[];
  /** The head byte for byte, with the blank line at its end. */
  readonly head: Uint8Array;
  /** The body without its chunk framing. */
  readonly body: Uint8Array;
  /** The sizes of the chunks of a chunked body, in order; empty for any other framing. */
  readonly chunks: readonly number[];
  readonly trailers: readonly string[];
  /** False when the connection ended before the framing said so. */
  readonly complete: boolean;
}

export interface MessageReader {
  push(bytes: Uint8Array): void;
  /**
   * Called when the peer closed: a body without framing is complete, any other open message
   * incomplete.
   */
  close(): void;
}

export interface MessageReaderOptions {
  /** True when a message with this start line has no body (answers to HEAD, 204, 304, 1xx). */
  readonly bodyless?: (startLine: string) => boolean;
  /** True for answers: a body without framing lasts until the close. False if it is empty. */
  readonly untilClose?: boolean;
  /** Called when the head is complete; the message continues to grow. */
  readonly onHead?: (message: HttpMessage) => void;
  readonly onMessage?: (message: HttpMessage) => void;
}

/** Reads successive messages from a byte stream. Throws on an invalid head or chunk size. */
export function createMessageReader(options: MessageReaderOptions): MessageReader {
  let buffer: Buffer = Buffer.alloc(0);
  let open: OpenMessage | null = null;

  /** True when it made progress. */
  function step(): boolean {
    if (open === null) return readHead();
    switch (open.state) {
      case "length":
        return take(open, open.remaining, () => finish(open));
      case "until-close":
        return take(open, Number.POSITIVE_INFINITY, () => undefined);
      case "chunk-size":
        return readLine((line) => startChunk(open, line));
      case "chunk":
        return take(open, open.remaining, () => moveTo(open, "chunk-end"));
      case "chunk-end":
        return readLine(() => moveTo(open, "chunk-size"));
      default:
        return readLine((line) => {
          if (line === "") finish(open);
          else open?.trailers.push(...parseField(line));
        });
    }
  }

  function readHead(): boolean {
    const end = buffer.indexOf("\r\n\r\n");
    if (end === -1) return false;
    const head = buffer.subarray(0, end + 4);
    buffer = buffer.subarray(end + 4);
    const [startLine = "", ...lines] = head.toString("latin1", 0, end).split("\r\n");
    open = createOpenMessage(startLine, lines.flatMap(parseField), Buffer.from(head));
    applyFraming(open, options);
    options.onHead?.(open);
    if (open.state === "length" && open.remaining === 0) finish(open);
    return true;
  }

  function readLine(use: (line: string) => void): boolean {
    const end = buffer.indexOf("\r\n");
    if (end === -1) return false;
    const line = buffer.toString("latin1", 0, end);
    buffer = buffer.subarray(end + 2);
    use(line);
    return true;
  }

  function take(message: OpenMessage, limit: number, done: () => void): boolean {
    if (buffer.length === 0) return false;
    const piece = buffer.subarray(0, Math.min(limit, buffer.length));
    buffer = buffer.subarray(piece.length);
    message.parts.push(piece);
    message.remaining -= piece.length;
    if (message.remaining === 0) done();
    return true;
  }

  function finish(message: OpenMessage | null): void {
    if (message === null) return;
    message.complete = true;
    open = null;
    options.onMessage?.(message);
  }

  return {
    push(bytes) {
      buffer = buffer.length === 0 ? Buffer.from(bytes) : Buffer.concat([buffer, bytes]);
      while (step());
    },
    close() {
      if (open?.state === "until-close") finish(open);
    },
  };
}

/** The values of a field in order, whatever its case. */
export function listFieldValues(headers: readonly string[], name: string): string[] {
  const lower = name.toLowerCase();
  return headers.filter((_, i) => i % 2 === 1 && headers[i - 1]?.toLowerCase() === lower);
}

type BodyState = "length" | "until-close" | "chunk-size" | "chunk" | "chunk-end" | "trailers";

interface OpenMessage extends HttpMessage {
  state: BodyState;
  remaining: number;
  complete: boolean;
  readonly parts: Uint8Array[];
  readonly chunks: number[];
  readonly trailers: string[];
}

function createOpenMessage(startLine: string, headers: string[], head: Uint8Array): OpenMessage {
  const parts: Uint8Array[] = [];
  return {
    startLine,
    headers,
    head,
    parts,
    get body() {
      return Buffer.concat(parts);
    },
    chunks: [],
    trailers: [],
    state: "length",
    remaining: 0,
    complete: false,
  };
}

function applyFraming(message: OpenMessage, options: MessageReaderOptions): void {
  if (options.bodyless?.(message.startLine) === true) return;
  const length = listFieldValues(message.headers, "content-length")[0];
  if (listFieldValues(message.headers, "transfer-encoding").length > 0)
    message.state = "chunk-size";
  else if (length !== undefined) message.remaining = Number(length);
  else if (options.untilClose === true) {
    message.state = "until-close";
    message.remaining = Number.POSITIVE_INFINITY;
  }
}

function startChunk(message: OpenMessage | null, line: string): void {
  if (message === null) return;
  const size = Number.parseInt(line, 16);
  if (Number.isNaN(size)) throw new Error("no chunk size where one must stand");
  if (size > 0) message.chunks.push(size);
  message.remaining = size;
  message.state = size === 0 ? "trailers" : "chunk";
}

function moveTo(message: OpenMessage | null, state: BodyState): void {
  if (message !== null) message.state = state;
}

function parseField(line: string): [string, string] {
  const colon = line.indexOf(":");
  if (colon < 1) throw new Error("a field line without a name");
  return [line.slice(0, colon), dropTrailing(line.slice(colon + 1), " \t").replace(/^[ \t]+/, "")];
}
