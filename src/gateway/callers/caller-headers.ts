import type { RawHeaders } from "../../http/types.ts";
import { fieldOf, membersOf } from "../exchange/headers.ts";

/**
 * True if a request has credentials of its own, even in part: a token, a vendor's API key, or any
 * of the chat's, in headers or in the query. Afterword forwards such a request unchanged, because
 * it never combines its credentials with a client's.
 *
 * @param keyHeader the API-key header that the configuration names
 * @param query the raw query with its `?`, or nothing
 */
export function hasOwnCredentials(headers: RawHeaders, query: string, keyHeader: string): boolean {
  for (let i = 0; i < headers.length; i += 2) {
    if (isCredentialName(headers[i] ?? "", keyHeader)) return true;
  }
  return query
    .slice(1)
    .split("&")
    .some((pair) => credentialParameters.has(toPlainName(pair.split("=", 1)[0] ?? "")));
}

/** True if the request that a preflight announces will have credentials of its own. */
export function willHaveOwnCredentials(
  headers: RawHeaders,
  query: string,
  keyHeader: string,
): boolean {
  const asked = membersOf(fieldOf(headers, "access-control-request-headers"));
  return (
    asked.some((name) => isCredentialName(name, keyHeader)) ||
    hasOwnCredentials(headers, query, keyHeader)
  );
}

function isCredentialName(name: string, keyHeader: string): boolean {
  const lower = name.toLowerCase();
  return (
    lower === "authorization" ||
    lower.startsWith("x-hyper-") ||
    // Matches x-vendor-key, x-inbenta-key and those of other vendors, but not x-afterword-caller-key.
    /^x-[a-z0-9]+-key$/.test(lower) ||
    lower === keyHeader.toLowerCase()
  );
}

/** The chat also reads its credentials from the query (chat.md, 1). */
const credentialParameters: ReadonlySet<string> = new Set(["appid", "secret", "token", "key"]);

/** Normalizes the spelling of a parameter's name; empty if it cannot be decoded. */
function toPlainName(name: string): string {
  try {
    return decodeURIComponent(name).trim().toLowerCase();
  } catch {
    return "";
  }
}

/**
 * Keeps the fields of a caller that may accompany Afterword's credentials. None of them is about
 * identity, method or address.
 */
export function filterCallerHeaders(headers: RawHeaders): string[] {
  return headers.filter((_, index) =>
    forwardedFields.has((headers[index - (index % 2)] ?? "").toLowerCase()),
  );
}

/** The fields that pages may send besides those that browsers add. */
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

const forwardedFields: ReadonlySet<string> = new Set([
  ...[...pageHeaders].filter((name) => !name.startsWith("x-afterword-")),
  "accept-encoding",
  "user-agent",
]);
