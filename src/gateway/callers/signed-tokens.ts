import type { Core } from "../core.ts";
import type { GatewayRequest } from "../exchange/request.ts";
import { identify, valuesOf } from "./identify.ts";
import type { JwtCheck, LoadJwtCheck, CallerClaims } from "./jwt-check.ts";
import type { Platform } from "../exchange/platform.ts";

/**
 * Creates the reader of claims that a caller signs about a reader: `x-afterword-caller: Bearer
 * <token>` beside a message. The token must be that of a caller of the same instance, with
 * everything that this caller has in the configuration. Otherwise it is ignored.
 */
export function createClaimsOf(
  loadJwtCheck: LoadJwtCheck,
): (core: Core, arrival: GatewayRequest) => Promise<CallerClaims | null> {
  let jwtCheck: Promise<JwtCheck> | null = null;

  return async ({ platform }, { exchange, snapshot, instance }) => {
    const { callers } = snapshot.config;
    const signed = callers.filter(({ jwt, instance: of }) => jwt !== null && of === instance?.name);
    if (signed.length === 0 || valuesOf(exchange.headers, "x-afterword-caller").length === 0) {
      return null;
    }
    const who = await identify(signed, exchange.headers, platform, () => {
      return (jwtCheck ??= loadJwtCheck(platform));
    });
    return who.kind === "caller" ? who.claims : null;
  };
}

/** Loads jose when the first signed token arrives. */
export async function loadJwtCheck(platform: Platform): Promise<JwtCheck> {
  const { createJwtCheck } = await import("./jwt.ts");
  return createJwtCheck(platform);
}
