import { splice } from "../../json/splice.ts";
import { refuse } from "../exchange/errors.ts";
import type { GatewayRequest } from "../exchange/request.ts";
import { type AuthAnswer, readAuthAnswer, routeApis } from "./apis.ts";
import { lastSegmentOf, parseBase } from "./base.ts";
import { reportRefusedBase } from "./destination.ts";
import { apiKeyOf, listUsableBases } from "./discovery.ts";
import { forward } from "./forward.ts";
import { findPublicRoot } from "./public-address.ts";
import type { Transform, UpstreamCore } from "./route.ts";

/**
 * POST /v1/auth, POST /v1/refreshToken and GET /v1/apis: forwarded to the authentication base;
 * every address in `apis` becomes a route of this gateway, so that clients return here after login
 * (chatbot.md, 8.1).
 */
export function authenticate(core: UpstreamCore, request: GatewayRequest): void | Promise<void> {
  const { target, upstream } = request;
  const base = parseBase(upstream.auth);
  if (target.kind !== "auth" || base === null) {
    return refuse(request.exchange, 502, "No authentication address is configured.");
  }
  const here = findPublicRoot(request.snapshot.config, request.exchange, target.prefix);
  return forward(core, request, {
    name: target.operation,
    to: { product: "auth", base, trusted: true, rest: target.rest, route: () => here },
    reserved: true,
    bounded: true,
    transform: carriesApis(target.operation, request)
      ? createApisTransform(core, request, here)
      : null,
  });
}

/** HEAD and preflights have no body to look at. */
function carriesApis(
  operation: "auth" | "refresh" | "apis",
  { exchange }: GatewayRequest,
): boolean {
  return exchange.method === (operation === "apis" ? "GET" : "POST");
}

function createApisTransform(core: UpstreamCore, request: GatewayRequest, here: string): Transform {
  return {
    edits: true,
    async apply(body) {
      const answer = readAuthAnswer(body, core.platform.now());
      if (answer === null) return null;
      await learn(core, request, answer);
      if (answer.apis === null) return null;
      const { edits, refused } = await routeApis(
        answer.apis,
        request.upstream,
        async (product, base) => {
          const segment = await core.routes.segmentFor(product, base.address);
          if (segment === null) return null;
          // A client that joins without a slash of its own needs the one it was given.
          const slash = base.address.endsWith("/") ? "/" : "";
          return `${here}/r/${segment}${lastSegmentOf(base)}${slash}`;
        },
      );
      for (const base of refused) reportRefusedBase(core, base);
      return edits.length === 0 ? null : { body: splice(body, edits), decided: null, fields: [] };
    },
  };
}

/** Saves discovery for plain paths whose base the login's answer already named. */
async function learn(
  core: UpstreamCore,
  request: GatewayRequest,
  answer: AuthAnswer,
): Promise<void> {
  const { accessToken: token, apis, expires } = answer;
  if (token === null) return;
  const { upstream } = request;
  const bases = apis === null ? null : listUsableBases(apis, upstream, () => {});
  const apiKey = apiKeyOf(request.exchange.headers)?.apiKey ?? "";
  await core.discovery.learn({ upstream, apiKey, token, bases, expires });
}
