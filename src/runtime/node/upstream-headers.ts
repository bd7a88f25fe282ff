import type { RawHeaders } from "../../gateway/exchange.ts";

/**
 * The header list as undici takes it: everything in its order, case and multiplicity, without the fields that undici writes
 * itself (connection, transfer-encoding) or throws at (expect, keep-alive, upgrade, a second host). It writes host and
 * connection first and content-length last. A content-length is kept for a streamed body only; other bodies are measured.
 */
export function upstreamHeaders(headers: RawHeaders, streamed: boolean): string[] {
  const out: string[] = [];
  let hosts = 0;
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] ?? "";
    // Most names can be told apart from all of these by their length alone.
    const kind =
      ((lengths >>> name.length) & 1) === 1 && name.length < 32
        ? kinds.get(name.toLowerCase())
        : undefined;
    if (kind === "dropped" || (kind === "length" && !streamed)) continue;
    if (kind === "host" && ++hosts > 1) continue;
    out.push(name, headers[i + 1] ?? "");
  }
  return out;
}

/** undici gives raw headers as buffers. */
export function latin1Headers(raw: unknown): string[] {
  if (!Array.isArray(raw)) return [];
  const out: string[] = [];
  for (const part of raw) out.push(Buffer.isBuffer(part) ? part.toString("latin1") : String(part));
  return out;
}

const kinds: ReadonlyMap<string, "dropped" | "length" | "host"> = new Map([
  ["host", "host"],
  ["content-length", "length"],
  ["expect", "dropped"],
  ["upgrade", "dropped"],
  ["connection", "dropped"],
  ["keep-alive", "dropped"],
  ["transfer-encoding", "dropped"],
]);

/** A bit for every length that occurs. */
const lengths: number = [...kinds.keys()].reduce((bits, { length }) => bits | (1 << length), 0);
