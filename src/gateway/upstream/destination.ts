import type { Product } from "../../api/call/routes.ts";
import { account, type ExchangeCore } from "../exchange/accounting.ts";
import { refuse } from "../exchange/errors.ts";
import { isNamed } from "../exchange/headers.ts";
import type { GatewayRequest } from "../exchange/request.ts";
import { productOf } from "../exchange/target.ts";
import {
  type Base,
  lastSegmentOf,
  parseBase,
  describePermissionCure,
  permissionOf,
} from "./base.ts";
import { credentialsOf, type Discovered } from "./discovery.ts";
import { createClientHeaders, filterFields } from "./forwarded-headers.ts";
import { allowPreflight } from "./preflight.ts";
import { findPublicRoot } from "./public-address.ts";
import type { Destination, UpstreamCore } from "./route.ts";

/**
 * Finds the base of a request: from its signed route, from the configuration, or by discovery with
 * the client's credentials. Null if the request was answered instead.
 */
export async function findDestination(
  core: UpstreamCore,
  request: GatewayRequest,
): Promise<Destination | null> {
  const { target } = request;
  if (target.kind === "signed") return findSignedDestination(core, request, target);
  if (target.kind !== "product") return refuseDestination(core, request, 404, nothingHere);
  const { product, rest, prefix } = target;
  const route = (): string =>
    findPublicRoot(request.snapshot.config, request.exchange, prefix) +
    readProductPath(request, product, prefix);
  const base = findConfiguredBase(request, product);
  if (base !== null) return { product, base, trusted: true, rest, route };
  const discovered = await discoverBase(core, request, product);
  if (discovered === null) return null;
  // The base may have been discovered under an older configuration than the one in force.
  const permission = permissionOf(discovered, request.upstream);
  if (permission === "refused") {
    reportRefusedBase(core, discovered);
    return refuseUnknownProduct(core, request, product);
  }
  return { product, base: discovered, trusted: permission === "named", rest, route };
}

/** Asks the upstream for a product's base. Null if the request was answered instead. */
async function discoverBase(
  core: UpstreamCore,
  request: GatewayRequest,
  product: Product,
): Promise<Base | null> {
  const { exchange } = request;
  const credentials = credentialsOf(exchange.headers);
  if (credentials === null) {
    // A preflight carries no credentials.
    if (exchange.method !== "OPTIONS") return refuseWithoutCredentials(core, request, product);
    allowPreflight(exchange);
    return null;
  }
  const found = await core.discovery.find(request.upstream, credentials);
  if (found.kind === "refusal") return relayRefusal(core, request, found.answer);
  if (found.kind === "failed") {
    const message = "The product's address could not be discovered.";
    return refuseDestination(core, request, found.status, message);
  }
  return found.bases.get(product) ?? refuseUnknownProduct(core, request, product);
}

function refuseWithoutCredentials(
  core: UpstreamCore,
  request: GatewayRequest,
  product: Product,
): null {
  const message =
    product === "chat"
      ? `No address of the live chat is known.${chatSetting}`
      : "An API key and an access token are needed to find this product.";
  return refuseDestination(core, request, 401, message);
}

function refuseUnknownProduct(core: UpstreamCore, request: GatewayRequest, product: Product): null {
  const setting = product === "chat" ? chatSetting : "";
  const message = `This project has no usable ${product} address.${setting}`;
  return refuseDestination(core, request, 404, message);
}

function refuseDestination(
  core: UpstreamCore,
  request: GatewayRequest,
  status: 401 | 404 | 502 | 504,
  message: string,
): null {
  refuse(request.exchange, status, message, [], productOf(request.target));
  account(core, request, productOf(request.target) || "unknown", status);
  return null;
}

/** Sends the answer with which the upstream refused the client's credentials. */
function relayRefusal(
  core: UpstreamCore,
  request: GatewayRequest,
  { status, reason, headers, body }: Extract<Discovered, { kind: "refusal" }>["answer"],
): null {
  const { exchange } = request;
  const fields = filterFields(
    createClientHeaders(status, headers),
    (name) => !isNamed(name, "content-length"),
  );
  if (status !== 204) fields.push("Content-Length", String(body.length));
  exchange.reply.send(status, reason, fields, exchange.method === "HEAD" ? null : body);
  account(core, request, productOf(request.target) || "unknown", status);
  return null;
}

/** Clients of the live chat have no API key for discovery, so the configuration must have the address. */
const chatSetting = " Set upstream.chat in the gateway's configuration.";

const nothingHere = "There is nothing at this address.";

/** Counts a base that may not be called, and logs the setting that would allow it. */
export function reportRefusedBase({ metrics, platform }: ExchangeCore, base: Base): void {
  metrics.count("afterword_discovery_refused_total");
  platform.log("warn", "discovery-refused", {
    host: base.host,
    cure: describePermissionCure(base),
  });
}

async function findSignedDestination(
  core: UpstreamCore,
  request: GatewayRequest,
  target: Extract<GatewayRequest["target"], { kind: "signed" }>,
): Promise<Destination | null> {
  const { routes } = core;
  const route = routes.known(target.segment) ?? (await routes.read(target.segment));
  if (route === null) {
    core.metrics.count("afterword_segments_refused_total");
    return refuseDestination(core, request, 404, nothingHere);
  }
  const last = lastSegmentOf(route.base);
  const rest = target.rest.startsWith(last) ? target.rest.slice(last.length) : null;
  if (rest === null || !/^(?:[/?]|$)/.test(rest))
    return refuseDestination(core, request, 404, nothingHere);
  // A segment never expires, so the configuration in force decides whether its base may be called.
  const permission = permissionOf(route.base, request.upstream);
  if (permission === "refused") {
    core.metrics.count("afterword_segments_refused_total");
    reportRefusedBase(core, route.base);
    return refuseDestination(core, request, 404, nothingHere);
  }
  const findRoot = (): string => {
    const { snapshot, exchange } = request;
    const root = findPublicRoot(snapshot.config, exchange, target.prefix);
    return `${root}/r/${target.segment}${last}`;
  };
  return {
    product: route.product,
    base: route.base,
    trusted: permission === "named",
    rest,
    route: findRoot,
  };
}

/** Finds the base that the configuration names for a product; null if it names none. */
export function findConfiguredBase(
  { upstream }: Pick<GatewayRequest, "upstream">,
  product: string,
): Base | null {
  const fixed = Object.hasOwn(upstream.apis, product) ? upstream.apis[product] : undefined;
  const address = product === "chat" ? (upstream.chat ?? fixed) : fixed;
  return address === undefined ? null : parseBase(address);
}

/** Reads `/chatbot` if the client's path names the product; empty for routes at the root. */
function readProductPath(request: GatewayRequest, product: string, prefix: string): string {
  const path = request.exchange.target.replace(/^https?:\/\/[^/?#]*/i, "").slice(prefix.length);
  const named =
    path === `/${product}` || path.startsWith(`/${product}/`) || path.startsWith(`/${product}?`);
  return named ? `/${product}` : "";
}
