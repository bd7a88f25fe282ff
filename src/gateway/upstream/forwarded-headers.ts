import type { RawHeaders } from "../../http/types.ts";
import { isForwardingField } from "../../http/client-address.ts";
import type { Base } from "./base.ts";
import {
  createFieldTest,
  fieldOf,
  isNamed,
  joinedFieldOf,
  membersOf,
} from "../exchange/headers.ts";

/**
 * The client's end-to-end fields, in order, with `Host` first and our `Via` last. The fields that
 * the client's Connection names are removed before Afterword's are added, so that a client cannot
 * remove these.
 */
export function createUpstreamHeaders(headers: RawHeaders, host: string, via: string): string[] {
  const named = readConnectionTokens(headers);
  const fields = ["Host", host];
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] ?? "";
    if (staysWithUs(name) || isIn(named, name)) continue;
    if (name.includes("_") && hasMeaningWithDashes(name)) continue;
    fields.push(name, headers[i + 1] ?? "");
  }
  fields.push("Via", via);
  return fields;
}

/** On routes where the answer is read, the upstream is not offered codings that we cannot read. */
export function filterReadableCodings(headers: RawHeaders): RawHeaders {
  const offered = joinedFieldOf(headers, "accept-encoding");
  if (offered === null) return headers;
  const members = membersOf(offered);
  const kept = members.filter((member) =>
    decodable.has(member.split(";", 1)[0]?.trim().toLowerCase() ?? ""),
  );
  if (kept.length === members.length) return headers;
  return withValue(headers, "accept-encoding", kept.length === 0 ? "identity" : kept.join(", "));
}

/** The upstream's end-to-end fields, in order; no length without a body (RFC 9110 section 8.6). */
export function createClientHeaders(status: number, headers: RawHeaders): string[] {
  const named = readConnectionTokens(headers);
  const isBodiless = status < 200 || status === 204;
  return filterFields(
    headers,
    (name) =>
      !staysHere(name) && !isIn(named, name) && !(isBodiless && isNamed(name, "content-length")),
  );
}

/**
 * `Location` and `Content-Location` under the request's own base become our route, so that a client
 * that follows them stays with us. Absolute stays absolute, a path stays a path; everything else is
 * the upstream's.
 *
 * @param base where the request went
 * @param route our address of that base, `https://gateway.example/r/<segment>/<last>`, without
 *   trailing slash
 */
export function routeLocations(headers: string[], base: Base, route: () => string): string[] {
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] ?? "";
    if (!isNamed(name, "location") && !isNamed(name, "content-location")) continue;
    const value = headers[i + 1] ?? "";
    headers[i + 1] = routeAddress(value, base, route) ?? value;
  }
  return headers;
}

/**
 * Creates the head of an answer whose body was edited: the length is corrected in its place, the
 * coding is removed if the body was decoded, and fields that describe the old bytes are dropped
 * (RFC 9110 section 8.8: an ETag names one exact representation; RFC 9530).
 */
export function createEditedHeaders(headers: RawHeaders, length: number): string[] {
  const out: string[] = [];
  let measured = false;
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] ?? "";
    if (!isNamed(name, "content-length")) {
      if (!ofOldBytes(name)) out.push(name, headers[i + 1] ?? "");
    } else if (!measured) {
      out.push(name, String(length));
      measured = true;
    }
  }
  if (!measured) out.push("Content-Length", String(length));
  return out;
}

/** As {@link createEditedHeaders}, of an answer in chunks, or its trailers. */
export function dropMeasures(headers: RawHeaders): string[] {
  return filterFields(headers, (name) => !ofOldBytes(name) && !isNamed(name, "content-length"));
}

/** Head of a collected answer: framed by length, so that it leaves in one write. */
export function setMeasures(headers: RawHeaders, length: number): RawHeaders {
  if (fieldOf(headers, "content-length") !== null) return headers;
  return [...headers, "Content-Length", String(length)];
}

/**
 * Fields that belong to one connection (RFC 9110 section 7.6.1, and the older ones that proxies
 * still meet; HTTP2-Settings: RFC 7540 section 3.2.1). Framing and connection management on either
 * side are ours.
 */
const hopByHop = [
  "connection",
  "http2-settings",
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

/** Fields not to forward. Host is rewritten; Expect is answered by our server. */
const ours = [
  "host",
  "expect",
  "x-afterword-caller",
  "x-afterword-caller-key",
  "x-afterword-locale",
  "x-afterword-channel",
  "x-afterword-instance",
  "x-afterword-debug",
  "x-afterword-test",
];

const staysHere = createFieldTest(hopByHop);
const staysWithUs = createFieldTest([...hopByHop, ...ours]);

/**
 * True when a name would be one that Afterword writes, removes or judges a request by, if its
 * underscores were dashes. CGI (RFC 3875 section 4.1.18) and similar interfaces do not distinguish
 * them, so such an upstream would read another value than Afterword did.
 */
function hasMeaningWithDashes(name: string): boolean {
  const dashed = name.replaceAll("_", "-");
  return staysWithUs(dashed) || isForwardingField(dashed) || meaning.test(dashed);
}

const meaning =
  /^(?:accept-encoding|authorization|content-length|origin|x-(?:afterword|hyper|inbenta)-.*|x-[a-z0-9]+-key)$/i;

const decodable: ReadonlySet<string> = new Set([
  "gzip",
  "x-gzip",
  "deflate",
  "br",
  "identity",
  "*",
]);

/** Headers that describe bytes which were edited. */
const ofOldBytes = createFieldTest([
  "content-encoding",
  "etag",
  "content-md5",
  "digest",
  "repr-digest",
  "content-digest",
]);

function readConnectionTokens(headers: RawHeaders): ReadonlySet<string> | null {
  const value = joinedFieldOf(headers, "connection");
  if (value === null || isNamed(value, "keep-alive") || isNamed(value, "close")) return null;
  return new Set(membersOf(value).map((token) => token.toLowerCase()));
}

function isIn(names: ReadonlySet<string> | null, name: string): boolean {
  return names !== null && names.has(name.toLowerCase());
}

export function filterFields(headers: RawHeaders, keeps: (name: string) => boolean): string[] {
  const out: string[] = [];
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] ?? "";
    if (keeps(name)) out.push(name, headers[i + 1] ?? "");
  }
  return out;
}

/** Replaces several fields by one, at the position of the first. */
function withValue(headers: RawHeaders, name: string, value: string): string[] {
  const out: string[] = [];
  let written = false;
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const candidate = headers[i] ?? "";
    const isIt = isNamed(candidate, name);
    if (isIt && written) continue;
    written ||= isIt;
    out.push(candidate, isIt ? value : (headers[i + 1] ?? ""));
  }
  return out;
}

function routeAddress(value: string, base: Base, route: () => string): string | null {
  const absolute = value.startsWith(base.origin) ? value.slice(base.origin.length) : null;
  const rest = restUnder(base.path, absolute ?? value);
  if (rest === null || (absolute === null && !value.startsWith("/"))) return null;
  if (value.startsWith("//")) return null;
  const ours = route();
  return (absolute === null ? pathOf(ours) : ours) + rest;
}

function restUnder(path: string, candidate: string): string | null {
  if (!candidate.startsWith(path)) return null;
  const rest = candidate.slice(path.length);
  return rest === "" || /^[/?#]/.test(rest) ? rest : null;
}

function pathOf(address: string): string {
  const start = address.indexOf("/", address.indexOf("://") + 3);
  return start === -1 ? "" : address.slice(start);
}
