/**
 * True for a time zone's name in the IANA database. Offsets such as `+01:00` are none: they have no
 * daylight saving time.
 */
export function isTimeZone(name: string): boolean {
  if (!/^[a-z][\w+-]*(?:\/[\w+-]+){0,2}$/i.test(name)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
