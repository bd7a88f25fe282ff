import type { RawHeaders } from "../../../http/types.ts";
import { ServerResponse, type IncomingMessage } from "node:http";
import { Socket, BlockList, isIP } from "node:net";
import type { Duplex } from "node:stream";
import { TLSSocket } from "node:tls";
import { type Client, clientBehind } from "../../../http/client-address.ts";
import {
  type Exchange,
  type Reply,
  type RequestBody,
  createClientGoneError,
  type PeekedBody,
} from "../../../gateway/exchange/exchange.ts";
import { joinedFieldOf } from "../../../gateway/exchange/headers.ts";
import type { ByteBudget } from "../../../http/shares.ts";
import { NodeReply } from "./reply.ts";
import { AfterwordError } from "../../../errors.ts";
import { joinChunks } from "../../../json/bytes.ts";

/**
 * A request on Node's HTTP server, for the gateway. No part of the answer may be written before.
 */
export class NodeExchange implements Exchange {
  readonly method: string;
  readonly target: string;
  readonly headers: RawHeaders;
  readonly body: RequestBody | null;
  readonly reply: Reply;
  readonly #socket: Socket;
  readonly #trusts: (address: string) => boolean;
  #client: Client | null = null;

  /**
   * @param bodies room for body bytes that are held until the answer is closed; null if they are
   *   not counted
   * @param trusts decides whose forwarding fields are believed
   */
  constructor(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    bodies: ByteBudget | null = null,
    trusts: (address: string) => boolean = trustNobody,
  ) {
    this.method = incoming.method ?? "GET";
    this.target = incoming.url ?? "";
    this.headers = incoming.rawHeaders;
    this.#socket = incoming.socket;
    this.#trusts = trusts;
    const body = createRequestBody(incoming, bodies, this);
    this.body = body;
    this.reply = new NodeReply(incoming, outgoing, () => body?.release());
  }

  get peer(): NonNullable<Exchange["peer"]> {
    const socket = this.#socket;
    const address = socket.remoteAddress ?? "";
    return { address, encrypted: socket instanceof TLSSocket, trusted: this.#trusts(address) };
  }

  get client(): Client {
    this.#client ??= clientBehind(
      this.#socket.remoteAddress ?? "",
      joinedFieldOf(this.headers, "x-forwarded-for"),
      this.#trusts,
    );
    return this.#client;
  }
}

function trustNobody(): boolean {
  return false;
}

/** An upgrade request whose socket Node's server has released. */
export interface UpgradeExchange {
  /** An answer that is written here is an ordinary one, and closes the connection. */
  readonly exchange: Exchange;
  /** Releases the bare socket for a tunnel, with the bytes that the client has sent first. */
  readonly release: () => Socket;
}

/**
 * Null when it is not a socket of the system.
 *
 * @param trusts decides whose forwarding fields are believed
 */
export function createUpgradeExchange(
  incoming: IncomingMessage,
  socket: Duplex,
  trusts: (address: string) => boolean = trustNobody,
): UpgradeExchange | null {
  if (!(socket instanceof Socket)) return null;
  const outgoing = new ServerResponse(incoming);
  outgoing.shouldKeepAlive = false;
  outgoing.assignSocket(socket);
  outgoing.on("finish", () => socket.end());

  // A client leaving goes unnoticed without reading, so early bytes are kept, up to a limit.
  const early: Uint8Array[] = [];
  const keep = (bytes: Uint8Array): void => {
    early.push(bytes);
    if (early.length > maxEarly) socket.pause();
  };
  const leave = (): void => {
    socket.destroy();
  };
  socket.on("error", leave).on("end", leave).on("data", keep);

  return {
    exchange: new NodeExchange(incoming, outgoing, null, trusts),
    release() {
      socket.off("end", leave).off("data", keep).pause();
      if (early.length > 0) socket.unshift(Buffer.concat(early));
      outgoing.detachSocket(socket);
      return socket;
    },
  };
}

/** In reads, of at most 64 KiB each. */
const maxEarly = 4;

/**
 * Creates the body of a request, or null when its head announces none.
 *
 * @param budget counts the bytes that are held; null if they are not counted
 * @param exchange whose client's share of the budget is used
 */
function createRequestBody(
  incoming: IncomingMessage,
  budget: ByteBudget | null,
  exchange: Pick<Exchange, "client">,
): NodeBody | null {
  const { headers } = incoming;
  if (headers["transfer-encoding"] !== undefined)
    return new NodeBody(incoming, null, budget, exchange);
  const length = Number(headers["content-length"] ?? 0);
  return length === 0 ? null : new NodeBody(incoming, length, budget, exchange);
}

class NodeBody implements RequestBody {
  readonly length: number | null;
  readonly #incoming: IncomingMessage;
  readonly #budget: ByteBudget | null;
  readonly #exchange: Pick<Exchange, "client">;
  #held = 0;
  #released = false;

  constructor(
    incoming: IncomingMessage,
    length: number | null,
    budget: ByteBudget | null,
    exchange: Pick<Exchange, "client">,
  ) {
    this.length = length;
    this.#incoming = incoming;
    this.#budget = budget;
    this.#exchange = exchange;
  }

  peek(limit: number): Promise<PeekedBody> {
    return new Promise((resolve, reject) => {
      new Peek(this.#incoming, this, limit, resolve, reject).start();
    });
  }

  /** Reserves room for bytes that are held; false if there is none. */
  hold(bytes: number): boolean {
    if (this.#released) return false;
    if (this.#budget === null) return true;
    if (!this.#budget.take(bytes, this.#exchange.client.share)) return false;
    this.#held += bytes;
    return true;
  }

  /** The exchange has ended. */
  release(): void {
    this.#released = true;
    if (this.#held > 0) this.#budget?.give(this.#held, this.#exchange.client.share);
  }
}

/** Small bodies arrive as a whole, right after the head. The stream's end still follows. */
class Peek {
  readonly #incoming: IncomingMessage;
  readonly #body: NodeBody;
  readonly #limit: number;
  readonly #resolve: (peeked: PeekedBody) => void;
  readonly #reject: (error: AfterwordError) => void;
  readonly #pieces: Uint8Array[] = [];
  #size = 0;
  #over = false;

  constructor(
    incoming: IncomingMessage,
    body: NodeBody,
    limit: number,
    resolve: (peeked: PeekedBody) => void,
    reject: (error: AfterwordError) => void,
  ) {
    this.#incoming = incoming;
    this.#body = body;
    this.#limit = limit;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  start(): void {
    const { length } = this.#body;
    const incoming = this.#incoming;
    if (incoming.destroyed) return this.#reject(createClientGoneError());
    if (length === null || length > this.#limit) incoming.on("end", () => this.#finish());
    // A broken request closes too, and its error needs no listener of its own.
    incoming.on("close", () => this.#lose(createClientGoneError)).on("data", this.#take);
  }

  readonly #take = (piece: Uint8Array): void => {
    if (this.#over) return;
    if (!this.#body.hold(piece.length)) return this.#lose(createNoRoomError);
    this.#pieces.push(piece);
    this.#size += piece.length;
    if (this.#size > this.#limit) this.#stop();
    else if (this.#size === this.#body.length) this.#finish();
  };

  /** The body has more bytes than were requested. */
  #stop(): void {
    this.#over = true;
    this.#incoming.off("data", this.#take).pause();
    const all = joinChunks(this.#pieces, this.#size);
    const rest = readRemaining(all.subarray(this.#limit), this.#incoming);
    this.#resolve({ bytes: all.subarray(0, this.#limit), rest });
  }

  #finish(): void {
    if (this.#over) return;
    this.#over = true;
    this.#resolve({ bytes: joinChunks(this.#pieces, this.#size), rest: null });
  }

  // A finished request closes too, so no error is created for it.
  #lose(error: () => AfterwordError): void {
    if (this.#over) return;
    this.#over = true;
    this.#reject(error());
  }
}

function createNoRoomError(): AfterwordError {
  return new AfterwordError("overloaded", "request bodies take all of limits.heldBytes");
}

async function* readRemaining(
  first: Uint8Array,
  incoming: IncomingMessage,
): AsyncGenerator<Uint8Array> {
  yield first;
  try {
    // A handler that stops reading early has not abandoned the connection, and its answer is still
    // sent.
    const chunks: AsyncIterable<Uint8Array> = incoming.iterator({ destroyOnReturn: false });
    for await (const chunk of chunks) yield chunk;
  } catch (cause) {
    throw createClientGoneError(cause);
  }
}

/** Reads the validated `listen.trustProxies`: IPv4 and IPv6 addresses and CIDR ranges. */
export function createTrustedPeers(entries: readonly string[]): (address: string) => boolean {
  if (entries.length === 0) return () => false;
  const list = new BlockList();
  for (const entry of entries) {
    const [address = "", bits] = entry.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address) => {
    // A dual-stack socket shows IPv4 peers in their mapped spelling.
    const plain = address.replace(/^::ffff:(\d+\.)/i, "$1");
    const family = isIP(plain);
    return family !== 0 && list.check(plain, family === 6 ? "ipv6" : "ipv4");
  };
}
