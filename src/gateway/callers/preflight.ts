import type { CallerProduct } from "../../config/caller-operation.ts";
import type { CallerConfig } from "../../config/config.ts";
import type { RawHeaders } from "../exchange.ts";
import { fieldOf, membersOf } from "../headers.ts";
import { askedOperation } from "./asked-operation.ts";
import { pageHeaders } from "./caller-headers.ts";
import { isKnownOrigin, valuesOf } from "./identify.ts";

/**
 * The fields that answer a preflight of a caller's page, or null when no caller of that origin may
 * do this. The origin is compared as it stands, and named, never `*`; what the page may send are
 * the fields that would go on, no more.
 */
export function callerPreflight(
  callers: readonly CallerConfig[],
  product: CallerProduct,
  headers: RawHeaders,
  target: string,
): string[] | null {
  const origins = valuesOf(headers, "origin");
  const [origin = ""] = origins;
  const method = fieldOf(headers, "access-control-request-method") ?? "";
  if (origins.length !== 1 || !isKnownOrigin(callers, origin)) return null;
  const may = callers.some((caller) => {
    if (!caller.origins.includes(origin)) return false;
    const asked = askedOperation(product, method, target, caller.operations);
    return (
      asked.kind === "operation" &&
      caller.operations.some(({ name }) => name === asked.operation.name)
    );
  });
  if (!may) return null;
  const names = membersOf(fieldOf(headers, "access-control-request-headers"));
  const allowed = names.filter((name) => pageHeaders.has(name.toLowerCase()));
  return [
    "Access-Control-Allow-Origin",
    origin,
    "Access-Control-Allow-Methods",
    method,
    ...(allowed.length === 0 ? [] : ["Access-Control-Allow-Headers", allowed.join(", ")]),
    "Access-Control-Max-Age",
    "600",
    "Vary",
    "Origin, Access-Control-Request-Method, Access-Control-Request-Headers",
  ];
}
