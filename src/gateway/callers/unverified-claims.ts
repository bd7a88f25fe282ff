/** For whom a token says it is. */
export interface Claims {
  readonly issuer: string;
  readonly audiences: readonly string[];
}

/**
 * Reads a token's issuer and audience, to find out who has to check it. Null: it says neither.
 * Never throws.
 */
export function readClaims(token: string): Claims | null {
  try {
    const payload = (token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
    const bytes = Uint8Array.from(atob(payload), (character) => character.charCodeAt(0));
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof claims !== "object" || claims === null) return null;
    const issuer: unknown = Reflect.get(claims, "iss");
    const audiences: unknown[] = [Reflect.get(claims, "aud")].flat();
    if (typeof issuer !== "string") return null;
    return { issuer, audiences: audiences.filter((one) => typeof one === "string") };
  } catch {
    return null;
  }
}
