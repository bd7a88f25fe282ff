/** Bytes as base64 (RFC 4648, 4). */
export function base64(bytes: Uint8Array): string {
  let text = "";
  // In pieces: a call takes only so many arguments. A multiple of three, so that no padding stands
  // inside.
  for (let at = 0; at < bytes.length; at += piece) {
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + piece)));
  }
  return text;
}

/** The bytes, or null for what is no base64. */
export function fromBase64(text: string): Uint8Array | null {
  try {
    return Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  } catch {
    return null;
  }
}

const piece = 3 * 8192;
