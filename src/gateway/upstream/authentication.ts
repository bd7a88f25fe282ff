import { splice } from "../../json/splice.ts";
import { type AuthAnswer, readAuthAnswer, routeApis } from "./apis.ts";
import { type Base, lastSegmentOf, parseBase, permissionCure } from "./base.ts";
import type { Core, GatewayRequest, Transform } from "../core.ts";
import { usableBases } from "./discovery.ts";
import { refuse } from "../exchange/errors.ts";
import { forward, type Route } from "./forward.ts";
import { headGate, plainBody } from "./gates.ts";
import { fieldOf } from "../exchange/headers.ts";
import { publicRoot } from "./public-address.ts";

/**
 * POST /v1/auth, POST /v1/refreshToken and GET /v1/apis: forwarded to the authentication base;
 * every address in `apis` becomes a route of ours, so that clients come back here after login
 * (chatbot.md, 8.1).
 */
export function authenticate(core: Core, request: GatewayRequest): void | Promise<void> {
  const { target, upstream } = request;
  const base = parseBase(upstream.auth);
  if (target.kind !== "auth" || base === null) {
    return refuse(request.exchange, 502, "No authentication address is configured.");
  }
  const here = publicRoot(
    request.snapshot.config,
    request.exchange,
    core.trustsPeer,
    target.prefix,
  );
  const route: Route = {
    name: target.operation,
    reserved: true,
    bounded: true,
    transform: carriesApis(target.operation, request)
      ? () => apisTransform(core, request, here)
      : null,
  };
  const to = { base, trusted: true, rest: target.rest, route: () => here };
  return forward(core, request, to, route);
}

/** HEAD and preflights have no body to look at. */
function carriesApis(
  operation: "auth" | "refresh" | "apis",
  { exchange }: GatewayRequest,
): boolean {
  return exchange.method === (operation === "apis" ? "GET" : "POST");
}

function apisTransform(core: Core, request: GatewayRequest, here: string): Transform {
  const { upstream, snapshot } = request;
  const limit = snapshot.config.limits.transformBytes;
  return {
    limit,
    gate: (head) => headGate(head.status, head.headers, limit),
    async edit(head, body) {
      const plain = await plainBody(core.platform, head.headers, body, limit);
      if (plain === null) return null;
      const answer = readAuthAnswer(plain, core.platform.now());
      if (answer === null) return null;
      await learn(core, request, answer);
      if (answer.apis === null) return null;
      const { edits, refused } = await routeApis(answer.apis, upstream, async (product, base) => {
        const segment = await core.routes.segmentFor(product, base.address);
        if (segment === null) return null;
        // A client that joins without a slash of its own needs the one it was given.
        const slash = base.address.endsWith("/") ? "/" : "";
        return `${here}/r/${segment}${lastSegmentOf(base)}${slash}`;
      });
      for (const base of refused) reportRefused(core, base);
      return edits.length === 0 ? null : splice(plain, edits);
    },
  };
}

/** Plain paths need not ask for what an answer to login has said already. */
async function learn(core: Core, request: GatewayRequest, answer: AuthAnswer): Promise<void> {
  const { accessToken: token, apis, expires } = answer;
  if (token === null) return;
  const { upstream } = request;
  const bases = apis === null ? null : usableBases(apis, upstream, () => {});
  const apiKey = apiKeyOf(request)?.value ?? "";
  await core.discovery.learn({ upstream, apiKey, token, bases, expires });
}

/** An address that may not be used stays as sent; the log says what to write to allow it. */
export function reportRefused(core: Core, base: Base): void {
  core.metrics.count("afterword_discovery_refused_total");
  core.platform.log("warn", "discovery-refused", { host: base.host, cure: permissionCure(base) });
}

/** The client's API key, under the header name it used. */
export function apiKeyOf(
  request: Pick<GatewayRequest, "exchange">,
): { readonly name: string; readonly value: string } | null {
  for (const name of ["x-inbenta-key", "x-vendor-key"]) {
    const value = fieldOf(request.exchange.headers, name);
    if (value !== null) return { name, value };
  }
  return null;
}
