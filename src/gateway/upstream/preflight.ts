import type { Exchange } from "../exchange/exchange.ts";
import { fieldOf, membersOf } from "../exchange/headers.ts";

/** True when a preflight asks for fields of ours, which no upstream knows. */
export function asksForOurHeaders(exchange: Exchange): boolean {
  const asked = membersOf(fieldOf(exchange.headers, "access-control-request-headers"));
  return asked.some((name) => name.toLowerCase().startsWith("x-afterword-"));
}

/** Answers a preflight, which only permits asking: the upstream's CORS fields decide on reading. */
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

/** The chat's secret is for servers (chat.md, 1): no page is told that it may send it. */
function withoutSecret(names: string | null): string | null {
  if (names === null || !/x-hyper-secret/i.test(names)) return names;
  const others = membersOf(names).filter((name) => name.toLowerCase() !== "x-hyper-secret");
  return others.length === 0 ? null : others.join(", ");
}
