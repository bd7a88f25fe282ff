import type { MatchedField, MatchingDetails } from "../../wire/knowledge/types.ts";
import type { ContentItem } from "../content/types.ts";
import type { Catalog } from "./catalog.ts";
import { around, highlight, soughtIn } from "./highlight.ts";
import { plainAnswer } from "./plain-answer.ts";

export interface Details {
  readonly titleHighlight: string;
  readonly matchingDetails: MatchingDetails;
  /** HTML: the part of the answer around the first word that matched, else its beginning. */
  readonly abstract: string;
}

/** Where the words of a query stand in a content: whatever the engine found it by. */
export function detailsOf(
  item: ContentItem,
  query: string,
  { language, analyser }: Catalog,
  { exact, typing }: { readonly exact: boolean; readonly typing: boolean },
): Details {
  const sought = soughtIn(query, language, analyser, typing);
  const mark = (text: string): ReturnType<typeof highlight> =>
    highlight(text, sought, language, analyser);
  const title = mark(item.title);
  const alternative = item.alternatives
    .map(mark)
    .reduce((best, one) => (one.stems.size > best.stems.size ? one : best), nothing);
  const answer = mark(around(plainAnswer(item.answers.join(" ")), sought, language, analyser));
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

const nothing: ReturnType<typeof highlight> = { html: "", stems: new Set() };
