import type { Flag } from "../../direct-answers/flags.ts";
import type { ContentItem, CustomizableFlag } from "../content/types.ts";
import { defaultContent, directAnswer, saying } from "./answer.ts";
import type { Answer } from "./answer.ts";
import { contentOf } from "./scene.ts";
import type { Scene, Turn } from "./scene.ts";
import { show } from "./show.ts";

/**
 * A preset answer. One that the bot's owner has customized is a content like any other, without the
 * flag (seed.md, Chatbot rule 1); active default content hides the flag as well (rule 2).
 *
 * @param caused false where the words fit but the flag's cause did not occur: then they are an
 *   ordinary answer
 */
export async function preset(scene: Scene, flag: Flag, said: string, caused = true): Promise<Turn> {
  const own = customizedContent(scene, flag);
  if (own !== null) return show(scene, own, { said, answered: false });
  const { project, texts, session } = scene;
  const title = project.activeDefaultContent.includes(flag)
    ? defaultContentTitles[flag]
    : undefined;
  return { answers: [answer()], session, said };

  function answer(): Answer {
    if (!caused) return saying([texts[flag]]);
    return title === undefined
      ? directAnswer(flag, texts[flag])
      : defaultContent(title, texts[flag]);
  }
}

/** A preset answer to a turn that the engine could not answer. */
export function unanswered(scene: Scene, flag: Flag, said: string): Promise<Turn> {
  // Default and customized content answers no question either: readers of the count rely on it.
  const session = { ...scene.session, unanswered: scene.session.unanswered + 1 };
  return preset({ ...scene, session }, flag, said);
}

/** Titles by which active default content is known. */
const defaultContentTitles: Readonly<Partial<Record<Flag, string>>> = {
  welcome: "Welcome",
  "no-results": "No Results",
  "all-options-discarded": "All options discarded",
};

const customizable: ReadonlySet<Flag> = new Set<CustomizableFlag>([
  "all-options-discarded",
  "follow-up-question",
  "no-question",
  "no-results",
  "welcome",
]);

function customizedContent(scene: Scene, flag: Flag): ContentItem | null {
  if (!isCustomizable(flag)) return null;
  const id = scene.shelf.customized[flag];
  return id === undefined ? null : contentOf(scene, id);
}

function isCustomizable(flag: Flag): flag is CustomizableFlag {
  return customizable.has(flag);
}
