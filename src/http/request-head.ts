import type { RawHeaders } from "../gateway/exchange.ts";
import { plainText, token } from "../gateway/field-syntax.ts";

/**
 * The head of a request as it goes over a connection (RFC 9112 section 3): the fields given,
 * without those of framing, whose place `content-length` takes. One char per byte.
 *
 * @param method letters only
 * @param path without a blank or a control character
 * @param host for a request without a Host of its own
 * @param length of the body; null is no body, "unknown" one that goes in chunks
 * @returns null when a field is none, or could end its own line
 */
export function requestHead(
  method: string,
  path: string,
  headers: RawHeaders,
  host: string,
  length: number | "unknown" | null,
): string | null {
  let fields = "";
  let named = false;
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] ?? "";
    const value = headers[i + 1] ?? "";
    const kind = kindOf(name);
    if (kind === "dropped") continue;
    if (kind === "broken" || !plainText.test(value)) return null;
    if (kind === "host") {
      if (named) continue;
      named = true;
    }
    fields += name + ": " + value + "\r\n";
  }
  const start = method + " " + path + " HTTP/1.1\r\n" + (named ? "" : "host: " + host + "\r\n");
  return start + fields + framing(method, length) + "\r\n";
}

function framing(method: string, length: number | "unknown" | null): string {
  if (length === "unknown") return "transfer-encoding: chunked\r\n";
  if (length === null && bodiless.has(method)) return "";
  return "content-length: " + (length ?? 0) + "\r\n";
}

/** Of these nobody expects a body, so that none of no bytes is announced (RFC 9110 section 8.6). */
const bodiless: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "DELETE"]);

/** What belongs to the connection, and what would ask for an answer that nobody waits for. */
const dropped: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "expect",
  "keep-alive",
  "transfer-encoding",
  "upgrade",
]);

type Kind = "broken" | "dropped" | "host" | "plain";

const kinds = new Map<string, Kind>();
const mostNames = 1000;

function kindOf(name: string): Kind {
  const known = kinds.get(name);
  if (known !== undefined) return known;
  const kind = newKind(name);
  if (kinds.size < mostNames) kinds.set(name, kind);
  return kind;
}

function newKind(name: string): Kind {
  if (!token.test(name)) return "broken";
  const lower = name.toLowerCase();
  if (lower === "host") return "host";
  return dropped.has(lower) ? "dropped" : "plain";
}
