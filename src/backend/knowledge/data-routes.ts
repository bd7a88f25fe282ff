import { Hono } from "hono";
import { appDataRequest, detectRequest, languageRequest } from "../../api/knowledge/schema.ts";
import type { AutocompleterEntry } from "../../api/knowledge/answers.ts";
import type { WordsOf } from "../../matching/types.ts";
import type { Content } from "../content/types.ts";
import { createLanguageDetector } from "./language-detector.ts";
import type { LanguageDetector } from "./language-detector.ts";
import { isListed, handleKnowledge } from "./call.ts";
import type { KnowledgeService, KnowledgeCall } from "./call.ts";

/** Creates the routes for front ends: autocompleter, language detector, app data, user types. */
export function createDataRoutes(service: KnowledgeService): Hono {
  const routes = new Hono({ strict: false });
  const detector = createDetectors(service.words);

  routes.get(
    "/autocompleter/data",
    handleKnowledge(service, "knowledge.autocompleterData", languageRequest, async (call) =>
      Response.json({ results: entriesOf(call) }),
    ),
  );
  const detect = (operation: "knowledge.detectLanguage" | "knowledge.detectLanguageOf") =>
    handleKnowledge(service, operation, detectRequest, async ({ content }, { query }) =>
      Response.json(detector(content)(query)),
    );
  routes.post("/language-detector", detect("knowledge.detectLanguage"));
  routes.get("/language-detector", detect("knowledge.detectLanguageOf"));
  routes.get(
    "/app/data/:id",
    handleKnowledge(service, "knowledge.appData", appDataRequest, async ({ c, base }, { name }) => {
      const values = base.appData.get(c.req.param("id") ?? "");
      const labels = (values ?? []).filter((one) => name === undefined || one.name === name);
      return Response.json({ results: values === undefined ? [] : [{ value: { labels } }] });
    }),
  );
  routes.get(
    "/user-types",
    handleKnowledge(service, "knowledge.userTypes", languageRequest, async ({ catalog }) => {
      const ids = new Set([0, ...catalog.items.flatMap(({ userTypes }) => userTypes)]);
      const results = [...ids]
        .toSorted((a, b) => a - b)
        .map((id) => ({ id: String(id), name: id === 0 ? "Default" : `User type ${id}` }));
      return Response.json({ results });
    }),
  );
  return routes;
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
