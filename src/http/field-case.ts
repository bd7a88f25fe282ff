/** The header with the time at which a new conversation expires without a message, in Unix seconds. */
export const EXPIRATION = "X-INBENTA-AUTH-EXPIRATION";

/** Spells a field's name in the letter case that clients look up; `Headers` has lower case only. */
export function spellName(name: string): string {
  return name === "x-inbenta-auth-expiration" ? EXPIRATION : name;
}
