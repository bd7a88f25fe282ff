import type { RawHeaders } from "../../http/types.ts";
import { fieldOf, membersOf } from "../exchange/headers.ts";

/**
 * True if a request has credentials of its own, even in part: a token, a vendor's API key, any of
 * the chat's, in headers or in the query. Such a request passes unchanged, because Afterword's
 * credentials are never combined with a client's.
 *
 * @param keyHeader the API-key header that the configuration names
 * @param query the raw query with its `?`, or nothing
 */
export function bringsOwn(headers: RawHeaders, query: string, keyHeader: string): boolean {
  for (let i = 0; i < headers.length; i += 2) {
    if (isOwnName(headers[i] ?? "", keyHeader)) return true;
  }
  return query
    .slice(1)
    .split("&")
    .some((pair) => ownParameters.has(toPlainName(pair.split("=", 1)[0] ?? "")));
}

/** The same for a preflight: the credentials that the real request will have. */
export function willBringOwn(headers: RawHeaders, query: string, keyHeader: string): boolean {
  const asked = membersOf(fieldOf(headers, "access-control-request-headers"));
  return asked.some((name) => isOwnName(name, keyHeader)) || bringsOwn(headers, query, keyHeader);
}

function isOwnName(name: string, keyHeader: string): boolean {
  const lower = name.toLowerCase();
  return (
    lower === "authorization" ||
    lower.startsWith("x-hyper-") ||
    // x-vendor-key, x-inbenta-key and other vendors' alike; x-afterword-caller-key has a word more.
    /^x-[a-z0-9]+-key$/.test(lower) ||
    lower === keyHeader.toLowerCase()
  );
}

/** chat.md, 1: the chat takes its credentials from the query as well. */
const ownParameters: ReadonlySet<string> = new Set(["appid", "secret", "token", "key"]);

/** Normalizes a name's spelling. One that can't be decoded matches nothing. */
function toPlainName(name: string): string {
  try {
    return decodeURIComponent(name).trim().toLowerCase();
  } catch {
    return "";
  }
}

/**
 * A caller's fields that accompany Afterword's credentials: none about identity, method or address.
 */
export function filterCallerHeaders(headers: RawHeaders): string[] {
  return headers.filter((_, index) =>
    goesOn.has((headers[index - (index % 2)] ?? "").toLowerCase()),
  );
}

/** Fields that pages may send: all but those of browsers and the caller's credentials. */
export const pageHeaders: ReadonlySet<string> = new Set([
  "accept",
  "accept-language",
  "content-type",
  "idempotency-key",
  "if-none-match",
  "range",
  "traceparent",
  "tracestate",
  "x-afterword-caller",
  "x-afterword-caller-key",
  "x-inbenta-session",
  "x-inbenta-source",
  "x-request-id",
]);

const goesOn: ReadonlySet<string> = new Set([
  ...[...pageHeaders].filter((name) => !name.startsWith("x-afterword-")),
  "accept-encoding",
  "user-agent",
]);
