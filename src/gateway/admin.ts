import { AfterwordError } from "../errors.ts";
import { isLoopback, isForwardingField } from "../client-address.ts";
import type { Exchange } from "./exchange.ts";
import { isLoopbackHost } from "./exposure.ts";
import { fieldOf } from "./headers.ts";

export interface AdminRule {
  /** AFTERWORD_ADMIN_TOKEN, or one that was made for this start. Null: there is no admin. */
  readonly token: string | null;
  /** Programs on this machine read metrics and coverage without the token. */
  readonly opensLoopback: boolean;
}

/**
 * Whether somebody may use the admin routes (contract.md, Routes): with the token alone.
 *
 * @param presented the credential, `Bearer <token>`
 */
export function isAdmin({ token }: AdminRule, presented: string | null): boolean {
  return token !== null && presented !== null && sameText(bearerOf(presented), token);
}

/**
 * Whether an exchange may read what holds no reader's words. Beside admins, where the rule opens
 * that: a program on this machine that talks to us directly. A page in a browser (Origin), or
 * anything that came through a proxy, is not that.
 */
export function mayRead(rule: AdminRule, exchange: Exchange): boolean {
  const { headers, peer } = exchange;
  if (isAdmin(rule, fieldOf(headers, "authorization"))) return true;
  if (!rule.opensLoopback || peer === null || !isLoopback(peer.address)) return false;
  if (!isLoopbackHost(fieldOf(headers, "host") ?? "")) return false;
  return !headers.some(
    (name, index) =>
      index % 2 === 0 && (isForwardingField(name) || name.toLowerCase() === "origin"),
  );
}

/**
 * The token that somebody has set, or null.
 *
 * @throws AfterwordError `argument-invalid` for one that can be guessed
 */
export function readAdminToken(given: string | undefined): string | null {
  if (given === undefined || given === "") return null;
  if (given.length >= shortestToken) return given;
  throw new AfterwordError(
    "argument-invalid",
    `AFTERWORD_ADMIN_TOKEN needs at least ${shortestToken} characters, not ${given.length}: openssl rand -base64 32 makes one`,
  );
}

/** In characters. */
export const shortestToken = 16;

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
