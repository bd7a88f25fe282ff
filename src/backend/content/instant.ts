import { z } from "zod";
import { isCalendarDate } from "../../direct-answers/default-content.ts";

const NO_INSTANT =
  "a moment is needed here: a day as 2026-12-31 (its beginning, UTC), or a time with its zone as 2026-12-31T18:00+01:00";

const WRITTEN = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(Z|[+-]\d\d:\d\d))?$/;

/**
 * A moment as ISO 8601 writes it, in milliseconds since the epoch. A plain day is its first moment
 * in UTC; a time has to say its zone, because the server's own is nobody's business.
 *
 * @example
 * instant.parse("2026-12-31"); // 1798675200000
 * instant.parse("2026-12-31T18:00+01:00"); // 1798736400000
 */
export const instant: z.ZodType<number, string> = z
  .string({ error: NO_INSTANT })
  .refine((written) => readInstant(written) !== null, { error: NO_INSTANT })
  .transform((written) => readInstant(written) ?? 0);

function readInstant(written: string): number | null {
  const [, day = "", time, zone] = WRITTEN.exec(written) ?? [];
  if (!isCalendarDate(day)) return null;
  const at = Date.parse(time === undefined ? `${day}T00:00Z` : `${day}T${time}${zone ?? "Z"}`);
  return Number.isNaN(at) ? null : at;
}
