import { fieldOf } from "../headers.ts";
import { joined } from "../joined.ts";
import type { AnswerHead } from "./transport.ts";

/** A body in memory; long ones are joined where read, not copied twice (0.4 ms of CPU per MB). */
export class CollectedBody {
  readonly #limit: number;
  readonly #allocate: (length: number) => Uint8Array;
  readonly #length: number;
  #pieces: Uint8Array[] = [];
  #place: Uint8Array | null = null;
  #size = 0;

  constructor(
    { headers }: AnswerHead,
    limit: number,
    allocate: (length: number) => Uint8Array = (length) => new Uint8Array(length),
  ) {
    this.#limit = limit;
    this.#allocate = allocate;
    this.#length = Number(fieldOf(headers, "content-length") ?? 0);
  }

  /** False: it is larger than it may be now. */
  add(chunk: Uint8Array): boolean {
    this.#pieces = this.pieces();
    this.#place = null;
    this.#pieces.push(chunk);
    this.#size += chunk.length;
    return this.#size <= this.#limit;
  }

  /** False: there is no room for so much, and nothing was taken. */
  copy(bytes: Uint8Array): boolean {
    if (this.#size === 0 && this.#length >= longBody && this.#length <= this.#limit) {
      this.#place = this.#allocate(this.#length);
    }
    if (this.#place === null || this.#size + bytes.length > this.#place.length) return false;
    this.#place.set(bytes, this.#size);
    this.#size += bytes.length;
    return true;
  }

  pieces(): Uint8Array[] {
    return this.#place === null ? this.#pieces : [this.#place.subarray(0, this.#size)];
  }

  whole(): Uint8Array {
    return joined(this.pieces(), this.#size);
  }
}

/** In bytes: longer bodies come in several pieces. */
const longBody = 65_536;
