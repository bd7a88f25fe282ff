import { z } from "zod";
import { isCalendarDate } from "../../direct-answers/default-content.ts";
import { FLAGS, toFlag } from "../../direct-answers/flags.ts";
import { LOCALES } from "../../locales/shipped.ts";
import { didYouMean, findNearest } from "../../yaml/nearest.ts";

/** `limits.heldBytes` of a configuration that does not set it: 256 MiB. */
export const DEFAULT_HELD_BYTES = 268_435_456;

// Parsers of configuration values; their errors are the sentences shown to people.

/** A mapping of these keys only; an unknown key's error names the nearest, one line per key. */
export function acceptMapping<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? issue.keys.map((key) => describeUnknownKey(key, known)).join("\n")
        : undefined,
  });
}

/** Describes an unknown key, and suggests the nearest known one. */
export function describeUnknownKey(key: string, known: readonly string[]): string {
  const guess = didYouMean(key, known);
  return `unknown key "${key}".${guess === "" ? ` Known here: ${known.join(", ")}` : guess}`;
}

const SOMETHING = /\S/;

/** A string with something in it. */
export const text = z.string().regex(SOMETHING, { error: "this must not be empty" });

/** True for values that {@link text} accepts. */
export function isText(value: unknown): value is string {
  return typeof value === "string" && SOMETHING.test(value);
}

/** Accepts a number or a string of digits, because `${PORT}` is always a string. */
export function acceptInteger(least: number, most: number) {
  const error = `a whole number from ${least} to ${most} is needed here`;
  return z
    .union([z.number(), z.string().regex(/^\d{1,15}$/, { error })], { error })
    .transform(Number)
    .refine((value) => Number.isInteger(value) && value >= least && value <= most, { error });
}

export const boolean = z
  .union([z.boolean(), z.enum(["true", "false"])], { error: "true or false is needed here" })
  .transform((value) => value === true || value === "true");

const MILLISECONDS: ReadonlyMap<string, number> = new Map([
  ["ms", 1],
  ["s", 1000],
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000],
]);

const NO_DURATION = "a duration with its unit is needed here, such as 500ms, 3s, 5m, 12h or 30d";

/** `500ms`, `3s`, `1.5m`, `12h`, `30d`, or 0 for none; in milliseconds. */
export const duration = z
  .union(
    [
      z.literal(0),
      z.string().regex(/^(?:\d{1,9}(?:\.\d{1,3})?(?:ms|s|m|h|d)|0)$/, { error: NO_DURATION }),
    ],
    { error: NO_DURATION },
  )
  .transform((value) => scaleAmount(String(value), MILLISECONDS));

const BYTES: ReadonlyMap<string, number> = new Map([
  ["b", 1],
  ["kb", 1000],
  ["mb", 1_000_000],
  ["gb", 1_000_000_000],
  ["kib", 1024],
  ["mib", 1_048_576],
  ["gib", 1_073_741_824],
]);

const NO_SIZE = "a size is needed here, such as 1048576, 64KiB, 1MiB or 10MB";

/** Bytes as a number, or `64KiB`, `10MB`, `1 GiB`; in bytes. */
export const size = z
  .union(
    [
      z.number().refine((value) => Number.isSafeInteger(value) && value >= 0, { error: NO_SIZE }),
      z.string().regex(/^\d{1,9}(?:\.\d{1,3})? ?(?:[KMG]i?)?B?$/i, { error: NO_SIZE }),
    ],
    { error: NO_SIZE },
  )
  .transform((value) => scaleAmount(String(value), BYTES));

function scaleAmount(written: string, units: ReadonlyMap<string, number>): number {
  const [, amount = "0", unit = ""] = /^([\d.]+) ?([a-z]*)$/i.exec(written) ?? [];
  const factor = units.get(unit.toLowerCase()) ?? units.get(`${unit.toLowerCase()}b`) ?? 1;
  return Math.round(Number(amount) * factor);
}

/** A field name that HTTP permits (RFC 9110, section 5.1). */
export const headerName = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, {
  error: "this is no name of an HTTP header",
});

export const flagName = z.string().refine((name) => toFlag(name) !== null, {
  error: (issue) =>
    `unknown flag "${String(issue.input)}".${didYouMean(String(issue.input), FLAGS)}`,
});

/** The name of a channel as texts and headers write it. */
export const channelName = z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, {
  error: "a channel's name is lower-case letters, digits, dots, hyphens and underscores",
});

/** A day that exists, as `2018-10-01`. */
export const day = z.string().refine(isCalendarDate, {
  error: "a day is needed here, as 2018-10-01",
});

/** A well-formed language tag (BCP 47), in its canonical spelling. */
export const languageTag = z
  .string()
  .refine((value) => toCanonicalTag(value) !== null, {
    error: "a language tag is needed here, such as fr, pt-BR or zh-Hant",
  })
  .transform((value) => toCanonicalTag(value) ?? value);

/** The tag of a language that somebody speaks, in its canonical spelling. */
export const spokenLanguage = z
  .string()
  .superRefine((written, ctx) => {
    const fault = findLanguageFault(written);
    if (fault !== null) ctx.addIssue({ code: "custom", message: fault });
  })
  .transform((written) => toCanonicalTag(written) ?? written);

/** `pt-br` → `pt-BR`, `iw` → `he`; null when the tag is not well-formed. Never throws. */
export function toCanonicalTag(tag: string): string | null {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null;
  } catch {
    return null;
  }
}

/**
 * Describes why a tag names no known language, or null. A word such as `English` is a well-formed
 * tag, but a bot in that language would have no word forms.
 *
 * @example
 * findLanguageFault("English"); // 'there is no language "English". Did you mean "en"?'
 */
export function findLanguageFault(written: string): string | null {
  const tag = toCanonicalTag(written);
  if (tag === null) return "a language tag is needed here, such as fr, pt-BR or zh-Hant";
  const { language } = new Intl.Locale(tag);
  const given = written.split("-")[0] ?? "";
  const isAlias = given.length === 3 && language.length === 2;
  if (!isAlias && englishNames.of(language) !== undefined) return null;
  if (isAlias) return `there is no language "${written}". Did you mean "${tag}"?`;
  const names = new Map(
    LOCALES.flatMap((locale) => [
      [englishNames.of(locale) ?? locale, locale],
      [new Intl.DisplayNames(locale, { type: "language" }).of(locale) ?? locale, locale],
      [locale, locale],
    ]),
  );
  const found = findNearest(written, names.keys());
  const meant = found === null ? "" : ` Did you mean "${names.get(found) ?? found}"?`;
  return `there is no language "${written}".${meant}`;
}

const englishNames = new Intl.DisplayNames("en", { type: "language", fallback: "none" });
