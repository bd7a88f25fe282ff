import type { IncomingMessage } from "node:http";
import type { ByteBudget } from "../../shares.ts";
import { limitedClient } from "../../gateway/client-address.ts";
import type { TrustsPeer } from "../../gateway/public-address.ts";
import { AfterwordError } from "../../errors.ts";
import { clientGone, peekAt } from "../../gateway/body-peek.ts";
import type { BodyReader, RequestBody } from "../../gateway/exchange.ts";

/** What is kept of bodies takes room of `budget`; of whose share, `trusts` decides. */
export interface BodyRoom {
  readonly budget: ByteBudget;
  readonly trusts: TrustsPeer;
}

/** The body of a request, or null when its head announces none. */
export function createRequestBody(
  incoming: IncomingMessage,
  room: BodyRoom | null,
): NodeBody | null {
  const { headers } = incoming;
  if (headers["transfer-encoding"] !== undefined) return new NodeBody(incoming, null, room);
  const declared = headers["content-length"];
  if (declared === undefined || Number(declared) === 0) return null;
  return new NodeBody(incoming, Number(declared), room);
}

/**
 * One for every request that has a body: a class, so that all have one shape and share their
 * methods.
 */
export class NodeBody implements RequestBody {
  readonly length: number | null;
  readonly #incoming: IncomingMessage;
  readonly #room: BodyRoom | null;
  /** Found with the first byte. */
  #client: string | null | undefined;
  #held = 0;
  #released = false;

  constructor(incoming: IncomingMessage, length: number | null, room: BodyRoom | null) {
    this.#incoming = incoming;
    this.length = length;
    this.#room = room;
  }

  /** Takes room for bytes that are kept; false: there is none. */
  hold(bytes: number): boolean {
    if (this.#released) return false;
    if (this.#room === null) return true;
    const { budget, trusts } = this.#room;
    if (this.#client === undefined) this.#client = clientOf(this.#incoming, trusts);
    if (!budget.take(bytes, this.#client)) return false;
    this.#held += bytes;
    return true;
  }

  /** The exchange is over. */
  release(): void {
    this.#released = true;
    if (this.#held > 0) this.#room?.budget.give(this.#held, this.#client ?? null);
  }

  peek(limit: number): ReturnType<RequestBody["peek"]> {
    return peekAt(this, limit);
  }

  peekInto(limit: number, reader: BodyReader): void {
    const incoming = this.#incoming;
    if (incoming.destroyed) reader.lost(clientGone());
    else new Peek(incoming, this, limit, reader).start();
  }

  stream(): AsyncIterable<Uint8Array> {
    return remaining(null, this.#incoming);
  }
}

/**
 * Listens to a body until it is whole or larger than the limit. A small one comes in one piece
 * right after its head, and is known to be whole when it has its declared length: nobody waits for
 * the stream's own end, which still comes by itself.
 */
class Peek {
  readonly #incoming: IncomingMessage;
  readonly #body: NodeBody;
  readonly #length: number | null;
  readonly #limit: number;
  readonly #reader: BodyReader;
  #pieces: Uint8Array[] | null = null;
  #first: Uint8Array | null = null;
  #size = 0;
  #over = false;
  readonly #onData = (piece: Uint8Array): void => this.#take(piece);

  constructor(incoming: IncomingMessage, body: NodeBody, limit: number, reader: BodyReader) {
    this.#incoming = incoming;
    this.#body = body;
    this.#length = body.length;
    this.#limit = limit;
    this.#reader = reader;
  }

  start(): void {
    const incoming = this.#incoming;
    if (this.#length === null || this.#length > this.#limit) {
      incoming.on("end", () => this.#finish());
    }
    // A broken request closes too, and its error needs no listener of its own.
    incoming.on("close", () => this.#lose(clientGone)).on("data", this.#onData);
  }

  #take(piece: Uint8Array): void {
    if (this.#over) return;
    if (!this.#body.hold(piece.length)) return this.#lose(noRoom);
    if (this.#first === null) this.#first = piece;
    else {
      this.#pieces ??= [this.#first];
      this.#pieces.push(piece);
    }
    this.#size += piece.length;
    if (this.#size > this.#limit) {
      this.#over = true;
      this.#incoming.off("data", this.#onData).pause();
      const all = this.#joined();
      const rest = remaining(all.subarray(this.#limit), this.#incoming);
      this.#reader.peeked(all.subarray(0, this.#limit), rest);
    } else if (this.#size === this.#length) {
      this.#finish();
    }
  }

  #finish(): void {
    if (this.#over) return;
    this.#over = true;
    this.#reader.peeked(this.#joined(), null);
  }

  /**
   * @param error makes it: a request that is over closes too, and an error costs a twentieth of a
   * message
   */
  #lose(error: () => AfterwordError): void {
    if (this.#over) return;
    this.#over = true;
    this.#reader.lost(error());
  }

  #joined(): Uint8Array {
    if (this.#pieces !== null) return Buffer.concat(this.#pieces, this.#size);
    return this.#first ?? nothing;
  }
}

function clientOf({ socket, rawHeaders }: IncomingMessage, trusts: TrustsPeer): string | null {
  const peer = { address: socket.remoteAddress ?? "", encrypted: false };
  return limitedClient({ peer, headers: rawHeaders }, trusts);
}

function noRoom(): AfterwordError {
  return new AfterwordError("overloaded", "request bodies take all of limits.heldBytes");
}

const nothing = new Uint8Array(0);

async function* remaining(
  first: Uint8Array | null,
  incoming: IncomingMessage,
): AsyncGenerator<Uint8Array> {
  if (first !== null) yield first;
  try {
    // Who stops reading early has not given up the connection: the answer still goes out on it.
    const chunks: AsyncIterable<Uint8Array> = incoming.iterator({ destroyOnReturn: false });
    for await (const chunk of chunks) yield chunk;
  } catch (cause) {
    throw clientGone(cause);
  }
}
