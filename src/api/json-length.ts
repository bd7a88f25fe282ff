/** Characters of a value as JSON; Infinity when it is nested too deep to be written. */
export function jsonLength(value: unknown): number {
  try {
    return JSON.stringify(value ?? null).length;
  } catch {
    return Infinity;
  }
}
