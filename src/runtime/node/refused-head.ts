import type { RawHeaders } from "../../gateway/exchange.ts";
import { isNamed } from "../../gateway/headers.ts";

/** Statuses for what a parser lets pass and nobody here can read; the connection ends with them. */
export type HeadRefusal = 400 | 501;

/**
 * Why the head of a request is refused, or null. Two `Host` fields name two places (RFC 9112
 * section 3.2). Of the transfer codings we know `chunked` alone: llhttp reads chunks whatever was
 * announced before them, and what was lost with that coding would go on as if it had never been
 * there (section 6.1).
 */
export function refusedHead(headers: RawHeaders): HeadRefusal | null {
  let hosts = 0;
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] ?? "";
    if (name.length === 4) {
      if (isNamed(name, "host") && ++hosts === 2) return 400;
    } else if (name.length === 17 && isNamed(name, "transfer-encoding")) {
      const coding = headers[i + 1] ?? "";
      if (coding.toLowerCase() !== "chunked") return coding === "" ? 400 : 501;
    }
  }
  return null;
}
