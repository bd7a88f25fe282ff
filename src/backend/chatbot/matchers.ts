import { buildMatcher, createMatcher } from "../../matching/matcher.ts";
import type { Matcher, Searchable } from "../../matching/types.ts";

/** What can be asked for in one language. */
export interface Searched {
  readonly language: string;
  readonly searchables: readonly Searchable[];
  readonly synonyms: readonly (readonly string[])[];
}

/** The matchers that conversations search with, one for each language. */
export interface Matchers {
  /** Builds one at once when there is none that fits. */
  for(searched: Searched): Matcher;
  /** Builds one little by little, so that what comes after finds it. */
  prepare(searched: Searched): Promise<void>;
}

/**
 * Keeps the latest matcher of each language: contents whose texts change and whose titles do not
 * need no new one. To build one is by far the most work in taking over changed contents.
 */
export function keepingMatchers(build: typeof createMatcher = createMatcher): Matchers {
  const kept = new Map<string, { readonly searched: string; readonly matcher: Matcher }>();
  // Contents are prepared and then taken: to write down all their titles once is enough.
  const keys = new WeakMap<Searched, string>();
  const keyOf = (searched: Searched): string => {
    const key = keys.get(searched) ?? JSON.stringify([searched.searchables, searched.synonyms]);
    keys.set(searched, key);
    return key;
  };
  const known = (key: string, { language }: Searched): Matcher | null => {
    const before = kept.get(language);
    return before?.searched === key ? before.matcher : null;
  };
  return {
    for(searched) {
      const key = keyOf(searched);
      const before = known(key, searched);
      if (before !== null) return before;
      const { language, searchables, synonyms } = searched;
      const matcher = build(searchables, { language, synonyms });
      kept.set(language, { searched: key, matcher });
      return matcher;
    },
    async prepare(searched) {
      const key = keyOf(searched);
      if (known(key, searched) !== null) return;
      const { language, searchables, synonyms } = searched;
      const matcher = await buildMatcher(searchables, { language, synonyms });
      kept.set(language, { searched: key, matcher });
    },
  };
}
