import { ServerResponse, type IncomingMessage } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { TLSSocket } from "node:tls";
import type { Exchange, RawHeaders, Reply, RequestBody } from "../../gateway/exchange.ts";
import { createReply } from "./reply.ts";
import { type BodyRoom, createRequestBody } from "./request-body.ts";

/**
 * One request on Node's HTTP server, as the gateway sees it. Nothing may have been written to
 * `outgoing` before.
 *
 * @param closed called once when the answer is closed, whole or not
 * @param room what is kept of the body takes room of it until then; null: nobody counts
 */
export function createNodeExchange(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  closed?: () => void,
  room: BodyRoom | null = null,
): Exchange {
  return new NodeExchange(incoming, outgoing, closed, room);
}

/** There is one for every request: a class, so that all have one shape. */
class NodeExchange implements Exchange {
  readonly method: string;
  readonly target: string;
  readonly headers: RawHeaders;
  readonly body: RequestBody | null;
  readonly reply: Reply;
  readonly #socket: Socket;

  constructor(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    closed: (() => void) | undefined,
    room: BodyRoom | null,
  ) {
    this.method = incoming.method ?? "GET";
    this.target = incoming.url ?? "";
    this.headers = incoming.rawHeaders;
    const body = createRequestBody(incoming, room);
    this.body = body;
    const over = body === null ? closed : () => (body.release(), closed?.());
    this.reply = createReply(incoming, outgoing, undefined, over);
    this.#socket = incoming.socket;
  }

  // Asked for by few.
  get peer(): { readonly address: string; readonly encrypted: boolean } {
    const socket = this.#socket;
    return { address: socket.remoteAddress ?? "", encrypted: socket instanceof TLSSocket };
  }
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
