/** A language tag after canonicalisation, with what CLDR's likely subtags add to it. */
export interface Tag {
  /** Primary subtag as written, lower case; `likely` has another for `iw`, `in`, `cmn`… */
  readonly written: string;
  /** True when a part that no tag can have was dropped to read the rest. */
  readonly reduced: boolean;
  /** Canonical tag without extensions, such as `pt-BR` or `ca-valencia`. */
  readonly base: string;
  readonly script: string | null;
  readonly region: string | null;
  readonly likely: { readonly language: string; readonly script: string; readonly region: string };
}

// A real tag is far shorter. A longer one is an attempt to waste time.
const MAX_LENGTH = 100;

/**
 * Reads a language tag the way people write them: any case, underscores, a POSIX tail
 * (`pt_BR.UTF-8`), deprecated and grandfathered forms. Returns null for a text that names no language, and never throws.
 *
 * @example
 * parseTag("iw_IL")?.base; // "he-IL"
 */
export function parseTag(raw: string): Tag | null {
  const written = raw.length <= MAX_LENGTH ? readLeadingTag(raw) : "";
  for (const attempt of listSpellings(written)) {
    const locale = toLocale(attempt);
    if (locale !== null) return describe(locale, attempt, attempt !== written);
  }
  return null;
}

/** True for a text with the exact form of a tag, whether or not a language has it. */
export function isTagShaped(text: string): boolean {
  return /^[a-z]{2,8}(?:-[a-z0-9]{1,8})*$/i.test(text);
}

/** A tag's language in lower case, without script and region: `pt` of `pt-BR`. Takes any text. */
export function languageOf(tag: string): string {
  return tag.trim().toLowerCase().split(/[-_]/, 1)[0] ?? "";
}

/**
 * Reads a tag's language. The codes of Norwegian (nb, nn, no) become one, as for its readers.
 */
export function toSpokenLanguage(tag: string): string {
  const language = languageOf(tag);
  return language === "nb" || language === "nn" ? "no" : language;
}

/** Finds the script in which CLDR expects a language to be written when its tag doesn't say. */
export function findLikelyScript(language: string): string | null {
  return toLocale(language)?.maximize().script ?? null;
}

function readLeadingTag(raw: string): string {
  const match = /^[A-Za-z0-9_-]+/u.exec(raw.trim());
  return match === null ? "" : match[0].replaceAll("_", "-");
}

// Intl refuses extended language subtags (zh-yue-HK, no-bok) and part of the grandfathered tags
// (en-GB-oed): without the middle, or without the tail, they still say which language is meant.
function* listSpellings(written: string): Generator<string> {
  if (written === "") return;
  yield written;
  yield written.replace(/^([a-z]{2,3})(?:-[a-z]{3})+(?=-|$)/iu, "$1");
  for (let end = written.lastIndexOf("-"); end > 0; end = written.lastIndexOf("-", end - 1)) {
    yield written.slice(0, end);
  }
}

function toLocale(tag: string): Intl.Locale | null {
  try {
    return new Intl.Locale(tag);
  } catch {
    return null; // RangeError: not a well-formed tag
  }
}

function describe(locale: Intl.Locale, written: string, reduced: boolean): Tag | null {
  const likely = locale.maximize();
  // `und` alone names no language; with a region or a script the likely one is known.
  const primary = written.split("-", 1)[0]?.toLowerCase() ?? "";
  if (primary === "und" && locale.script === undefined && locale.region === undefined) return null;
  return {
    written: primary,
    reduced,
    base: locale.baseName,
    script: locale.script ?? null,
    region: locale.region ?? null,
    likely: {
      language: likely.language,
      script: likely.script ?? "",
      region: likely.region ?? "",
    },
  };
}
