import { type Llhttp, failed, type MessageEvents, ok, type Parsing, paused } from "./llhttp.ts";

/** How far a piece of a message brought it. */
export type Progress = "more" | "complete" | "broken";

/** Reads the messages that come on one connection, one after the other. */
export abstract class MessageParser implements MessageEvents {
  /** One char per byte, as in all that is kept of a head. */
  headers: string[] = [];
  trailers: string[] = [];
  /** The head is whole. */
  headed = false;
  /** The other side would go on with this connection when this message is whole. */
  keepAlive = false;
  /** Where the body lies in the bytes read last: start and end of each piece. */
  pieces: number[] = [];
  /** How many of the bytes read last belong to a message that is complete. */
  used = 0;
  /** The head, or trailer, is larger than it may be. */
  tooLarge = false;

  protected readonly parsing: Parsing;
  protected complete = false;
  /** In bytes. */
  readonly #mostHead: number;
  #bytes: Buffer = nothing;
  /** The first of these bytes as text, once it is asked for. */
  #text: string | null = null;
  #size = 0;
  #inName = false;

  constructor(llhttp: Llhttp, kind: "answers" | "requests", mostHead: number) {
    this.parsing = llhttp(this, kind);
    this.#mostHead = mostHead;
  }

  abstract onTarget(at: number, length: number): number;
  abstract onStatus(at: number, length: number): number;
  abstract onHead(status: number, upgrade: boolean, keepAlive: boolean): number;

  /** @param bytes at most `pageSize` */
  read(bytes: Buffer): Progress {
    this.#bytes = bytes;
    this.#text = null;
    if (this.pieces.length > 0) this.pieces = [];
    const result = this.parsing.execute(bytes);
    this.#bytes = nothing;
    this.#text = null;
    if (result === ok) return "more";
    if (result !== paused || !this.complete) return "broken";
    this.used = this.parsing.position();
    this.parsing.resume();
    return "complete";
  }

  /**
   * Makes ready for the next message, and holds nothing of this one: the connection may be unused
   * for long.
   */
  next(): void {
    this.complete = false;
    this.trailers = [];
    this.startHead();
  }

  free(): void {
    this.parsing.free();
  }

  onName(at: number, length: number): number {
    const list = this.headed ? this.trailers : this.headers;
    const text = this.textAt(at, length);
    if (this.#inName) list[list.length - 1] += text;
    else list.push(text);
    this.#inName = true;
    return this.grow(length + 4);
  }

  onValue(at: number, length: number): number {
    const list = this.headed ? this.trailers : this.headers;
    const text = this.textAt(at, length);
    if (this.#inName) list.push(text);
    else list[list.length - 1] += text;
    this.#inName = false;
    return this.grow(length);
  }

  onBody(at: number, length: number): number {
    // Of an interim answer, which has none.
    if (!this.headed) return failed;
    this.pieces.push(at, at + length);
    return ok;
  }

  onComplete(): number {
    if (!this.headed) return ok;
    this.complete = true;
    return paused;
  }

  protected startHead(): void {
    this.headers = [];
    this.headed = false;
    this.keepAlive = false;
    this.#size = 0;
    this.#inName = false;
  }

  /** What follows, if anything, is the trailer. */
  protected endHead(keepAlive: boolean): void {
    this.#size = 0;
    this.headed = true;
    this.keepAlive = keepAlive;
  }

  protected grow(length: number): number {
    this.#size += length;
    if (this.#size <= this.#mostHead) return ok;
    this.tooLarge = true;
    return failed;
  }

  /** Heads are short: the start of the bytes becomes one text, of which the fields are cut. */
  protected textAt(at: number, length: number): string {
    const end = at + length;
    if (end > shortHead) return this.#bytes.toString("latin1", at, end);
    this.#text ??= this.#bytes.toString("latin1", 0, Math.min(shortHead, this.#bytes.length));
    return this.#text.slice(at, end);
  }
}

/** In bytes. */
const shortHead = 2048;

const nothing = Buffer.alloc(0);
