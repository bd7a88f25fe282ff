import { clientGone, peekAt } from "../../../gateway/body-peek.ts";
import type { BodyReader, RequestBody } from "../../../gateway/exchange.ts";
import { joined } from "../../../gateway/joined.ts";

/** In bytes: with more that nobody has taken yet, the client is held back. */
const mostHeld = 65_536;

/** The body of a request, filled as its bytes come. */
export class ServedBody implements RequestBody {
  readonly length: number | null;
  /** Bytes that were thrown away. */
  dropped = 0;
  readonly #changed: () => void;
  #pieces: Uint8Array[] = [];
  #size = 0;
  #stage: "coming" | "ended" | "lost" | "unwanted" = "coming";
  #peek: { readonly limit: number; readonly reader: BodyReader } | null = null;
  #wake: (() => void) | null = null;

  /** @param changed called when `isFull` may have become false */
  constructor(length: number | null, changed: () => void) {
    this.length = length;
    this.#changed = changed;
  }

  get isFull(): boolean {
    return this.#peek === null && this.#size >= mostHeld;
  }

  push(bytes: Uint8Array): void {
    if (this.#stage === "unwanted") {
      this.dropped += bytes.length;
      return;
    }
    this.#pieces.push(bytes);
    this.#size += bytes.length;
    this.#tell();
  }

  end(): void {
    if (this.#stage === "coming") this.#stage = "ended";
    this.#tell();
  }

  /** The client went away. */
  lose(): void {
    if (this.#stage === "coming") this.#stage = "lost";
    this.#tell();
  }

  /** Nobody reads what is still to come. */
  leave(): void {
    if (this.#stage === "coming") this.#stage = "unwanted";
    this.#pieces = [];
    this.#size = 0;
    this.#tell();
    this.#changed();
  }

  peek(limit: number): ReturnType<RequestBody["peek"]> {
    return peekAt(this, limit);
  }

  peekInto(limit: number, reader: BodyReader): void {
    const wasFull = this.isFull;
    this.#peek = { limit, reader };
    this.#tell();
    if (wasFull) this.#changed();
  }

  async *stream(): AsyncGenerator<Uint8Array, void, void> {
    for (;;) {
      const piece = this.#pieces.shift();
      if (piece !== undefined) {
        this.#size -= piece.length;
        this.#changed();
        yield piece;
      } else if (this.#stage === "ended") return;
      else if (this.#stage !== "coming") throw clientGone();
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  #tell(): void {
    this.#wake?.();
    this.#wake = null;
    if (this.#peek === null) return;
    const { limit, reader } = this.#peek;
    if (this.#size > limit) {
      this.#peek = null;
      const all = joined(this.#pieces, this.#size);
      this.#pieces = [all.subarray(limit)];
      this.#size -= limit;
      reader.peeked(all.subarray(0, limit), this.stream());
    } else if (this.#stage === "ended" || this.#size === this.length) {
      this.#peek = null;
      const all = joined(this.#pieces, this.#size);
      this.#pieces = [];
      this.#size = 0;
      reader.peeked(all, null);
    } else if (this.#stage !== "coming") {
      this.#peek = null;
      reader.lost(clientGone());
    }
  }
}
