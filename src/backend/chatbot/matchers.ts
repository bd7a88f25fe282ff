import { createMatcher } from "../matching/matcher.ts";
import type { Matcher, Searchable } from "../matching/types.ts";

/** The matcher for what can be asked for in one language. */
export type MatcherFor = (
  language: string,
  searchables: readonly Searchable[],
  synonyms: readonly (readonly string[])[],
) => Matcher;

/**
 * Builds matchers, and keeps the latest of each language: contents whose texts change and whose titles do not need no new one.
 * To build one is by far the most work in taking over changed contents, and nothing else happens in the meantime.
 */
export function keepingMatchers(build: MatcherFor = buildMatcher): MatcherFor {
  const kept = new Map<string, { readonly searched: string; readonly matcher: Matcher }>();
  return (language, searchables, synonyms) => {
    const searched = JSON.stringify([searchables, synonyms]);
    const known = kept.get(language);
    if (known?.searched === searched) return known.matcher;
    const matcher = build(language, searchables, synonyms);
    kept.set(language, { searched, matcher });
    return matcher;
  };
}

const buildMatcher: MatcherFor = (language, searchables, synonyms) =>
  createMatcher(searchables, { language, synonyms });
