import { once } from "node:events";
import type { ChatSockets } from "../../backend/chat/events/node-sockets.ts";
import type { OpenTunnel } from "./tunnel.ts";

/**
 * Hands upgrades for `embedded:chat` to the chat in this process, which takes the connection over
 * as its own. Others are answered 404: the backend has no other sockets.
 */
export function createEmbeddedTunnel(sockets: ChatSockets): OpenTunnel {
  return async ({ incoming, head, reply, release, upstream }) => {
    const { method, headers } = incoming;
    const target = upstream.path;
    const ours =
      upstream.origin === "embedded:chat" && sockets.accepts({ method, url: target, headers });
    if (!ours) {
      reply.send(404, "Not Found", ["content-length", "0"], new Uint8Array(0));
      return { kind: "answered", status: 404 };
    }
    const socket = release();
    // The client left while it waited for its place: nothing would tell of it any more.
    if (socket.destroyed) return { kind: "closed" };
    const over = once(socket, "close");
    socket.setTimeout(0);
    const client = upstream.client ?? "";
    sockets.open({
      incoming,
      socket,
      head: Buffer.from(head),
      target,
      ...(client !== "" && { client }),
    });
    await over.catch(() => undefined);
    return { kind: "closed" };
  };
}

/** Sends upgrades for `embedded:` origins to one and all others to another. */
export function combineTunnels(embedded: OpenTunnel | null, network: OpenTunnel): OpenTunnel {
  return (request) =>
    embedded !== null && request.upstream.origin.startsWith("embedded:")
      ? embedded(request)
      : network(request);
}
