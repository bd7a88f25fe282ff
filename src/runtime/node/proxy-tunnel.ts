import { isIP, type Socket } from "node:net";
import type { buildConnector } from "undici";
import { AfterwordError } from "../../errors.ts";
import { bareHost, type Proxy } from "./proxy.ts";

export interface ProxyTunnelRequest {
  readonly proxy: Proxy;
  /** `host:port` that the proxy shall connect to. */
  readonly authority: string;
  /** Milliseconds until the tunnel must stand; 0 is none. */
  readonly timeout: number;
  readonly connect: buildConnector.connector;
}

/**
 * Asks a proxy for a tunnel (RFC 9110, 9.3.6). undici's own ProxyAgent is not used: it turns raw
 * header lists into objects, which loses duplicates. Errors never carry undici's UND_ERR_SOCKET,
 * which its client takes for "try again" without end.
 */
export function connectThroughProxy(
  { proxy, authority, timeout, connect }: ProxyTunnelRequest,
  callback: (...result: [Error, null] | [null, Socket]) => void,
): void {
  const { url } = proxy;
  const hostname = bareHost(url.hostname);
  const servername = isIP(hostname) === 0 ? hostname : "";
  const target = { hostname, host: url.host, protocol: url.protocol, port: url.port, servername };
  connect(target, (error, socket) => {
    // Where undici's types say null it passes nothing at all.
    if (error !== null || socket === null) {
      callback(unreachable("the proxy cannot be reached", error), null);
      return;
    }
    awaitTunnel(socket, timeout, callback);
    const credentials =
      proxy.authorization === null ? "" : `Proxy-Authorization: ${proxy.authorization}\r\n`;
    socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${credentials}\r\n`);
  });
}

/** Far more than any proxy says before a tunnel. */
const maxHead = 16_384;

function awaitTunnel(
  socket: Socket,
  timeout: number,
  callback: (...result: [Error, null] | [null, Socket]) => void,
): void {
  let head: Buffer = Buffer.alloc(0);
  const timer = timeout > 0 ? setTimeout(() => fail("the proxy does not answer"), timeout) : null;

  const settle = (): void => {
    if (timer !== null) clearTimeout(timer);
    socket.off("readable", onReadable).off("error", onEnd).off("close", onEnd).off("end", onEnd);
  };
  const fail = (reason: string): void => {
    settle();
    socket.on("error", () => undefined).destroy();
    callback(unreachable(reason), null);
  };
  const onEnd = (): void => fail("the proxy closed the connection");
  const onReadable = (): void => {
    for (let bytes: unknown = socket.read(); bytes instanceof Uint8Array; bytes = socket.read()) {
      head = Buffer.concat([head, bytes]);
    }
    const end = head.indexOf("\r\n\r\n");
    if (end === -1) {
      if (head.length > maxHead) fail("the proxy's answer has no end");
      return;
    }
    const status = /^HTTP\/1\.[01] (\d{3})/.exec(head.toString("latin1", 0, 13))?.[1] ?? "none";
    if (!status.startsWith("2")) {
      fail(`the proxy refused the tunnel with status ${status}`);
      return;
    }
    settle();
    if (head.length > end + 4) socket.unshift(head.subarray(end + 4));
    callback(null, socket);
  };
  socket.on("readable", onReadable).on("error", onEnd).on("close", onEnd).on("end", onEnd);
}

function unreachable(message: string, cause: Error | null = null): AfterwordError {
  return new AfterwordError("upstream-unreachable", message, cause === null ? {} : { cause });
}
