import type { Exchange } from "../exchange/exchange.ts";
import { fieldOf, membersOf } from "../exchange/headers.ts";

/** True when a preflight asks for Afterword's own fields, which no upstream knows. */
export function asksForOurHeaders(exchange: Exchange): boolean {
  const names = membersOf(fieldOf(exchange.headers, "access-control-request-headers"));
  return names.some((name) => name.toLowerCase().startsWith("x-afterword-"));
}

/**
 * Answers a preflight. It only permits the request; the upstream's own CORS fields decide whether a
 * page may read the answer.
 */
export function allowPreflight(exchange: Exchange): void {
  const { headers, reply } = exchange;
  const out = ["Access-Control-Allow-Origin", fieldOf(headers, "origin") ?? "*"];
  const method = fieldOf(headers, "access-control-request-method");
  const names = withoutSecret(fieldOf(headers, "access-control-request-headers"));
  if (method !== null) out.push("Access-Control-Allow-Methods", method);
  if (names !== null) out.push("Access-Control-Allow-Headers", names);
  out.push("Access-Control-Max-Age", "600", "Vary", "Origin, Access-Control-Request-Headers");
  reply.send(204, "No Content", out, null);
}

/** Removes the header with the chat's secret, which only servers may send (chat.md, 1). */
function withoutSecret(names: string | null): string | null {
  if (names === null || !/x-hyper-secret/i.test(names)) return names;
  const others = membersOf(names).filter((name) => name.toLowerCase() !== "x-hyper-secret");
  return others.length === 0 ? null : others.join(", ");
}
