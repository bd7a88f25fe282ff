import { createAskedQuestions } from "../../backend/chatbot/asked-questions.ts";
import { createKnowledgeBase, createMatchers } from "../../backend/chatbot/knowledge-base.ts";
import { projectsFrom } from "../../backend/chatbot/projects.ts";
import type { Content } from "../../backend/content/types.ts";
import type { Config } from "../../config/config.ts";
import { usesEmbedded } from "../../config/load/embedded.ts";
import { loadMatchingWords } from "../../config/load/matching-words.ts";
import type { QuestionGroup } from "../../insights/facts.ts";
import type { KeptQuestions } from "../../insights/questions.ts";
import { keepQuestions } from "../../runtime/node/insights.ts";
import { readAllContent } from "../backend/content-base.ts";
import { tableOf } from "../backend/print-list.ts";

/**
 * How the configuration keeps questions, with what the contents would answer now; null if it keeps
 * none. Contents that can't be read leave questions without their nearest content.
 */
export async function readKeptQuestions(config: Config): Promise<KeptQuestions | null> {
  const { insights, instances } = config;
  if (insights === null || !insights.questions) return null;
  const content = await loadOwnContent(config);
  if (content === null) return keepQuestions(insights, config, null);
  const base = createKnowledgeBase(content, createMatchers(loadMatchingWords));
  const asked = createAskedQuestions({
    base: () => base,
    projects: projectsFrom(instances),
    sessions: { read: () => Promise.resolve(null) },
    now: () => Date.now(),
  });
  return keepQuestions(insights, config, { nearest: asked.nearest });
}

/** Reads the titles of the embedded backend's contents, by `language/id`. */
export async function readContentTitles(config: Config): Promise<ReadonlyMap<string, string>> {
  const content = await loadOwnContent(config);
  return new Map(
    [...(content?.languages ?? [])].flatMap(([language, { items }]) =>
      items.map(({ id, title }) => [`${language}/${id}`, title] as const),
    ),
  );
}

/** Loads the contents of the embedded backend; null without one, or when they can't be read. */
async function loadOwnContent(config: Config): Promise<Content | null> {
  if (!usesEmbedded(config)) return null;
  const { content, database } = config.backend;
  return (await readAllContent(content, database)).content;
}

/** Describes questions without an answer as a table for a terminal. */
export function describeQuestions(groups: readonly QuestionGroup[], columns: number): string {
  if (groups.length === 0) return "No question without an answer is shown for this time.\n";
  const cells = groups.map(
    ({ instance, language, text, conversations, last, nearest, answered, demo }) => [
      text,
      String(conversations),
      last.slice(0, 10),
      language,
      nearest === null ? "-" : `${nearest.title} (${nearest.id}, ${nearest.score.toFixed(2)})`,
      answered !== null
        ? answered.since.slice(0, 10)
        : nearest?.verdict === "answers"
          ? "now"
          : "-",
      demo ? `${instance} (demo)` : instance,
    ],
  );
  return tableOf(
    ["QUESTION", "CONVERSATIONS", "LAST", "LANGUAGE", "NEAREST CONTENT", "ANSWERED", "INSTANCE"],
    cells,
    Math.max(columns, 120),
  );
}

/** Lists the same questions as rows of a spreadsheet. */
export function listQuestionRows(
  groups: readonly QuestionGroup[],
): readonly (readonly (string | number)[])[] {
  return [
    [
      "question",
      "instance",
      "language",
      "line",
      "speaker",
      "asked",
      "conversations",
      "first",
      "last",
      "nearest",
      "title",
      "score",
      "verdict",
      "answered",
      "demo",
    ],
    ...groups.map(({ nearest, answered, ...group }) => [
      group.text,
      group.instance,
      group.language,
      group.line,
      group.speaker,
      group.asked,
      group.conversations,
      group.first,
      group.last,
      nearest?.id ?? "",
      nearest?.title ?? "",
      nearest?.score.toFixed(3) ?? "",
      nearest?.verdict ?? "",
      answered?.since ?? "",
      group.demo ? "demo" : "",
    ]),
  ];
}
