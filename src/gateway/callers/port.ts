import type { CallerJwt } from "../../config/config.ts";
import type { GatewayRequest, Core } from "../core.ts";
import type { Platform } from "../platform.ts";

/**
 * Requests that Afterword's own credentials are added to. A port, so that who has no callers need
 * not carry them.
 */
export interface Callers {
  /**
   * Answers a request of a caller, or one that should be; true when it is done. False: it goes its
   * way as it came.
   */
  take(core: Core, arrival: GatewayRequest): Promise<boolean>;
}

export type CreateCallers = (platform: Platform) => Callers;

/**
 * Checks signed tokens. Behind a port as well: it is loaded with the first token of a caller that
 * has `jwt`.
 */
export interface JwtCheck {
  /** Never rejects. */
  check(jwt: CallerJwt, token: string): Promise<JwtOutcome>;
}

/** What a signed token says, as it says it: only the registered claims were checked. */
export type CallerClaims = { readonly [name: string]: unknown };

export type JwtOutcome =
  | { readonly kind: "valid"; readonly subject: string | null; readonly claims: CallerClaims }
  | { readonly kind: "refused" }
  /** The keys to check it with can't be had now. */
  | { readonly kind: "unavailable" };

export type LoadJwtCheck = (platform: Platform) => Promise<JwtCheck>;
