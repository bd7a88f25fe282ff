/**
 * Milliseconds until a service wants to be called again: `Retry-After` in seconds or as a date (RFC
 * 9110, 10.2.3), else the latest of `x-quota-reset` and `x-throttle-reset` (Unix seconds) that lies
 * ahead. Null when none can be read.
 */
export function retryAfter(headers: Headers, now: number): number | null {
  const value = headers.get("retry-after")?.trim() ?? "";
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const date = value === "" ? Number.NaN : Date.parse(value);
  if (Number.isFinite(date)) return Math.max(0, date - now);
  const resets = ["x-quota-reset", "x-throttle-reset"]
    .map((name) => Number(headers.get(name) ?? Number.NaN) * 1000 - now)
    .filter((left) => left > 0);
  return resets.length > 0 ? Math.max(...resets) : null;
}
