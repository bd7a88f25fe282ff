import type { Flag } from "../../direct-answers/flags.ts";
import type { ContentItem, EngineTexts } from "../content/types.ts";
import type { Project } from "../projects.ts";
import type { Session } from "../storage/types.ts";
import { contentAnswer, defaultContent, directAnswer } from "./answer.ts";
import type { Answer } from "./answer.ts";
import type { KnowledgeBase, Shelf } from "./knowledge-base.ts";
import { withMatch } from "./system-variables.ts";
import type { TurnRequest } from "./turn-request.ts";

/** What one turn of a conversation comes to. */
export interface Turn {
  readonly answers: readonly Answer[];
  readonly session: Session;
  /** What the reader is taken to have said, for the history; empty for a call behind the scenes. */
  readonly said: string;
}

/** A question may have this many Unicode code points (seed.md 9). */
export const MESSAGE_LIMIT = 256;

/** Titles by which active default content is known. */
const defaultContentTitles: Readonly<Partial<Record<Flag, string>>> = {
  welcome: "Welcome",
  "no-results": "No Results",
  "all-options-discarded": "All options discarded",
};

/** Answers one request. Pure: the session goes in and comes back changed. */
export function takeTurn(
  base: KnowledgeBase,
  project: Project,
  session: Session,
  request: TurnRequest,
): Turn {
  const scene: Scene = {
    project,
    texts: base.texts(session.language),
    shelf: base.shelf(session.language, project),
    session: { ...session, turns: session.turns + 1, offered: [] },
  };
  if (request.kind === "direct-call") return jump(scene, request.name);
  if (request.kind === "option" && session.offered.includes(request.id)) {
    const item = scene.shelf.byId.get(request.id);
    if (item !== undefined) return show(scene, item, 1, item.title);
  }
  return ask(scene, request.text, session);
}

interface Scene {
  readonly project: Project;
  readonly texts: EngineTexts;
  readonly shelf: Shelf;
  /** As it will be after this turn, but for what the answer changes. */
  readonly session: Session;
}

function jump(scene: Scene, name: string): Turn {
  if (name === "sys-welcome") return welcome(scene);
  const item = scene.shelf.byDirectCall.get(name);
  return item === undefined
    ? preset(scene, "conversation-error-message", "")
    : show(scene, item, 1, "");
}

function ask(scene: Scene, text: string, before: Session): Turn {
  if (isLongerThan(text, MESSAGE_LIMIT)) return preset(scene, "character-limit-exceeded", text);
  if (text.trim() === "") {
    return before.turns === 0 && !before.welcomed
      ? welcome(scene)
      : preset(scene, "no-question", "");
  }
  const match = scene.shelf.matcher.match(text);
  const measured = { ...scene, session: withMatch(scene.session, match) };
  return match.item === null
    ? unanswered(measured, text)
    : show(measured, match.item, match.score, text);
}

function welcome(scene: Scene): Turn {
  return preset({ ...scene, session: { ...scene.session, welcomed: true } }, "welcome", "");
}

// A turn that default content answers is still a turn without an answer: readers of the count rely on it.
function unanswered(scene: Scene, text: string): Turn {
  const session = { ...scene.session, unanswered: scene.session.unanswered + 1 };
  return preset({ ...scene, session }, "no-results", text);
}

function preset({ project, texts, session }: Scene, flag: Flag, said: string): Turn {
  const title = project.activeDefaultContent.includes(flag)
    ? defaultContentTitles[flag]
    : undefined;
  const answer =
    title === undefined ? directAnswer(flag, texts[flag]) : defaultContent(title, texts[flag]);
  return { answers: [answer], session, said };
}

function show(
  { texts, shelf, session }: Scene,
  item: ContentItem,
  score: number,
  said: string,
): Turn {
  const related = item.related
    .slice(0, session.settings.maxRelatedContents)
    .flatMap((id) => shelf.byId.get(id) ?? []);
  const relatedTitle = texts["related-title"];
  return {
    answers: [contentAnswer({ item, related, relatedTitle, score, session })],
    session: { ...session, unanswered: 0, offered: related.map(({ id }) => id) },
    said,
  };
}

/** Counts code points, and no further than it must: a message may be megabytes long. */
function isLongerThan(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  let count = 0;
  for (const _ of text) {
    count += 1;
    if (count > limit) return true;
  }
  return false;
}
