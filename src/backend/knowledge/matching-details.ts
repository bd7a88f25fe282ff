import type { MatchedField, MatchingDetails } from "../../wire/knowledge/types.ts";
import type { ContentItem } from "../content/types.ts";
import type { Catalog } from "./catalog.ts";
import { countFound, highlight, passage } from "./highlight.ts";
import type { Sought } from "./highlight.ts";
import type { Cut, Cutter } from "./text-cuts.ts";

export interface Details {
  readonly titleHighlight: string;
  readonly matchingDetails: MatchingDetails;
  /** HTML: the part of the answer around the first word that matched, else its beginning. */
  readonly abstract: string;
}

/** Where the words of a query, which are `sought`, stand in a content: whatever the engine found it by. */
export function detailsOf(
  item: ContentItem,
  query: string,
  sought: Sought,
  { cut, answerTexts }: Catalog,
  exact: boolean,
): Details {
  const title = highlight(cut(item.title), sought);
  const answer = highlight(passage(answerTexts(item), sought, cut), sought);
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
    abstract: answer.html,
  };
}

/** The first of the alternative titles in which the most of what is sought stands, or null when none has any of it. */
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
