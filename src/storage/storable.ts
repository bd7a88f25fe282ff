/**
 * Makes a text that both databases can hold: PostgreSQL has no place for the character NUL, and
 * neither for half a surrogate pair. Each becomes U+FFFD, so that nothing that somebody types makes
 * a statement fail. Every text that goes into a database passes through here. JSON is untouched,
 * because `JSON.stringify` escapes both: what must come back exactly is stored as JSON.
 */
export function toStorable(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  return whole.includes("\0") ? whole.replaceAll("\0", "\ufffd") : whole;
}
