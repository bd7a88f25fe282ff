import { request as httpRequest, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Reply } from "../../../gateway/exchange/exchange.ts";
import { createClientHeaders } from "../../../gateway/upstream/forwarded-headers.ts";
import { createConnect, failureOf, parseOrigin } from "../../../http/connect.ts";
import { Deadline } from "../../../http/deadline.ts";
import type { Failure, HttpRequest } from "../../../http/types.ts";
import type { UpgradeExchange } from "./exchange.ts";
import { networkOf, type NodeTransportOptions } from "../transport.ts";

/** An upgrade request for an upstream. */
export interface TunnelRequest {
  readonly incoming: IncomingMessage;
  /** The receiver of an answer that is not an upgrade. */
  readonly reply: Reply;
  /** The first bytes of the tunnel, which the client sent with its head. */
  readonly head: Uint8Array;
  /** Returns the client's bare socket after the upstream has agreed. */
  readonly release: UpgradeExchange["release"];
  /**
   * The request with its end-to-end headers, Host first. Connection and Upgrade are added. The limits
   * `total` and `idle` do not apply.
   */
  readonly upstream: Pick<
    HttpRequest,
    "origin" | "path" | "headers" | "trusted" | "timeouts" | "client"
  >;
}

/** How a tunnel ended. */
export type TunnelOutcome =
  /** The tunnel was open until a side closed it. */
  | { readonly kind: "closed" }
  /** The upstream sent an ordinary answer, which was relayed. */
  | { readonly kind: "answered"; readonly status: number }
  /** Nothing was sent to the client, so the caller must answer. */
  | { readonly kind: "failed"; readonly error: Failure };

export type OpenTunnel = (request: TunnelRequest) => Promise<TunnelOutcome>;

/** Milliseconds of silence after which TCP probes whether the other side is still there. */
const keepAliveDelay = 30_000;

/**
 * Creates the function that connects a client with an upstream for a WebSocket. It relays the request
 * and the answer unchanged, and then the bytes in both directions until either side closes. Its
 * promise resolves at the end, and never rejects.
 */
export function createTunnels(options: Omit<NodeTransportOptions, "keepAlive"> = {}): OpenTunnel {
  const network = networkOf(options);
  return async (request) => {
    const { origin, trusted, timeouts } = request.upstream;
    const target = parseOrigin(origin);
    if (target === null) {
      return createFailed({ kind: "refused", detail: "not an http or https origin", sent: false });
    }
    // Through a proxy a tunnel needs CONNECT even for plain http.
    const how = { trusted, timeout: timeouts.connect, proxy: network.proxyFor(target) };
    const opened = await new Promise<Socket | Failure>((resolve) => {
      createConnect(target, how, network)((socket, failure) => resolve(socket ?? failure));
    });
    return "kind" in opened ? createFailed(opened) : await shakeHands(request, opened);
  };
}

/** Sends upgrades for `embedded:` origins to the embedded backend, and all others to the network. */
export function combineTunnels(embedded: OpenTunnel | null, network: OpenTunnel): OpenTunnel {
  return (request) =>
    embedded !== null && request.upstream.origin.startsWith("embedded:")
      ? embedded(request)
      : network(request);
}

function shakeHands(request: TunnelRequest, socket: Socket): Promise<TunnelOutcome> {
  const { incoming, reply, upstream } = request;
  return new Promise((resolve) => {
    const limits = { headers: upstream.timeouts.headers, total: 0, idle: 0 };
    const deadline = new Deadline(limits, (limit) =>
      settle(createFailed({ kind: "timeout", detail: limit, sent: true })),
    );
    const settle = (outcome: TunnelOutcome): void => {
      deadline.stop();
      if (outcome.kind === "failed") socket.destroy();
      resolve(outcome);
    };

    const outgoing = httpRequest({
      method: incoming.method ?? "GET",
      path: upstream.path,
      headers: [...upstream.headers, "Connection", "Upgrade", "Upgrade", upgradeOf(incoming)],
      createConnection: () => socket,
    });
    outgoing.on("error", (error) => settle(createFailed(failureOf(error, true))));
    outgoing.on("upgrade", (answer, agreed, rest) => {
      deadline.stop();
      if (answer.headers.upgrade?.toLowerCase() !== "websocket") {
        settle(
          createFailed(createBroken("the upstream switched to a protocol that was not asked for")),
        );
        return;
      }
      let client: Socket | null = null;
      try {
        client = request.release();
        client.write(headOf(answer), "latin1");
        resolve(join(client, request.head, agreed, rest));
      } catch (error) {
        // Once the client's socket is released, no ordinary answer can go out on it.
        client?.destroy();
        settle(createFailed(createBroken(String(error))));
      }
    });
    outgoing.on("response", (answer) => {
      deadline.stop();
      const status = answer.statusCode ?? 0;
      if (status < 200 || status > 999) {
        // Node's parser accepts any three digits, but its server does not send all of them.
        answer.on("error", () => undefined);
        settle(createFailed(createBroken(`the upstream answered with status ${status}`)));
        return;
      }
      try {
        relayAnswer(answer, reply, socket, () => settle({ kind: "answered", status }));
      } catch (error) {
        answer.on("error", () => undefined);
        if (reply.started) reply.abort();
        settle(createFailed(createBroken(String(error))));
      }
    });
    reply.onGone(() => {
      socket.destroy();
      // The end of an ordinary answer settles the promise.
      if (reply.started) return;
      settle(createFailed({ kind: "cancelled", detail: "the client is gone", sent: true }));
    });
    outgoing.end();
  });
}

/** Streams an ordinary answer to the client. `onEnd` is called when the upstream's connection has ended. */
function relayAnswer(
  answer: IncomingMessage,
  reply: Reply,
  socket: Socket,
  onEnd: () => void,
): void {
  const status = answer.statusCode ?? 0;
  reply.head(status, answer.statusMessage ?? "", createClientHeaders(status, answer.rawHeaders));
  reply.onDrain(() => answer.resume());
  answer.on("data", (chunk: Uint8Array) => {
    if (!reply.write(chunk)) answer.pause();
  });
  answer.on("end", () => reply.end(answer.rawTrailers));
  answer.on("error", () => reply.abort());
  answer.on("close", () => {
    socket.destroy();
    onEnd();
  });
}

/** Relays bytes in both directions until either side closes. A slow side slows down the other. */
function join(
  client: Socket,
  first: Uint8Array,
  upstream: Duplex,
  rest: Uint8Array,
): Promise<TunnelOutcome> {
  return new Promise((resolve) => {
    const close = (): void => {
      client.destroy();
      upstream.destroy();
      resolve({ kind: "closed" });
    };
    for (const side of [client, upstream]) {
      side.on("error", close).on("close", close);
      if ("setKeepAlive" in side) {
        side.setTimeout(0);
        side.setNoDelay(true);
        side.setKeepAlive(true, keepAliveDelay);
      }
    }
    if (first.length > 0) upstream.write(first);
    if (rest.length > 0) client.write(rest);
    client.pipe(upstream);
    upstream.pipe(client);
  });
}

function headOf(answer: IncomingMessage): string {
  let head = `HTTP/1.1 ${answer.statusCode ?? 101} ${answer.statusMessage ?? ""}\r\n`;
  const raw = answer.rawHeaders;
  for (let i = 0; i + 1 < raw.length; i += 2) {
    // The bytes after this head are no body (RFC 9110 section 8.6, RFC 9112 section 6.1).
    if (/^(?:content-length|transfer-encoding)$/i.test(raw[i] ?? "")) continue;
    head += `${raw[i]}: ${raw[i + 1]}\r\n`;
  }
  return `${head}\r\n`;
}

function upgradeOf(incoming: IncomingMessage): string {
  return incoming.headers.upgrade ?? "websocket";
}

function createBroken(detail: string): Failure {
  return { kind: "broken", detail, sent: true };
}

function createFailed(error: Failure): TunnelOutcome {
  return { kind: "failed", error };
}
