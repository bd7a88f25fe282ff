import type { RawHeaders } from "../../gateway/exchange.ts";
import { ownedByFetch } from "../web/fetch-request.ts";

/**
 * The head of a request as it goes over a connection (RFC 9112 section 3): the fields given, without those of framing, whose
 * place `content-length` takes. A field that could end its own line, or is none, is left out: the rest is worth having.
 *
 * @param method letters only
 * @param path without a blank or a control character
 * @param host for a request without a Host of its own
 * @param length of the body; null is none
 */
export function requestHead(
  method: string,
  path: string,
  headers: RawHeaders,
  host: string,
  length: number | null,
): string {
  let fields = "";
  let named = false;
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] ?? "";
    const value = headers[i + 1] ?? "";
    const kind = kindOf(name);
    if (kind === "dropped" || !plainValue.test(value)) continue;
    if (kind === "host") {
      if (named) continue;
      named = true;
    }
    fields += name + ": " + value + "\r\n";
  }
  const start = method + " " + path + " HTTP/1.1\r\n" + (named ? "" : "host: " + host + "\r\n");
  const measured = length ?? (bodiless.has(method) ? null : 0);
  return start + fields + (measured === null ? "\r\n" : "content-length: " + measured + "\r\n\r\n");
}

/** Of these nobody expects a body, so that none of no bytes is announced (RFC 9110 section 8.6). */
const bodiless: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "DELETE"]);

/** RFC 9110 section 5.5, one char per byte. */
const plainValue = /^[\t\x20-\x7e\x80-\xff]*$/;
const token = /^[\w!#$%&'*+.^`|~-]+$/;

type Kind = "dropped" | "host" | "plain";

const kinds = new Map<string, Kind>();
const mostNames = 1000;

function kindOf(name: string): Kind {
  const known = kinds.get(name);
  if (known !== undefined) return known;
  const lower = name.toLowerCase();
  const kind =
    lower === "host"
      ? "host"
      : ownedByFetch.includes(lower) || !token.test(name)
        ? "dropped"
        : "plain";
  if (kinds.size < mostNames) kinds.set(name, kind);
  return kind;
}
