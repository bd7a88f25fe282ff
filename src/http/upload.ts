import { AfterwordError } from "../errors.ts";
import { chunkOf, lastChunk } from "./chunks.ts";
import type { Wire } from "./wire.ts";

/** A request's body that comes in pieces. */
export interface Streamed {
  readonly pieces: AsyncIterable<Uint8Array>;
  /** As announced, in bytes; null: it goes in chunks. */
  readonly length: number | null;
}

/** Who is told how an upload goes; after `done` or `failed` nothing more. */
export interface Uploading {
  /** A piece is on its way. */
  moved(): void;
  done(): void;
  failed(error: unknown): void;
}

/**
 * Sends a body over a connection as its pieces come, and no faster than the connection takes them.
 */
export class Upload {
  readonly #wire: Wire;
  readonly #length: number | null;
  readonly #body: AsyncIterable<Uint8Array>;
  readonly #whom: Uploading;
  #over = false;
  #pieces: AsyncIterator<Uint8Array> | null = null;
  #room: (() => void) | null = null;

  constructor(wire: Wire, { pieces, length }: Streamed, whom: Uploading) {
    this.#wire = wire;
    this.#length = length;
    this.#body = pieces;
    this.#whom = whom;
  }

  start(): void {
    this.#send().then(
      () => this.#end(() => this.#whom.done()),
      (error: unknown) => this.#end(() => this.#whom.failed(error)),
    );
  }

  /** The connection takes bytes again. */
  roomAgain(): void {
    this.#room?.();
    this.#room = null;
  }

  /** Sends nothing more, and lets the body go. */
  stop(): void {
    if (this.#over) return;
    this.#over = true;
    this.roomAgain();
    void letGo(this.#pieces);
  }

  async #send(): Promise<void> {
    const pieces = this.#body[Symbol.asyncIterator]();
    this.#pieces = pieces;
    let sent = 0;
    for (;;) {
      const { done = false, value } = await pieces.next();
      if (this.#over) return;
      if (done) break;
      sent += value.length;
      if (this.#length !== null && sent > this.#length) throw otherLength();
      if (value.length === 0) continue;
      this.#whom.moved();
      const takesMore = this.#wire.write(this.#length === null ? chunkOf(value) : value);
      if (!takesMore) await new Promise<void>((resolve) => (this.#room = resolve));
      if (this.#over) return;
    }
    if (this.#length === null) this.#wire.write(lastChunk);
    else if (sent < this.#length) throw otherLength();
  }

  #end(tell: () => void): void {
    if (this.#over) return;
    this.#over = true;
    tell();
  }
}

async function letGo(pieces: AsyncIterator<Uint8Array> | null): Promise<void> {
  try {
    await pieces?.return?.();
  } catch {
    // Nobody wants it any more.
  }
}

function otherLength(): AfterwordError {
  return new AfterwordError("internal", "a request's body has another length than announced");
}
