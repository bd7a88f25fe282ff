import { findOfferScore } from "../../matching/types.ts";
import type { SessionStore } from "../storage/types.ts";
import type { KnowledgeBase } from "./knowledge-base.ts";
import { findProject, matchingOf, type Project } from "./projects.ts";
import { keyOfHeader } from "./sessions.ts";
import { isSystemVariable } from "./system-variables.ts";

/** Facts about the questions of conversations, for people who improve the bot. */
export interface AskedQuestions {
  /** Finds the content closest to a question; null if there is none. */
  readonly nearest: (project: string, language: string, question: string) => NearestContent | null;
  /** The language of the contents that readers of a language get. */
  readonly languageOfContents: (project: string, language: string) => string;
  /** Reads the values that a reader has given: variables, and what they typed in forms. */
  readonly valuesTold: (sessionToken: string) => Promise<readonly string[]>;
}

export interface NearestContent {
  readonly id: number;
  /** The language of the contents, in which the question was searched. */
  readonly language: string;
  readonly title: string;
  /** From 0 to 1. */
  readonly score: number;
  readonly verdict: "answers" | "offered" | "no";
}

export interface AskedQuestionsParts {
  readonly base: () => KnowledgeBase;
  readonly projects: readonly Project[];
  readonly sessions: Pick<SessionStore, "read">;
  readonly now: () => number;
}

export function createAskedQuestions(parts: AskedQuestionsParts): AskedQuestions {
  const { base, projects, sessions, now } = parts;
  return {
    nearest(name, language, question) {
      const project = findProject(projects, name);
      const index = base().index(language, project);
      const audience = { environment: "production", userType: 0, now: now() };
      const found = index.search(question, audience);
      const [best] = found.hits;
      const item = best && index.byId.get(best.id);
      if (best === undefined || item === undefined) return null;
      const matching = matchingOf(project);
      const isOffered = best.score >= findOfferScore(matching, found);
      const verdict = best.score >= matching.threshold ? "answers" : isOffered ? "offered" : "no";
      const { id, title } = item;
      return { id, language: index.language, title, score: best.score, verdict };
    },
    languageOfContents: (name, language) =>
      base().index(language, findProject(projects, name)).language,
    async valuesTold(sessionToken) {
      const key = await keyOfHeader(sessionToken);
      const session = key === null ? null : await sessions.read(key, now());
      if (session === null) return [];
      const own = session.variables.filter(([name]) => !isSystemVariable(name));
      return [...own.map(([, value]) => value), ...session.typed];
    },
  };
}
