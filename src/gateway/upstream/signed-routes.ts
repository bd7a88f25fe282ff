import { fromBase64Url, toBase64Url, encodeUtf8 } from "../../json/bytes.ts";
import { LRUCache } from "lru-cache";
import { type Base, LONGEST_ADDRESS, parseBase } from "./base.ts";

/** The contents of a signed segment: the product that it leads to, and its base. */
export interface SignedRoute {
  readonly product: string;
  readonly base: Base;
}

/** Makes and reads the segment of /r/<segment>/<last>/. Segments never expire, as clients keep `apis` for long. */
export interface SignedRoutes {
  /** Null for a base that is too long to be carried in a path. */
  segmentFor(product: string, base: string): Promise<string | null>;
  /** A segment that was read before, or null. */
  known(segment: string): SignedRoute | null;
  /** Null for a forged, damaged or foreign segment. */
  read(segment: string): Promise<SignedRoute | null>;
}

/**
 * A segment is base64url of format version, product, base and a 128-bit HMAC-SHA256 over them. The
 * first key signs, all verify, so that keys can be changed while clients hold old routes.
 *
 * @param keys at least one, each at least 16 bytes
 */
export function createSignedRoutes(keys: readonly Uint8Array[]): SignedRoutes {
  const imported = Promise.all(keys.map(importKey));
  const verified = new LRUCache<string, SignedRoute>({ max: atMost });
  const segments = new LRUCache<string, string>({ max: atMost });

  return {
    async segmentFor(product, base) {
      if (base.length > LONGEST_ADDRESS) return null;
      const name = `${product} ${base}`;
      const known = segments.get(name);
      if (known !== undefined) return known;
      const [key] = await imported;
      if (key === undefined) throw new RangeError("signed routes need at least one key");
      const payload = encodePayload(product, base);
      const mac = await macOf(key, payload);
      const bytes = new Uint8Array(payload.length + macBytes);
      bytes.set(payload);
      bytes.set(mac, payload.length);
      const segment = toBase64Url(bytes);
      if (segment.length > maxSegmentLength) return null;
      segments.set(name, segment);
      return segment;
    },
    known: (segment) => verified.get(segment) ?? null,
    read: verify,
  };

  async function verify(segment: string): Promise<SignedRoute | null> {
    const bytes = bytesOf(segment);
    if (bytes === null || bytes.length <= macBytes + 2) return null;
    const payload = bytes.subarray(0, bytes.length - macBytes);
    const mac = bytes.subarray(bytes.length - macBytes);
    let genuine = false;
    for (const key of await imported) {
      if (isSameBytes(await macOf(key, payload), mac)) genuine = true;
    }
    const route = genuine ? decodePayload(payload) : null;
    if (route !== null) verified.set(segment, route);
    return route;
  }
}

const formatVersion = 1;
const macBytes = 16;
const atMost = 10_000;
// A segment that is longer than any that Afterword signs is refused without hashing it.
const maxSegmentLength = 4096;

function importKey(key: Uint8Array): Promise<CryptoKey> {
  if (key.length < 16) throw new RangeError("a route key has at least 16 bytes");
  return crypto.subtle.importKey("raw", key.slice(), { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
  ]);
}

async function macOf(key: CryptoKey, payload: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, payload.slice())).subarray(
    0,
    macBytes,
  );
}

function encodePayload(product: string, base: string): Uint8Array {
  const name = encodeUtf8(product);
  if (name.length > 255) throw new RangeError("a product key has at most 255 bytes");
  const address = encodeUtf8(base);
  const payload = new Uint8Array(2 + name.length + address.length);
  payload[0] = formatVersion;
  payload[1] = name.length;
  payload.set(name, 2);
  payload.set(address, 2 + name.length);
  return payload;
}

function decodePayload(payload: Uint8Array): SignedRoute | null {
  if (payload[0] !== formatVersion) return null;
  const end = 2 + (payload[1] ?? 0);
  const text = new TextDecoder();
  const base = parseBase(text.decode(payload.subarray(end)));
  return base === null ? null : { product: text.decode(payload.subarray(2, end)), base };
}

function isSameBytes(a: Uint8Array, b: Uint8Array): boolean {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i++) difference |= (a[i] ?? 0) ^ (b[i] ?? 0);
  return difference === 0;
}

function bytesOf(segment: string): Uint8Array | null {
  if (segment.length > maxSegmentLength || !/^[\w-]+$/.test(segment)) return null;
  const bytes = fromBase64Url(segment);
  // One route, one spelling: base64 readers ignore stray low bits in the last letter.
  return bytes !== null && toBase64Url(bytes) === segment ? bytes : null;
}
