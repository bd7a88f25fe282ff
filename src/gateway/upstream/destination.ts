import type { ExchangeCore } from "../exchange/accounting.ts";
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

/** The destination of a product's request, or the reason why it goes nowhere. */
export type Resolved =
  | { readonly kind: "to"; readonly destination: Destination; readonly product: string }
  | Extract<Discovered, { kind: "refusal" }>
  /** No base is known for a preflight, which carries no credentials. */
  | { readonly kind: "preflight" }
  | { readonly kind: "none"; readonly status: 401 | 404 | 502 | 504; readonly message: string };

/** Finds a target's base: signed, configured, or discovered with the client's credentials. */
export async function resolveDestination(
  core: UpstreamCore,
  request: GatewayRequest,
): Promise<Resolved> {
  const { target } = request;
  if (target.kind === "signed") return resolveSignedDestination(core, request, target);
  if (target.kind !== "product") return unknownRoute;
  const { product, rest, prefix } = target;
  const base = findConfiguredBase(request, product);
  const findRoot = (): string =>
    findPublicRoot(request.snapshot.config, request.exchange, prefix) +
    readProductPath(request, product, prefix);
  if (base !== null)
    return { kind: "to", product, destination: { base, trusted: true, rest, route: findRoot } };
  return discover(core, request, product, rest, findRoot);
}

/** Answers a request that has no destination. */
export function answerUnresolved(
  { exchange, target }: GatewayRequest,
  resolved: Exclude<Resolved, { kind: "to" }>,
): void {
  if (resolved.kind === "preflight") allowPreflight(exchange);
  else if (resolved.kind === "none") {
    refuse(exchange, resolved.status, resolved.message, [], productOf(target));
  } else {
    const { status, reason, headers, body } = resolved.answer;
    const fields = filterFields(
      createClientHeaders(status, headers),
      (name) => !isNamed(name, "content-length"),
    );
    if (status !== 204) fields.push("Content-Length", String(body.length));
    exchange.reply.send(status, reason, fields, exchange.method === "HEAD" ? null : body);
  }
}

async function discover(
  core: UpstreamCore,
  request: GatewayRequest,
  product: string,
  rest: string,
  findRoot: () => string,
): Promise<Resolved> {
  const credentials = credentialsOf(request.exchange.headers);
  if (credentials === null) {
    return request.exchange.method === "OPTIONS"
      ? { kind: "preflight" }
      : {
          kind: "none",
          status: 401,
          message:
            product === "chat"
              ? `No address of the live chat is known.${chatSetting}`
              : "An API key and an access token are needed to find this product.",
        };
  }
  const found = await core.discovery.find(request.upstream, credentials);
  if (found.kind === "refusal") return found;
  if (found.kind === "failed") {
    return {
      kind: "none",
      status: found.status,
      message: "The product's address could not be discovered.",
    };
  }
  const discovered = found.bases.get(product);
  const unusable: Resolved = {
    kind: "none",
    status: 404,
    message: `This project has no usable ${product} address.${product === "chat" ? chatSetting : ""}`,
  };
  if (discovered === undefined) return unusable;
  // The base may have been discovered under an older configuration than the one in force.
  const permission = permissionOf(discovered, request.upstream);
  if (permission === "refused") {
    reportRefusedBase(core, discovered);
    return unusable;
  }
  const trusted = permission === "named";
  return { kind: "to", product, destination: { base: discovered, trusted, rest, route: findRoot } };
}

/** Clients of the live chat have no API key for discovery, so the configuration must have the address. */
const chatSetting = " Set upstream.chat in the gateway's configuration.";

const unknownRoute: Resolved = {
  kind: "none",
  status: 404,
  message: "There is nothing at this address.",
};

/** Counts a base that may not be called, and logs the setting that would allow it. */
export function reportRefusedBase({ metrics, platform }: ExchangeCore, base: Base): void {
  metrics.count("afterword_discovery_refused_total");
  platform.log("warn", "discovery-refused", {
    host: base.host,
    cure: describePermissionCure(base),
  });
}

async function resolveSignedDestination(
  core: UpstreamCore,
  request: GatewayRequest,
  target: Extract<GatewayRequest["target"], { kind: "signed" }>,
): Promise<Resolved> {
  const { routes } = core;
  const route = routes.known(target.segment) ?? (await routes.read(target.segment));
  if (route === null) {
    core.metrics.count("afterword_segments_refused_total");
    return unknownRoute;
  }
  const last = lastSegmentOf(route.base);
  const rest = target.rest.startsWith(last) ? target.rest.slice(last.length) : null;
  if (rest === null || !/^(?:[/?]|$)/.test(rest)) return unknownRoute;
  // A segment never expires, so the configuration in force decides whether its base may be called.
  const permission = permissionOf(route.base, request.upstream);
  if (permission === "refused") {
    core.metrics.count("afterword_segments_refused_total");
    reportRefusedBase(core, route.base);
    return unknownRoute;
  }
  const findRoot = (): string => {
    const { snapshot, exchange } = request;
    const root = findPublicRoot(snapshot.config, exchange, target.prefix);
    return `${root}/r/${target.segment}${last}`;
  };
  return {
    kind: "to",
    product: route.product,
    destination: {
      base: route.base,
      trusted: permission === "named",
      rest,
      route: findRoot,
    },
  };
}

/** The base that the configuration names for a product, or null. */
export function findConfiguredBase(
  { upstream }: Pick<GatewayRequest, "upstream">,
  product: string,
): Base | null {
  const fixed = Object.hasOwn(upstream.apis, product) ? upstream.apis[product] : undefined;
  const address = product === "chat" ? (upstream.chat ?? fixed) : fixed;
  return address === undefined ? null : parseBase(address);
}

/** `/chatbot` when the client wrote the product's name, else empty for root routes. */
function readProductPath(request: GatewayRequest, product: string, prefix: string): string {
  const path = request.exchange.target.replace(/^https?:\/\/[^/?#]*/i, "").slice(prefix.length);
  const named =
    path === `/${product}` || path.startsWith(`/${product}/`) || path.startsWith(`/${product}?`);
  return named ? `/${product}` : "";
}
