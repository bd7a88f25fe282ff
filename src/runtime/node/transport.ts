import type { LookupFunction } from "node:net";
import { isPublicHost } from "../../api/public-host.ts";
import { isAfterwordError } from "../../errors.ts";
import { type Transport, uploadFailure } from "../../gateway/transport.ts";
import { createHttpClient } from "../../http/client.ts";
import { failureOf } from "../../http/connect.ts";
import type { Network } from "../../http/types.ts";
import { type Environment, proxyFromEnvironment } from "./proxy.ts";

export interface NodeTransportOptions {
  /** Where HTTPS_PROXY, HTTP_PROXY and NO_PROXY are read, once. Default: none of them. */
  readonly env?: Environment;
  /** PEM texts of certificate authorities instead of Node's own (with NODE_EXTRA_CA_CERTS). */
  readonly ca?: string;
  /** Default: the system's resolver. */
  readonly lookup?: LookupFunction;
  /** Milliseconds an unused connection is kept, unless the upstream says less. Default 4000. */
  readonly keepAlive?: number;
}

export interface NodeTransport extends Transport {
  /** Breaks off what is under way and closes all connections. */
  close(): void;
}

/** Carries requests over HTTP/1.1: see src/http. */
export function createNodeTransport(options: NodeTransportOptions = {}): NodeTransport {
  return createHttpClient({
    ...networkOf(options),
    keepAlive: options.keepAlive,
    uploadFailed: (error) =>
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
