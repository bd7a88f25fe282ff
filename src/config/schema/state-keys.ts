/** Parses `state.key`: 32-byte keys in hex or base64, separated by commas; else null. Secret. */
export function readStateKeys(written: string): readonly Uint8Array[] | null {
  const keys = written.split(",").map((part) => readKey(part.trim()));
  const known = keys.filter((key) => key !== null);
  return known.length === keys.length && areDistinct(known) ? known : null;
}

const length = 32;

function readKey(written: string): Uint8Array | null {
  if (/^[0-9a-f]{64}$/i.test(written)) return Uint8Array.from(Buffer.from(written, "hex"));
  // Both alphabets (RFC 4648, 4 and 5), with padding or without.
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(written)) return null;
  const key = Uint8Array.from(Buffer.from(written, "base64"));
  return key.length === length && key.some((byte) => byte !== 0) ? key : null;
}

function areDistinct(keys: readonly Uint8Array[]): boolean {
  return new Set(keys.map((key) => Buffer.from(key).toString("hex"))).size === keys.length;
}
