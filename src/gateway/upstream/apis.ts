import type { UpstreamConfig } from "../../config/config.ts";
import { scan } from "../../json/scan.ts";
import { compileShape } from "../../json/shape.ts";
import { quote } from "../../json/quote.ts";
import { rawOf, readString, textOf } from "../../json/text.ts";
import type { Edit, JsonNode } from "../../json/types.ts";
import { type Base, parseBase, permissionOf } from "./base.ts";

/** The members of an answer of /auth, /refreshToken or /apis. */
export interface AuthAnswer {
  readonly accessToken: string | null;
  /** Milliseconds since the epoch, or null when the answer names no expiry. */
  readonly expires: number | null;
  /** Product key → base address, as the upstream wrote it; null without `apis`. */
  readonly apis: ReadonlyMap<string, ApiAddress> | null;
}

export interface ApiAddress {
  readonly start: number;
  readonly end: number;
  readonly address: string;
}

/** Reads an authentication answer's relevant parts; null unless it is one JSON object. */
export function readAuthAnswer(bytes: Uint8Array, now: number): AuthAnswer | null {
  const root = scan(bytes, shape);
  if (root?.kind !== "object") return null;
  const apis = root.fields.get("apis");
  return {
    accessToken: readString(bytes, root.fields.get("accessToken")),
    expires: expiryOf(bytes, root.fields.get("expiration"), root.fields.get("expires_in"), now),
    apis: apis?.kind === "object" ? addressesOf(bytes, apis.fields) : null,
  };
}

export interface RoutedApis {
  readonly edits: readonly Edit[];
  /** Addresses that are not allowed: they stay as sent. */
  readonly refused: readonly Base[];
}

/**
 * Replaces every allowed address in `apis` by one of our routes.
 *
 * @param routeOf returns the public address of the route to a product's base, or null if it cannot
 *   have one
 */
export async function routeApis(
  apis: ReadonlyMap<string, ApiAddress>,
  upstream: UpstreamConfig,
  routeOf: (product: string, base: Base) => Promise<string | null>,
): Promise<RoutedApis> {
  const edits: Edit[] = [];
  const refused: Base[] = [];
  for (const [product, { start, end, address }] of apis) {
    const base = parseBase(address);
    if (base === null) continue;
    if (permissionOf(base, upstream) === "refused") {
      refused.push(base);
      continue;
    }
    const route = await routeOf(product, base);
    if (route !== null) edits.push({ start, end, bytes: quote(route) });
  }
  edits.sort((a, b) => a.start - b.start);
  return { edits, refused };
}

const shape = compileShape({
  fields: { accessToken: {}, expiration: {}, expires_in: {}, apis: { each: {} } },
});

function addressesOf(
  bytes: Uint8Array,
  fields: ReadonlyMap<string, JsonNode>,
): ReadonlyMap<string, ApiAddress> {
  const addresses = new Map<string, ApiAddress>();
  for (const [product, node] of fields) {
    if (node.kind !== "string") continue;
    addresses.set(product, { start: node.start, end: node.end, address: textOf(bytes, node) });
  }
  return addresses;
}

function expiryOf(
  bytes: Uint8Array,
  expiration: JsonNode | undefined,
  expiresIn: JsonNode | undefined,
  now: number,
): number | null {
  const readNumber = (node: JsonNode | undefined): number | null =>
    node?.kind === "number" ? Number(rawOf(bytes, node)) : null;
  const absolute = readNumber(expiration);
  if (absolute !== null) return absolute * 1000;
  const relative = readNumber(expiresIn);
  return relative === null ? null : now + relative * 1000;
}
