import { listRelatives, isSameLanguage, type Relation } from "./relatives.ts";
import { parseTag, type Tag } from "./tag.ts";
import type { Locale, TableSet } from "./types.ts";

/** Why a table was chosen for a tag. */
export type NegotiationReason = Relation | "chain" | "default";

/** Which of the reader's own statements named the language. */
export type LocaleSource = "header" | "conversation" | "instance" | "accept-language" | "none";

export interface Negotiated {
  readonly locale: Locale;
  readonly reason: NegotiationReason;
  readonly source: LocaleSource;
}

/** Hints of the reader's language, strongest first; any may be missing, empty or hostile. */
export interface LocaleSources {
  /** x-afterword-locale */
  readonly header?: string | null | undefined;
  /** `lang` of the conversation's start */
  readonly conversation?: string | null | undefined;
  /** language of the instance */
  readonly instance?: string | null | undefined;
  /** the whole Accept-Language value, when the configuration enables it */
  readonly acceptLanguage?: string | null | undefined;
}

export type Negotiator = (sources: LocaleSources) => Negotiated;

/**
 * Creates a function that chooses one of the set's tables for BCP 47 tags. It tries each source in
 * order: its exact table, its explicit chain, CLDR's relatives (script, then parent), a sibling of
 * the same language. A source without any of these is skipped, and the set's fallback comes last.
 * Never throws on any string.
 *
 * @example const negotiate = createNegotiator(tableSet); negotiate({ conversation: "zh_HK" }); // {
 * locale: "zh-Hant", reason: "script", source: "conversation" }
 */
export function createNegotiator(set: TableSet): Negotiator {
  const tables = readTables(set);
  const chains = new Map(Object.entries(set.chains));
  const known = new Map<string, Match | null>();
  const fallback = resolve(set.fallback, tables, chains)?.locale ?? tables.first;

  const match = (raw: string | null | undefined): Match | null => {
    if (typeof raw !== "string" || raw === "") return null;
    const seen = known.get(raw);
    if (seen !== undefined) return seen;
    const found = resolve(raw, tables, chains);
    // Tags come from clients.
    if (known.size >= 1000) known.clear();
    if (raw.length <= 100) known.set(raw, found);
    return found;
  };

  return (sources) => {
    for (const source of PLAIN_SOURCES) {
      const found = match(sources[source]);
      if (found !== null) return { ...found, source };
    }
    if (typeof sources.acceptLanguage === "string") {
      for (const tag of listAcceptedTags(sources.acceptLanguage)) {
        const found = match(tag);
        if (found !== null) return { ...found, source: "accept-language" };
      }
    }
    return { locale: fallback, reason: "default", source: "none" };
  };
}

/** The negotiators of one snapshot. Sets with equal locales, chains and fallback share one. */
export function createNegotiators(): (set: TableSet) => Negotiator {
  const known = new Map<string, Negotiator>();
  return (set) => {
    const languages = JSON.stringify([[...localesOf(set)].sort(), set.chains, set.fallback]);
    const negotiate = known.get(languages) ?? createNegotiator(set);
    known.set(languages, negotiate);
    return negotiate;
  };
}

const PLAIN_SOURCES = ["header", "conversation", "instance"] as const;

interface Match {
  readonly locale: Locale;
  readonly reason: NegotiationReason;
}

interface Tables {
  /** Canonical tag, lower case → the table's own name. */
  readonly byTag: ReadonlyMap<string, Locale>;
  readonly first: Locale;
  readonly all: readonly { readonly locale: Locale; readonly tag: Tag }[];
}

type Chains = ReadonlyMap<string, readonly string[]>;

function localesOf(set: TableSet): ReadonlySet<string> {
  const names = new Set(Object.values(set.channels).flatMap((channel) => Object.keys(channel)));
  // A set without tables has no lines, whatever its fallback is called.
  return names.size === 0 ? new Set([set.fallback]) : names;
}

function readTables(set: TableSet): Tables {
  const names = localesOf(set);
  // The one place where a string becomes a Locale: it is the name of a loaded table.
  const isLocale = (name: string): name is Locale => names.has(name);
  const byTag = new Map<string, Locale>();
  const all: { locale: Locale; tag: Tag }[] = [];
  const locales = [...names].filter(isLocale).sort();
  for (const locale of locales) {
    const tag = parseTag(locale);
    if (tag !== null) {
      all.push({ locale, tag });
      if (!byTag.has(tag.base.toLowerCase())) byTag.set(tag.base.toLowerCase(), locale);
    }
    byTag.set(locale.toLowerCase(), locale);
  }
  const [first] = locales;
  if (first === undefined) throw new TypeError("unreachable: names is never empty");
  return { byTag, all, first };
}

function resolve(raw: string, tables: Tables, chains: Chains): Match | null {
  const tag = parseTag(raw);
  if (tag === null) return null;
  const written = raw.trim().replaceAll("_", "-").toLowerCase();
  const direct = tables.byTag.get(written);
  if (direct !== undefined) return { locale: direct, reason: "exact" };
  const chained = follow(chains.get(written), tables);
  if (chained !== null) return chained;
  for (const relative of listRelatives(tag)) {
    const locale = tables.byTag.get(relative.tag);
    if (locale !== undefined) return { locale, reason: relative.relation };
    const along = follow(chains.get(relative.tag), tables);
    if (along !== null) return along;
  }
  return chainOfLanguage(tag, tables, chains) ?? findSibling(tag, tables);
}

// `sr: [ru]` applies to readers of sr-Latn too, without any table of their language.
function chainOfLanguage(tag: Tag, tables: Tables, chains: Chains): Match | null {
  const { language } = tag.likely;
  return tables.byTag.has(language) ? null : follow(chains.get(language), tables);
}

// Members of a chain are looked up as tags, without their chains or siblings: no loops.
function follow(chain: readonly string[] | undefined, tables: Tables): Match | null {
  for (const member of chain ?? []) {
    const tag = parseTag(member);
    if (tag === null) continue;
    for (const relative of listRelatives(tag)) {
      const locale = tables.byTag.get(relative.tag);
      if (locale !== undefined) return { locale, reason: "chain" };
    }
  }
  return null;
}

function findSibling(tag: Tag, tables: Tables): Match | null {
  const same = tables.all.filter((table) =>
    isSameLanguage(tag.likely.language, table.tag.likely.language),
  );
  const nearest = same.find((table) => table.tag.likely.script === tag.likely.script) ?? same.at(0);
  return nearest === undefined ? null : { locale: nearest.locale, reason: "sibling" };
}

// A browser sends a handful of ranges; the rest of a longer list is noise or an attack.
const MAX_LENGTH = 2_000;
const MAX_RANGES = 20;

/**
 * The language tags of an Accept-Language value (RFC 9110, 12.5.4), most wanted first. Ranges with
 * weight 0, the wildcard and ranges with a malformed weight are left out. Never throws.
 *
 * @example
 * acceptedTags("de;q=0.7, fr, *;q=0.1"); // ["fr", "de"]
 */
export function listAcceptedTags(header: string): readonly string[] {
  return header
    .slice(0, MAX_LENGTH)
    .split(",")
    .slice(0, MAX_RANGES)
    .map(readRange)
    .filter((range) => range.weight > 0 && range.tag !== "" && range.tag !== "*")
    .sort((one, other) => other.weight - one.weight)
    .map((range) => range.tag);
}

// qvalue = ( "0" [ "." 0*3DIGIT ] ) / ( "1" [ "." 0*3("0") ] )
const QVALUE = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/u;

function readRange(text: string): { readonly tag: string; readonly weight: number } {
  const [tag = "", ...parameters] = text.split(";").map((part) => part.trim());
  const parameter = parameters.find((part) => /^q\s*=/iu.test(part));
  if (parameter === undefined) return { tag, weight: 1 };
  const value = parameter.slice(parameter.indexOf("=") + 1).trim();
  return { tag, weight: QVALUE.test(value) ? Number(value) : 0 };
}
