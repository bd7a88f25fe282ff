import type { CallerJwt } from "../../config/config.ts";
import type { Platform } from "../exchange/platform.ts";

/** Checks signed tokens; a port, loaded with the first token for a caller with `jwt`. */
export interface JwtCheck {
  /** Never rejects. */
  check(jwt: CallerJwt, token: string): Promise<JwtOutcome>;
}

/** The unchanged claims of a signed token. Only the registered ones were checked. */
export type CallerClaims = { readonly [name: string]: unknown };

export type JwtOutcome =
  | { readonly kind: "valid"; readonly subject: string | null; readonly claims: CallerClaims }
  | { readonly kind: "refused" }
  /** The keys for the check are unavailable now. */
  | { readonly kind: "unavailable" };

export type LoadJwtCheck = (platform: Platform) => Promise<JwtCheck>;
