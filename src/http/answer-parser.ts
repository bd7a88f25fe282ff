import {
  failed,
  type Llhttp,
  noBody,
  ok,
  type Parsing,
  type ParsingEvents,
  paused,
} from "./llhttp.ts";

/**
 * Parses the answers of one connection, one after the other. It skips interim answers (1xx). An
 * upgrade is an error, since no request asks for one.
 */
export class AnswerParser implements ParsingEvents {
  status = 0;
  /** The reason phrase. As in every text of a head, each character is one byte. */
  reason = "";
  headers: string[] = [];
  trailers: string[] = [];
  /** True when the head is complete. */
  headed = false;
  /** True if the upstream keeps the connection open after this answer. */
  keepAlive = false;
  /** Start and end, in the bytes of the last read, of each part of the body. */
  pieces: number[] = [];
  /** The name of the header that could not be parsed; null when something else was wrong. */
  unreadable: string | null = null;
  /** How many bytes of the last read belong to the complete answer. */
  used = 0;
  readonly #parsing: Parsing;
  #complete = false;
  #bodiless = false;
  #bytes: Buffer = noBytes;
  /** The beginning of `#bytes` as text, decoded when first needed. */
  #text: string | null = null;
  #headSize = 0;
  #inName = false;

  constructor(llhttp: Llhttp) {
    this.#parsing = llhttp(this);
  }

  /** @param bodiless true for HEAD: no body follows the next answer, whatever its fields say */
  expect(bodiless: boolean): void {
    this.#bodiless = bodiless;
  }

  /**
   * @param bytes at most `pageSize`
   * @returns the state of the answer after them
   */
  read(bytes: Buffer): "more" | "complete" | "broken" {
    this.#bytes = bytes;
    this.#text = null;
    if (this.pieces.length > 0) this.pieces = [];
    const result = this.#parsing.execute(bytes);
    this.#bytes = noBytes;
    this.#text = null;
    if (result === ok) return "more";
    if (result !== paused || !this.#complete) {
      if (!this.headed) this.unreadable = this.#findFieldAt(bytes, this.#parsing.position());
      return "broken";
    }
    this.used = this.#parsing.position();
    this.#parsing.resume();
    return "complete";
  }

  /** To be called when the upstream has closed the connection cleanly. @returns whether that completes its answer */
  finish(): boolean {
    this.pieces = [];
    this.#parsing.finish();
    return this.#complete;
  }

  /** Drops this answer's data, since the connection may stay idle for long. */
  next(): void {
    this.#complete = false;
    this.trailers = [];
    this.#startHead();
  }

  free(): void {
    this.#parsing.free();
  }

  onStatus(at: number, length: number): number {
    this.reason += this.#textAt(at, length);
    return this.#grow(length);
  }

  onName(at: number, length: number): number {
    const list = this.headed ? this.trailers : this.headers;
    const text = this.#textAt(at, length);
    if (this.#inName) list[list.length - 1] += text;
    else list.push(text);
    this.#inName = true;
    return this.#grow(length + 4);
  }

  onValue(at: number, length: number): number {
    const list = this.headed ? this.trailers : this.headers;
    const text = this.#textAt(at, length);
    if (this.#inName) list.push(text);
    else list[list.length - 1] += text;
    this.#inName = false;
    return this.#grow(length);
  }

  onHead(status: number, upgrade: boolean, keepAlive: boolean): number {
    if (upgrade || status === 101 || this.#parsing.major() !== 1) return failed;
    if (status < 200) {
      this.#startHead();
      return ok;
    }
    this.status = status;
    // From here on the trailer's size is counted.
    this.#headSize = 0;
    this.headed = true;
    this.keepAlive = keepAlive;
    return this.#bodiless ? noBody : ok;
  }

  onBody(at: number, length: number): number {
    // An interim answer has no body.
    if (!this.headed) return failed;
    this.pieces.push(at, at + length);
    return ok;
  }

  onComplete(): number {
    if (!this.headed) return ok;
    this.#complete = true;
    return paused;
  }

  #startHead(): void {
    this.status = 0;
    this.reason = "";
    this.headers = [];
    this.headed = false;
    this.keepAlive = false;
    this.#headSize = 0;
    this.#inName = false;
  }

  #grow(length: number): number {
    this.#headSize += length;
    return this.#headSize <= MAX_HEAD_SIZE ? ok : failed;
  }

  /** Finds the name of the header in whose line the parser stopped; a log may show it. */
  #findFieldAt(bytes: Buffer, position: number): string | null {
    const start = position > 0 ? bytes.lastIndexOf("\n", position - 1) + 1 : 0;
    // The first line of an answer is not a header.
    if (start === 0 && this.headers.length === 0) return null;
    const line = bytes.toString("latin1", start, start + 100);
    return /^([!#$%&'*+.^`|~\w-]{1,60})[ \t]*:/.exec(line)?.[1] ?? null;
  }

  /** Cuts a text out of the bytes. Most heads are short, so their bytes are decoded only once. */
  #textAt(at: number, length: number): string {
    const end = at + length;
    if (end > DECODED_AT_ONCE) return this.#bytes.toString("latin1", at, end);
    this.#text ??= this.#bytes.toString("latin1", 0, Math.min(DECODED_AT_ONCE, this.#bytes.length));
    return this.#text.slice(at, end);
  }
}

/** Size limit of an answer's head, and of its trailer, in bytes. */
const MAX_HEAD_SIZE = 65_536;

/** How much of a read is decoded at once, in bytes. */
const DECODED_AT_ONCE = 1024;

const noBytes = Buffer.alloc(0);
