/**
 * Makes a text that both databases can store. PostgreSQL cannot store the character NUL, and neither
 * can store half a surrogate pair. Each becomes U+FFFD, so that nothing a user types makes a
 * statement fail. Every text that is stored passes through here. JSON stays the same, because
 * `JSON.stringify` escapes both: a text that must be kept exactly is stored as JSON.
 */
export function toStorable(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  return whole.includes("\0") ? whole.replaceAll("\0", "\ufffd") : whole;
}
