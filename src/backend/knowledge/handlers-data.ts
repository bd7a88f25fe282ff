import { appDataRequest, detectRequest, languageRequest } from "../../api/knowledge/schema.ts";
import type { AutocompleterEntry } from "../../api/knowledge/answers.ts";
import type { WordsOf } from "../../matching/types.ts";
import type { Content } from "../content/types.ts";
import { createLanguageDetector } from "./language-detector.ts";
import type { LanguageDetector } from "./language-detector.ts";
import {
  createKnowledgeHandler,
  isListed,
  type KnowledgeCall,
  type KnowledgeHandlers,
  type KnowledgeService,
} from "./call.ts";

/** Data for front ends: autocompleter, language detector, app data, user types. */
export function createDataHandlers(service: KnowledgeService) {
  const on = createKnowledgeHandler(service);
  const detector = createDetectors(service.words);

  const detect = on(detectRequest, ({ content }, { query }) => detector(content)(query));
  return {
    autocompleterData: on(languageRequest, (call) => ({ results: entriesOf(call) })),
    detectLanguage: detect,
    detectLanguageOf: detect,
    appData: on(appDataRequest, ({ id, base }, { name }) => {
      const values = base.appData.get(id);
      const labels = (values ?? []).filter((one) => name === undefined || one.name === name);
      return { results: values === undefined ? [] : [{ value: { labels } }] };
    }),
    userTypes: on(languageRequest, ({ catalog }) => {
      const ids = new Set([0, ...catalog.items.flatMap(({ userTypes }) => userTypes)]);
      const results = [...ids]
        .toSorted((a, b) => a - b)
        .map((id) => ({ id: String(id), name: id === 0 ? "Default" : `User type ${id}` }));
      return { results };
    }),
  } satisfies Partial<KnowledgeHandlers>;
}

function entriesOf(call: KnowledgeCall): readonly AutocompleterEntry[] {
  const questions = Map.groupBy(call.catalog.questions, ({ item }) => item.id);
  return call.catalog.items
    .filter((item) => isListed(item, call))
    .map(({ id, title, slug, categories }) => ({
      id,
      title,
      slug,
      categories,
      userQuestions: (questions.get(id) ?? []).map((one) => ({ id: one.id, title: one.title })),
    }));
}

/** Creates the detector on first use, and again when the contents have changed. */
function createDetectors(words: WordsOf): (content: Content) => LanguageDetector {
  let made: { readonly content: Content; readonly detector: LanguageDetector } | null = null;
  return (content) => {
    if (made?.content !== content)
      made = { content, detector: createLanguageDetector(content, words) };
    return made.detector;
  };
}
