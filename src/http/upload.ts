import type { Socket } from "node:net";
import type { Failure } from "./types.ts";

/** Sends the pieces of a body as they arrive, and waits while the connection's buffer is full. */
export class Upload {
  readonly #socket: Socket;
  readonly #body: AsyncIterable<Uint8Array>;
  readonly #length: number | null;
  readonly #moved: () => void;
  #pieces: AsyncIterator<Uint8Array> | null = null;
  #stopped = false;
  #resume: (() => void) | null = null;

  /**
   * @param length the announced length in bytes; null if the body is sent in chunks
   * @param moved called when a piece is sent
   */
  constructor(
    socket: Socket,
    body: AsyncIterable<Uint8Array>,
    length: number | null,
    moved: () => void,
  ) {
    this.#socket = socket;
    this.#body = body;
    this.#length = length;
    this.#moved = moved;
  }

  /**
   * Sends the body. Resolves with null after the last piece or `stop`, and with a failure if the body
   * has another length than announced. Rejects with the error of the body.
   */
  async run(): Promise<Failure | null> {
    const length = this.#length;
    const pieces = this.#body[Symbol.asyncIterator]();
    this.#pieces = pieces;
    let sent = 0;
    for (;;) {
      const { done = false, value } = await pieces.next();
      if (this.#stopped) return null;
      if (done) break;
      sent += value.length;
      if (length !== null && sent > length) return wrongLength;
      if (value.length === 0) continue;
      this.#moved();
      const hasRoom = this.#socket.write(length === null ? encodeChunk(value) : value);
      if (!hasRoom) await new Promise<void>((resolve) => (this.#resume = resolve));
      if (this.#stopped) return null;
    }
    if (length === null) this.#socket.write(lastChunk);
    else if (sent < length) return wrongLength;
    return null;
  }

  /** Must be called when the connection's buffer is empty again. */
  drained(): void {
    this.#resume?.();
    this.#resume = null;
  }

  /** Stops sending, and releases the body. */
  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.drained();
    void release(this.#pieces);
  }
}

async function release(pieces: AsyncIterator<Uint8Array> | null): Promise<void> {
  try {
    await pieces?.return?.();
  } catch {
    // The body is of no use any more.
  }
}

const wrongLength: Failure = {
  kind: "broken",
  detail: "the request's body has another length than announced",
  sent: true,
};

/** Encodes a piece of a body as a chunk (RFC 9112 section 7.1). An empty one would end the body. */
function encodeChunk(bytes: Uint8Array): Buffer {
  const size = bytes.length.toString(16);
  const chunk = Buffer.allocUnsafe(size.length + bytes.length + 4);
  chunk.write(size + "\r\n", 0, "latin1");
  chunk.set(bytes, size.length + 2);
  chunk.write("\r\n", chunk.length - 2, "latin1");
  return chunk;
}

const lastChunk = Buffer.from("0\r\n\r\n");
