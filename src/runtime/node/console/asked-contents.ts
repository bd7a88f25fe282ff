import type { ContentHit, ContentQuestions, ContentTrial } from "../../../api/console-contents.ts";
import { createMatchers, searchedIn } from "../../../backend/chatbot/knowledge-base.ts";
import { loadMatchingWords } from "../../../config/load/matching-words.ts";
import { createMatcher } from "../../../matching/matcher.ts";
import {
  type Hit,
  type MatchingSettings,
  findOfferScore,
  type Searchable,
} from "../../../matching/types.ts";
import type { DraftedContents } from "./content-reader.ts";

/** Caches matchers, since somebody who types changes one content and leaves the others. */
const matchers = createMatchers(loadMatchingWords, (contents, options) =>
  createMatcher(contents, { ...options, training: "asked" }),
);

/**
 * Finds other contents that match a content's phrases too, and the contents that questions would
 * find. Null if the files have errors.
 */
export function askContents(
  { content }: DraftedContents,
  { language, id, fields, questions }: ContentQuestions,
  settings: MatchingSettings,
): ContentTrial | null {
  if (content === null) return null;
  const known = searchedIn(content).find((one) => one.language === language.toLowerCase());
  const base = known ?? { language: language.toLowerCase(), searchables: [], synonyms: [] };
  const others = base.searchables.filter((one) => one.id !== id);
  // A new content has no id yet.
  const own: Searchable | null =
    fields === null || fields.hidden || !fields.published
      ? null
      : { id: id ?? 0, phrases: phrasesOf(fields) };
  const searchables = fields === null ? base.searchables : putInto(base.searchables, id, own);
  const titles = new Map(searchables.map((one) => [one.id, one.phrases[0] ?? ""]));
  const toHit = ({ id: found, score, exact }: Hit): ContentHit => {
    return { id: found, title: titles.get(found) ?? "", score, exact };
  };
  const matcher = matchers.for(fields === null ? base : { ...base, searchables });
  const ids = others.map((one) => one.id);
  const phrases = (fields === null ? [] : phrasesOf(fields)).map((phrase) => {
    const found = matcher.within(phrase, ids, maxHits);
    const least = findOfferScore(settings, found);
    return { phrase, others: found.hits.filter(({ score }) => score >= least).map(toHit) };
  });
  return {
    phrases,
    questions: questions.map((question) => {
      const found = matcher.search(question, maxHits);
      const best = found.hits[0]?.score ?? 0;
      const outcome =
        best >= settings.threshold
          ? "answered"
          : best >= findOfferScore(settings, found) && best > 0
            ? "offered"
            : "nothing";
      return { question, hits: found.hits.map(toHit), outcome };
    }),
  };
}

/** Puts a content in its place, since scores depend a little on the order of the contents. */
function putInto(
  all: readonly Searchable[],
  id: number | null,
  own: Searchable | null,
): readonly Searchable[] {
  const isKnown = all.some((one) => one.id === id);
  const changed = all.flatMap((one) => (one.id === id ? (own ?? []) : one));
  return isKnown || own === null ? changed : [...changed, own];
}

function phrasesOf(
  fields: Pick<NonNullable<ContentQuestions["fields"]>, "title" | "alternatives">,
): readonly string[] {
  return [fields.title, ...fields.alternatives].filter((phrase) => phrase.trim() !== "");
}

/** The most hits that the console shows for a question. */
const maxHits = 5;
