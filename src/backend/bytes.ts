import { base64url } from "jose";

/** Random or hashed bytes as text that fits a header, a URL and a file: base64url without padding. */
export function toText(bytes: Uint8Array): string {
  return base64url.encode(bytes);
}
