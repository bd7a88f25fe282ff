import type { RawHeaders, Reply } from "../../../gateway/exchange.ts";
import { plainText, token } from "../../../gateway/field-syntax.ts";
import { fieldOf } from "../../../gateway/headers.ts";
import { carriedReason } from "../../web/field-lists.ts";
import { chunkOf, lastChunk } from "../../../http/chunks.ts";

/** The connection that an answer goes out on. */
export interface Outgoing {
  /** Whether the connection may go on after this answer. */
  readonly persists: boolean;
  /**
   * Sends in one piece. @param head one char per byte @returns false: the client takes no more for
   * now
   */
  send(head: string, body: Uint8Array | null): boolean;
  /** The answer is whole. */
  answered(persists: boolean): void;
  /** The answer is not whole, and the client must see that. @param hard only a reset tells it */
  brokenOff(hard: boolean): void;
}

/**
 * A place for an answer: what goes out is what was given, and framing. One for every request: a
 * class, so that all have one shape.
 */
export class ServedReply implements Reply {
  readonly #outgoing: Outgoing;
  readonly #bodiless: boolean;
  /** HTTP/1.1 rather than 1.0. */
  readonly #current: boolean;
  #stage: "waiting" | "open" | "done" = "waiting";
  /**
   * A head that goes out with the first bytes of its body, or by itself if they take their time.
   */
  #held: string | null = null;
  #framing: "length" | "chunks" | "close" | "none" = "none";
  #persists = false;
  #gone = false;
  #drained: (() => void) | null = null;
  #left: (() => void) | null = null;

  constructor(outgoing: Outgoing, method: string, current: boolean) {
    this.#outgoing = outgoing;
    this.#bodiless = method === "HEAD";
    this.#current = current;
  }

  get started(): boolean {
    return this.#stage !== "waiting";
  }

  send(status: number, reason: string, headers: RawHeaders, body: Uint8Array | null): void {
    if (this.#stage !== "waiting") return;
    this.#stage = "done";
    const head = this.#headOf(status, reason, headers);
    if (head === null) return;
    if (this.#framing === "none") this.#outgoing.send(head, null);
    else if (this.#framing !== "chunks") this.#outgoing.send(head, body);
    else if (body === null || body.length === 0) this.#outgoing.send(head, lastChunk);
    else this.#outgoing.send(head, Buffer.concat([chunkOf(body), lastChunk]));
    this.#outgoing.answered(this.#persists);
  }

  head(status: number, reason: string, headers: RawHeaders): void {
    if (this.#stage !== "waiting") return;
    this.#stage = "open";
    this.#held = this.#headOf(status, reason, headers);
    if (this.#held !== null) setImmediate(letGo, this);
  }

  write(chunk: Uint8Array): boolean {
    if (this.#stage !== "open" || chunk.length === 0 || this.#framing === "none") return true;
    return this.#send(this.#framing === "chunks" ? chunkOf(chunk) : chunk);
  }

  end(trailers?: RawHeaders): void {
    if (this.#stage !== "open") return;
    this.#stage = "done";
    if (this.#framing !== "chunks") this.letGo();
    else if (trailers === undefined || trailers.length === 0) this.#send(lastChunk);
    else this.#send(Buffer.from("0\r\n" + lines(trailers) + "\r\n", "latin1"));
    this.#outgoing.answered(this.#persists);
  }

  abort(): void {
    if (this.#stage === "done") return;
    this.letGo();
    this.#stage = "done";
    // To a client of HTTP/1.0 the connection's end is the body's, where there is no length.
    this.#outgoing.brokenOff(!this.#current && this.#framing !== "length");
  }

  onDrain(callback: () => void): void {
    this.#drained = callback;
  }

  onGone(callback: () => void): void {
    this.#left = callback;
    if (this.#gone) callback();
  }

  /** The client has taken what waited for it. */
  roomAgain(): void {
    if (this.#stage === "open") this.#drained?.();
  }

  /** The client went away. */
  lose(): void {
    if (this.#stage === "done") return;
    this.#stage = "done";
    this.#held = null;
    this.#gone = true;
    this.#left?.();
  }

  /** Sends a head that was held back. */
  letGo(): void {
    const head = this.#held;
    this.#held = null;
    if (head !== null) this.#outgoing.send(head, null);
  }

  #send(bytes: Uint8Array): boolean {
    const head = this.#held ?? "";
    this.#held = null;
    return this.#outgoing.send(head, bytes);
  }

  /** Null, and the connection is broken: a status that is none. */
  #headOf(status: number, reason: string, headers: RawHeaders): string | null {
    if (!Number.isInteger(status) || status < 100 || status > 999) {
      this.#stage = "done";
      this.#outgoing.brokenOff(true);
      return null;
    }
    const hasLength = fieldOf(headers, "content-length") !== null;
    const bodiless = this.#bodiless || status === 204 || status === 304 || status < 200;
    if (bodiless) this.#framing = "none";
    else if (hasLength) this.#framing = "length";
    else this.#framing = this.#current ? "chunks" : "close";
    this.#persists =
      this.#outgoing.persists &&
      this.#framing !== "close" &&
      fieldOf(headers, "connection") === null;
    return (
      "HTTP/1.1 " +
      status +
      " " +
      carriedReason(reason) +
      "\r\n" +
      lines(headers) +
      this.#connectionLines() +
      (this.#framing === "chunks" ? "Transfer-Encoding: chunked\r\n\r\n" : "\r\n")
    );
  }

  /** Only where the default of the client's version does not hold. */
  #connectionLines(): string {
    if (!this.#persists) return "Connection: close\r\n";
    return this.#current ? "" : "Connection: keep-alive\r\n";
  }
}

function letGo(reply: ServedReply): void {
  reply.letGo();
}

/** As lines, without those of framing and those that would end their own line. */
function lines(fields: RawHeaders): string {
  let text = "";
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const name = fields[i] ?? "";
    const value = fields[i + 1] ?? "";
    const isOurs = (name.length === 10 || name.length === 17) && ours.test(name);
    if (!isOurs && token.test(name) && plainText.test(value)) text += name + ": " + value + "\r\n";
  }
  return text;
}

const ours = /^(?:connection|transfer-encoding)$/i;
