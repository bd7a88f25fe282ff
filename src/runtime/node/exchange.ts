import { ServerResponse, type IncomingMessage } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { TLSSocket } from "node:tls";
import { type Client, clientBehind } from "../../client-address.ts";
import type { Exchange, RawHeaders, Reply, RequestBody } from "../../gateway/exchange.ts";
import { joinedFieldOf } from "../../gateway/headers.ts";
import type { TrustsPeer } from "../../gateway/public-address.ts";
import type { ByteBudget } from "../../shares.ts";
import { createReply } from "./reply.ts";
import { createRequestBody } from "./request-body.ts";

/** What exchanges on Node need beside their request. */
export interface ExchangeOptions {
  /** Room for what is kept of bodies, until the answer is closed. Default: nobody counts. */
  readonly bodies?: ByteBudget;
  /** Whose forwarding fields are believed. Default: nobody's. */
  readonly trusts?: TrustsPeer;
  /** Called once when the answer is closed, whole or not. */
  readonly closed?: () => void;
}

/**
 * One request on Node's HTTP server, as the gateway sees it. Nothing may have been written to
 * `outgoing` before.
 */
export function createNodeExchange(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  options: ExchangeOptions = {},
): Exchange {
  return new NodeExchange(incoming, outgoing, options);
}

class NodeExchange implements Exchange {
  readonly method: string;
  readonly target: string;
  readonly headers: RawHeaders;
  readonly body: RequestBody | null;
  readonly reply: Reply;
  readonly #socket: Socket;
  readonly #trusts: TrustsPeer;
  #client: Client | null = null;

  constructor(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    { bodies, trusts = nobody, closed }: ExchangeOptions,
  ) {
    this.method = incoming.method ?? "GET";
    this.target = incoming.url ?? "";
    this.headers = incoming.rawHeaders;
    this.#socket = incoming.socket;
    this.#trusts = trusts;
    const body = createRequestBody(incoming, bodies ?? null, () => this.client.share);
    this.body = body;
    const over = body === null ? closed : () => (body.release(), closed?.());
    this.reply = createReply(incoming, outgoing, undefined, over);
  }

  // Asked for by few.
  get peer(): { readonly address: string; readonly encrypted: boolean } {
    const socket = this.#socket;
    return { address: socket.remoteAddress ?? "", encrypted: socket instanceof TLSSocket };
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

function nobody(): boolean {
  return false;
}

/** An upgrade request whose socket Node's server has let go. */
export interface UpgradeExchange {
  /** An answer written here is an ordinary one, and closes the connection. */
  readonly exchange: Exchange;
  /**
   * Gives the bare socket up, for a tunnel; what the client has sent meanwhile is read from it
   * first.
   */
  readonly release: () => Socket;
}

/** Null when the socket is none of the system's. */
export function createUpgradeExchange(
  incoming: IncomingMessage,
  socket: Duplex,
): UpgradeExchange | null {
  if (!(socket instanceof Socket)) return null;
  const outgoing = new ServerResponse(incoming);
  outgoing.shouldKeepAlive = false;
  outgoing.assignSocket(socket);
  outgoing.on("finish", () => socket.end());

  // Nobody would notice that the client leaves without reading; so what it sends too early is kept,
  // up to a limit.
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
    exchange: createNodeExchange(incoming, outgoing),
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
