import type { Core } from "../core.ts";
import type { GatewayRequest } from "../exchange/request.ts";
import { identify, valuesOf } from "./identify.ts";
import type { JwtCheck, LoadJwtCheck, CallerClaims } from "./jwt-check.ts";
import type { Platform } from "../exchange/platform.ts";

/**
 * Creates the function that reads what a caller has signed about the chat's reader, from
 * `x-afterword-caller: Bearer <token>` on a message. The token counts only if it is from a caller of
 * the same instance and meets all conditions of this caller in the configuration.
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
