import { DEFAULT_CONTENT_TITLES } from "../../direct-answers/default-content.ts";
import { CUSTOMIZABLE_FLAGS, type Flag } from "../../direct-answers/flags.ts";
import type { ContentItem } from "../content/types.ts";
import { createDefaultContent, createDirectAnswer } from "./answer.ts";
import type { BotAnswer } from "./answer.ts";
import { contentOf } from "./turn-context.ts";
import type { TurnContext, BotTurn } from "./turn-context.ts";
import { show } from "./show.ts";

/**
 * A preset answer. One that the bot's owner has customized is a content like any other, without the
 * flag (seed.md, Chatbot rule 1); active default content hides the flag as well (rule 2). In every
 * other case the flag comes with the words.
 */
export async function answerPreset(
  context: TurnContext,
  flag: Flag,
  userText: string,
): Promise<BotTurn> {
  const own = findCustomizedContent(context, flag);
  if (own !== null) return show(context, own, { userText, answered: false });
  const { project, texts, session } = context;
  const title = project.activeDefaultContent.includes(flag)
    ? DEFAULT_CONTENT_TITLES[flag]
    : undefined;
  return { answers: [answer()], session, userText };

  function answer(): BotAnswer {
    return title === undefined
      ? createDirectAnswer(flag, texts[flag])
      : createDefaultContent(title, texts[flag]);
  }
}

/** A preset answer to a turn that the engine could not answer. */
export function answerUnanswered(
  context: TurnContext,
  flag: Flag,
  userText: string,
): Promise<BotTurn> {
  // Default and customized contents do not count as answers either, because people rely on the
  // count of unanswered questions.
  const session = { ...context.session, unanswered: context.session.unanswered + 1 };
  return answerPreset({ ...context, session }, flag, userText);
}

function findCustomizedContent(context: TurnContext, flag: Flag): ContentItem | null {
  if (!CUSTOMIZABLE_FLAGS.includes(flag)) return null;
  const id = context.index.customized[flag];
  return id === undefined ? null : contentOf(context, id);
}
