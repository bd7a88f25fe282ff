import { isForwardingField } from "../client-address.ts";
import type { RawHeaders } from "./exchange.ts";
import { fieldNames, isNamed, joinedFieldOf, membersOf } from "./headers.ts";

/**
 * Fields that belong to one connection (RFC 9110 section 7.6.1, and the older ones that proxies
 * still meet). Framing and connection management on either side are ours.
 */
const hopByHop = [
  "connection",
  "http2-settings", // RFC 7540 section 3.2.1
  "keep-alive",
  "proxy-authenticate",
  "proxy-authentication-info",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

/** What a client sends to us and what never goes further. */
const ours = [
  "host", // written anew for the upstream
  "expect", // answered by our own server; undici refuses it
  "x-afterword-caller",
  "x-afterword-caller-key",
  "x-afterword-locale",
  "x-afterword-channel",
  "x-afterword-instance",
  "x-afterword-debug",
];

const staysHere = fieldNames(hopByHop);
const staysWithUs = fieldNames([...hopByHop, ...ours]);

/**
 * The client's end-to-end fields, in order, with `Host` first and our `Via` last. The fields that
 * the client's Connection names are removed before ours come, so that a client cannot name ours
 * away.
 */
export function upstreamHeaders(headers: RawHeaders, host: string, via: string): string[] {
  const named = connectionTokens(headers);
  const out = ["Host", host];
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] ?? "";
    if (staysWithUs(name) || (named !== null && named.has(name.toLowerCase()))) continue;
    if (name.includes("_") && hasMeaningWithDashes(name)) continue;
    out.push(name, headers[i + 1] ?? "");
  }
  out.push("Via", via);
  return out;
}

/**
 * The upstream's end-to-end fields, in order, as they go to the client. A status that has no body
 * has no length either (RFC 9110 section 8.6): a proxy in front could wait for the bytes.
 */
export function clientHeaders(status: number, headers: RawHeaders): string[] {
  const named = connectionTokens(headers);
  const isBodiless = status < 200 || status === 204;
  const out: string[] = [];
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] ?? "";
    if (staysHere(name) || (named !== null && named.has(name.toLowerCase()))) continue;
    if (isBodiless && isNamed(name, "content-length")) continue;
    out.push(name, headers[i + 1] ?? "");
  }
  return out;
}

/**
 * True when a name would be one that Afterword writes, removes or judges a request by, if its
 * underscores were dashes. CGI (RFC 3875 section 4.1.18) and what takes after it know no
 * difference: such an upstream would read another value than we did.
 */
function hasMeaningWithDashes(name: string): boolean {
  const dashed = name.replaceAll("_", "-").toLowerCase();
  return staysWithUs(dashed) || isForwardingField(dashed) || meaning.test(dashed);
}

const meaning =
  /^(?:accept-encoding|authorization|content-length|origin|x-(?:afterword|hyper|inbenta)-.*|x-[a-z0-9]+-key)$/;

function connectionTokens(headers: RawHeaders): ReadonlySet<string> | null {
  const value = joinedFieldOf(headers, "connection");
  if (value === null) return null;
  if (isNamed(value, "keep-alive") || isNamed(value, "close")) return null;
  return new Set(membersOf(value).map((token) => token.toLowerCase()));
}
