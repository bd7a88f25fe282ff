import type { MatchedField, MatchingDetails } from "../../api/knowledge/types.ts";
import type { ContentItem } from "../content/types.ts";
import type { Catalog } from "./catalog.ts";
import { countFound, highlight, matchingPassage, passage } from "./highlight.ts";
import type { Sought } from "./highlight.ts";
import type { Cut, Cutter } from "./text-cuts.ts";

export interface Details {
  readonly titleHighlight: string;
  readonly matchingDetails: MatchingDetails;
  /**
   * HTML: the part of the answer around the first word that matched, else its beginning. Null
   * unless it was asked for.
   */
  readonly abstract: string | null;
}

export interface DetailsAsked {
  readonly query: string;
  /** The words of the query. */
  readonly sought: Sought;
  /** True when a phrase of the content is the query. */
  readonly exact: boolean;
  readonly abstract: boolean;
}

/** Where the words of a query stand in a content: whatever the engine found it by. */
export function detailsOf(
  item: ContentItem,
  { query, sought, exact, abstract }: DetailsAsked,
  { cut, answerTexts }: Catalog,
): Details {
  const title = highlight(cut(item.title), sought);
  const part = (abstract ? passage : matchingPassage)(answerTexts(item), sought, cut);
  const answer = part === null ? nothing : highlight(part, sought);
  const best = bestAlternative(item, sought, cut);
  const alternative = best === null ? nothing : highlight(best, sought);
  const all: readonly [MatchedField, typeof title][] = [
    ["title", title],
    ["alternativeTitle", alternative],
    ["answer", answer],
  ];
  const matched = all.filter(([, { stems }]) => stems.size > 0);
  const found = new Set(matched.flatMap(([, { stems }]) => [...stems]));
  return {
    titleHighlight: title.html,
    matchingDetails: {
      fields: matched.map(([field]) => field),
      exact,
      words: [...found].map((stem) => sought.stems.get(stem) ?? stem),
      highlights: Object.fromEntries(matched.map(([field, { html }]) => [field, html])),
      query,
    },
    abstract: abstract ? answer.html : null,
  };
}

/**
 * The first of the alternative titles in which the most of what is sought stands, or null when none
 * has any of it.
 */
function bestAlternative(item: ContentItem, sought: Sought, cut: Cutter): Cut | null {
  let best: Cut | null = null;
  let most = 0;
  for (const title of item.alternatives) {
    const one = cut(title);
    const count = countFound(one, sought);
    if (count > most) [best, most] = [one, count];
  }
  return best;
}

const nothing: ReturnType<typeof highlight> = { html: "", stems: new Set() };
