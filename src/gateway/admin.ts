import type { Exchange } from "./exchange.ts";
import { fieldOf, hasFieldPrefix } from "./headers.ts";

export interface AdminRule {
  /** AFTERWORD_ADMIN_TOKEN, or null when none is set. */
  readonly token: string | null;
  /** True when the server listens on loopback only. */
  readonly loopbackOnly: boolean;
}

/**
 * Whether an exchange may use the admin routes (contract.md, Routes). With a token only the token counts, on loopback too.
 * Without one only a program on this machine that talks to us directly: a page in a browser (Origin), or anything that
 * came through a proxy, is not that.
 *
 * @param presented the credential, `Bearer <token>`
 */
export function isAdmin(rule: AdminRule, exchange: Exchange, presented: string | null): boolean {
  if (rule.token !== null) return presented !== null && sameText(bearerOf(presented), rule.token);
  if (!rule.loopbackOnly || exchange.peer === null) return false;
  if (!isLoopback(exchange.peer.address)) return false;
  if (!isLoopbackHost(fieldOf(exchange.headers, "host") ?? "")) return false;
  if (["origin", "forwarded", "via"].some((name) => fieldOf(exchange.headers, name) !== null))
    return false;
  return (
    !hasFieldPrefix(exchange.headers, "x-forwarded-") && !hasFieldPrefix(exchange.headers, "cf-")
  );
}

/** True for 127.0.0.0/8, ::1 and their mapped spelling. */
export function isLoopback(address: string): boolean {
  return /^(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$|^::1$/i.test(address);
}

/** True for a Host that names loopback itself: a DNS name could have been pointed here by anybody. */
export function isLoopbackHost(host: string): boolean {
  return /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?::\d{1,5})?$/i.test(host);
}

function bearerOf(presented: string): string {
  return presented.replace(/^bearer\s+/i, "").trim();
}

/** Compares without telling by its duration where the first difference is. */
function sameText(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i++)
    difference |= a.charCodeAt(i) ^ b.charCodeAt(i % Math.max(1, b.length));
  return difference === 0;
}
