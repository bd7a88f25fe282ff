import type { Grant } from "../../api/console-session.ts";
import { AfterwordError } from "../../errors.ts";
import { isLoopback, isForwardingField } from "../../http/client-address.ts";
import type { Exchange } from "./exchange.ts";
import { isSameText } from "../../json/bytes.ts";
import { isLoopbackHost } from "../../config/exposure.ts";
import { bearerOf, fieldOf } from "./headers.ts";

export interface AdminRule {
  /** AFTERWORD_ADMIN_TOKEN, or a token that was created for this start; null if there is none. */
  readonly token: string | null;
  /** True if programs on this machine may read metrics and coverage without the token. */
  readonly opensLoopback: boolean;
}

/**
 * True if a credential opens the admin routes (docs/operations.md), which only the admin token does.
 *
 * @param presented such as `Bearer <token>`
 */
export function isAdmin({ token }: AdminRule, presented: string | null): boolean {
  return token !== null && presented !== null && isSameText(bearerOf(presented), token);
}

/**
 * True if an exchange may read answers without readers' words. Besides admins, programs on this
 * machine may do so on a direct connection, if the rule permits it. Pages in a browser (Origin) and
 * requests through a proxy may not.
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
 * Reads the token that the operator has set; null for none.
 *
 * @throws AfterwordError `argument-invalid` for a token that is too short
 */
export function readAdminToken(given: string | undefined): string | null {
  if (given === undefined || given === "") return null;
  return requireLongEnough(given, "AFTERWORD_ADMIN_TOKEN");
}

function requireLongEnough(token: string, name: string): string {
  if (token.length >= minTokenLength) return token;
  throw new AfterwordError(
    "argument-invalid",
    `${name} needs at least ${minTokenLength} characters, not ${token.length}: openssl rand -base64 32 makes one`,
  );
}

/** A person's own token. It opens the console's API and nothing else. */
export interface LabelledToken extends Grant {
  readonly token: string;
  /** True if `token` is not the token itself but its SHA-256 in hexadecimal. */
  readonly hashed: boolean;
}

/**
 * Reads labelled tokens, which are separated by commas or lines: `label:view:token`,
 * `label:edit:fr+de:token`, `label:publish:token`. The label may be followed by the instances to which
 * the token is limited: `label@shop+modern:view:token`. `sha256:` with a hash may replace the token.
 * A line that begins with `#` is a comment.
 *
 * @param name the setting or file that contains them, for messages
 * @throws AfterwordError `argument-invalid`
 */
export function readLabelledTokens(
  given: string | undefined,
  name: string = "AFTERWORD_ADMIN_TOKENS",
): readonly LabelledToken[] {
  const lines = (given ?? "").split(/[\r\n]+/).filter((line) => !line.trim().startsWith("#"));
  const entries = lines.flatMap((line) => line.split(",")).map((entry) => entry.trim());
  const tokens = entries
    .filter((entry) => entry !== "")
    .map((entry, index) => readLabelledToken(entry, index, name));
  const labels = tokens.map(({ label }) => label);
  const twice = labels.find((label, index) => labels.indexOf(label) !== index);
  if (twice === undefined) return tokens;
  throw new AfterwordError(
    "argument-invalid",
    `${name} has the label ${twice} twice: each token needs one of its own`,
  );
}

function readLabelledToken(entry: string, index: number, name: string): LabelledToken {
  const [who = "", role, ...rest] = entry.split(":");
  const [label = "", instances] = who.split("@");
  const languages = role === "edit" ? rest.shift()?.split("+") : null;
  const known = role === "view" || role === "edit" || role === "publish";
  if (!known || languages === undefined || rest.length === 0 || !/^[\w.-]{1,64}$/.test(label)) {
    // The entry is not quoted: it holds a secret.
    throw new AfterwordError(
      "argument-invalid",
      `${name}: entry ${index + 1} is not label:view:token, label:edit:fr+de:token or label:publish:token`,
    );
  }
  const written = rest.join(":");
  const hash = /^sha256:([0-9a-f]{64})$/i.exec(written)?.[1]?.toLowerCase();
  return {
    label,
    token: hash ?? requireLongEnough(written, `${name}: the token of ${label}`),
    hashed: hash !== undefined,
    role,
    languages,
    instances: instances?.split("+") ?? null,
  };
}

/** Characters of the shortest accepted token. */
export const minTokenLength = 16;
