import { Hono } from "hono";
import { languageRequest, paging } from "../../api/knowledge/schema.ts";
import { notFound } from "../refusal.ts";
import { toQuestion } from "./records.ts";
import { contentsPage, pageOf } from "./results.ts";
import { shown } from "../shown.ts";
import { newLog } from "./tracking-codes.ts";
import { sameQuestion } from "./user-questions.ts";
import type { Question } from "./user-questions.ts";
import { isListed, visiting } from "./visit.ts";
import type { Desk, Visit } from "./visit.ts";

/** User questions, and the contents that each asks for. */
export function userQuestionRoutes(desk: Desk): Hono {
  const routes = new Hono({ strict: false });
  const one = (question: Question): Response =>
    Response.json({ results: [toQuestion(question, newLog(desk.random))] });

  routes.get(
    "/user-questions",
    visiting(desk, "knowledge.userQuestions", paging, async (visit, request) => {
      const all = visit.catalog.questions.filter(({ item }) => isListed(item, visit));
      const { results, hasMore } = pageOf(all, request);
      const log = newLog(desk.random);
      return Response.json({
        results: results.map((question) => toQuestion(question, log)),
        hasMore,
      });
    }),
  );
  routes.get(
    "/user-questions/slug/:slug",
    visiting(desk, "knowledge.userQuestionBySlug", languageRequest, async (visit) => {
      const slug = visit.c.req.param("slug") ?? "";
      return one(found(visit, visit.catalog.questionBySlug.get(slug), slug));
    }),
  );
  routes.get(
    "/user-questions/:id",
    visiting(desk, "knowledge.userQuestion", languageRequest, async (visit) =>
      one(questionOf(visit)),
    ),
  );
  const contents = visiting(
    desk,
    "knowledge.contentsOfUserQuestion",
    paging,
    async (visit, request) => {
      const question = questionOf(visit);
      const items = visit.catalog.questions
        .filter((other) => sameQuestion(question, other) && isListed(other.item, visit))
        .map(({ item }) => item);
      return contentsPage([...new Set([question.item, ...items])], visit, desk, request);
    },
  );
  routes.get("/user-questions/:id/contents", contents);
  routes.get("/user-question/:id/contents", contents);
  return routes;
}

function questionOf(visit: Visit): Question {
  const id = visit.c.req.param("id") ?? "";
  const known = /^\d{1,15}$/.test(id) ? visit.catalog.questionById.get(Number(id)) : undefined;
  return found(visit, known, id);
}

/** Throws 404 for a question of a content that this reader does not get to see. */
function found(visit: Visit, question: Question | undefined, asked: string): Question {
  if (question !== undefined && isListed(question.item, visit)) return question;
  throw notFound(`user question ${shown(asked)}`);
}
