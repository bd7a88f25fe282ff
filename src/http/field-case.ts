/** When the conversation that was just begun ends without a message, in Unix seconds. */
export const EXPIRATION = "X-INBENTA-AUTH-EXPIRATION";

/** A field's name in the letter case in which clients look it up; `Headers` has lower case only. */
export function spellName(name: string): string {
  return name === "x-inbenta-auth-expiration" ? EXPIRATION : name;
}
