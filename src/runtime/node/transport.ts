import { BlockList, isIP, type LookupFunction } from "node:net";
import { isPublicHost } from "../../api/call/public-host.ts";
import { AfterwordError, isAfterwordError } from "../../errors.ts";
import { type Transport, uploadFailure } from "../../gateway/exchange/transport.ts";
import { createHttpClient, type HttpClient } from "../../http/client.ts";
import { toBareHost, failureOf, type Network, portOf } from "../../http/connect.ts";
import type { Proxy } from "../../http/types.ts";
import type { Environment } from "../../yaml/source.ts";

export interface NodeTransportOptions {
  /** The environment of HTTPS_PROXY, HTTP_PROXY and NO_PROXY, read once. Default: none of them. */
  readonly env?: Environment;
  /** PEM texts of certificate authorities instead of Node's own (with NODE_EXTRA_CA_CERTS). */
  readonly ca?: string;
  /** Default: the system's resolver. */
  readonly lookup?: LookupFunction;
  /** Milliseconds an unused connection is kept, unless the upstream says less. Default 4000. */
  readonly keepAlive?: number;
}

/** Creates a transport over HTTP/1.1 (src/http). */
export function createNodeTransport(options: NodeTransportOptions = {}): HttpClient {
  return createHttpClient({
    ...networkOf(options),
    keepAlive: options.keepAlive,
    toUploadFailure: (error) =>
      isAfterwordError(error) ? uploadFailure(error) : failureOf(error, true),
  });
}

export function networkOf({ env = {}, ca, lookup }: NodeTransportOptions): Network {
  return {
    proxyFor: proxyFromEnvironment(env),
    isPublic: isPublicHost,
    ...(ca !== undefined && { ca }),
    ...(lookup !== undefined && { lookup }),
  };
}

/** Sends `embedded:` origins to one transport and all others to another. */
export function combineTransports(embedded: Transport | null, network: Transport): Transport {
  if (embedded === null) return network;
  return {
    send: (request, receiver) =>
      (request.origin.startsWith("embedded:") ? embedded : network).send(request, receiver),
  };
}

/**
 * Reads HTTPS_PROXY, HTTP_PROXY and NO_PROXY (each also in lower case, which goes first). NO_PROXY
 * lists host names (with their subdomains), `.suffix`, `*.suffix`, IP addresses, CIDR ranges, each
 * with an optional port, or `*`.
 *
 * @throws AfterwordError `argument-invalid` when a proxy's address is unusable; its value is never
 *   in the message.
 */
export function proxyFromEnvironment(env: Environment): Network["proxyFor"] {
  const secure = parseProxy(env, "https_proxy");
  const plain = parseProxy(env, "http_proxy");
  if (secure === null && plain === null) return () => null;
  const exceptions = read(env, "no_proxy")
    .split(/[,\s]+/)
    .filter(Boolean)
    .map(parseException);
  return (target) => {
    const proxy = target.protocol === "https:" ? secure : plain;
    if (proxy === null) return null;
    const host = toBareHost(target.hostname);
    const port = portOf(target);
    return exceptions.some((matches) => matches(host, port)) ? null : proxy;
  };
}

function read(env: Environment, name: string): string {
  return (env[name] ?? env[name.toUpperCase()] ?? "").trim();
}

function parseProxy(env: Environment, name: string): Proxy | null {
  const text = read(env, name);
  if (text === "") return null;
  const withScheme = text.includes("://") ? text : `http://${text}`;
  const url = URL.canParse(withScheme) ? new URL(withScheme) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === "") {
    throw new AfterwordError(
      "argument-invalid",
      `${name.toUpperCase()} must be the http:// or https:// address of a proxy`,
    );
  }
  return { url, authorization: readBasicCredentials(url) };
}

function readBasicCredentials({ username, password }: URL): string | null {
  if (username === "" && password === "") return null;
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(pair).toString("base64")}`;
}

type Exception = (host: string, port: string) => boolean;

function parseException(entry: string): Exception {
  if (entry === "*") return () => true;
  const range = parseRange(entry);
  if (range !== null) return range;
  const [, bracketed, plain, onlyPort] = /^(?:\[(.+)\]|(.*?))(?::(\d+))?$/.exec(entry) ?? [];
  // A bare IPv6 address has colons of its own.
  const ipv6 = bracketed === undefined && isIP(entry) === 6;
  const name = (ipv6 ? entry : (bracketed ?? plain ?? entry)).toLowerCase();
  const port = ipv6 ? undefined : onlyPort;
  const suffix = toBareHost(name.replace(/^\*?\./, ""));
  const alsoItself = !name.startsWith("*.");
  return (host, at) =>
    (port === undefined || port === at) &&
    ((alsoItself && host === suffix) || host.endsWith(`.${suffix}`));
}

function parseRange(entry: string): Exception | null {
  const [, net = "", bits = ""] = /^([0-9a-f:.]+)\/(\d{1,3})$/i.exec(entry) ?? [];
  const family = isIP(net) === 4 ? "ipv4" : "ipv6";
  if (isIP(net) === 0 || Number(bits) > (family === "ipv4" ? 32 : 128)) return null;
  const list = new BlockList();
  list.addSubnet(net, Number(bits), family);
  return (host) => isIP(host) !== 0 && list.check(host, isIP(host) === 4 ? "ipv4" : "ipv6");
}
