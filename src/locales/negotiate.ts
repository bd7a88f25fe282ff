import { acceptedTags } from "./accept-language.ts";
import { relatives, sameLanguage, type Relation } from "./relatives.ts";
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

/**
 * What is known of the reader's language, strongest first; anything may be missing, empty or
 * hostile.
 */
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
 * BCP 47 in, one of the set's own tables out. Each source is tried in order: its exact table, its
 * explicit chain, CLDR's relatives (script, then parent), a sibling of the same language; a source
 * that names none of these leaves the word to the next, and the set's fallback speaks last. Never
 * throws on any string.
 *
 * @example
 * const negotiate = createNegotiator(tableSet); negotiate({ conversation: "zh_HK" }); // { locale:
 * "zh-Hant", reason: "script", source: "conversation" }
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
    remember(known, raw, found);
    return found;
  };

  return (sources) => {
    for (const source of PLAIN_SOURCES) {
      const found = match(sources[source]);
      if (found !== null) return { ...found, source };
    }
    if (typeof sources.acceptLanguage === "string") {
      for (const tag of acceptedTags(sources.acceptLanguage)) {
        const found = match(tag);
        if (found !== null) return { ...found, source: "accept-language" };
      }
    }
    return { locale: fallback, reason: "default", source: "none" };
  };
}

/**
 * Makes the negotiators of one snapshot. Sets with the same locales, chains and fallback share one,
 * whatever their texts say: ten thousand owners with words of their own seldom differ in their
 * languages.
 */
export function createNegotiators(): (set: TableSet) => Negotiator {
  const bySet = new WeakMap<TableSet, Negotiator>();
  const byLanguages = new Map<string, Negotiator>();
  return (set) => {
    const known = bySet.get(set);
    if (known !== undefined) return known;
    const languages = JSON.stringify([[...localesOf(set)].sort(), set.chains, set.fallback]);
    const made = byLanguages.get(languages) ?? createNegotiator(set);
    byLanguages.set(languages, made);
    bySet.set(set, made);
    return made;
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
  // A set without any table says nothing at all, whatever its fallback is called.
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
  for (const relative of relatives(tag)) {
    const locale = tables.byTag.get(relative.tag);
    if (locale !== undefined) return { locale, reason: relative.relation };
    const along = follow(chains.get(relative.tag), tables);
    if (along !== null) return along;
  }
  return chainOfLanguage(tag, tables, chains) ?? sibling(tag, tables);
}

// `sr: [ru]` speaks for readers of sr-Latn too, as long as there is no table of their language at
// all.
function chainOfLanguage(tag: Tag, tables: Tables, chains: Chains): Match | null {
  const { language } = tag.likely;
  return tables.byTag.has(language) ? null : follow(chains.get(language), tables);
}

// A chain's member is looked up like any tag, but neither chains nor siblings are followed from
// there: no loops.
function follow(chain: readonly string[] | undefined, tables: Tables): Match | null {
  for (const member of chain ?? []) {
    const tag = parseTag(member);
    if (tag === null) continue;
    for (const relative of relatives(tag)) {
      const locale = tables.byTag.get(relative.tag);
      if (locale !== undefined) return { locale, reason: "chain" };
    }
  }
  return null;
}

function sibling(tag: Tag, tables: Tables): Match | null {
  const same = tables.all.filter((table) =>
    sameLanguage(tag.likely.language, table.tag.likely.language),
  );
  const nearest = same.find((table) => table.tag.likely.script === tag.likely.script) ?? same.at(0);
  return nearest === undefined ? null : { locale: nearest.locale, reason: "sibling" };
}

// Tags come from clients: the memory of them is bounded, and the oldest goes first.
const MAX_KNOWN = 1_000;

function remember(known: Map<string, Match | null>, raw: string, found: Match | null): void {
  if (raw.length > 100) return;
  if (known.size >= MAX_KNOWN) {
    const oldest = known.keys().next();
    if (oldest.done !== true) known.delete(oldest.value);
  }
  known.set(raw, found);
}
