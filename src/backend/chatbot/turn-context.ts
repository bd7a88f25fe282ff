import type { Recognition } from "../../locales/recognition.ts";
import type { ContentItem, EngineTexts } from "../content/types.ts";
import type { Submission, SubmissionOutcome } from "../forms/types.ts";
import type { Project } from "./projects.ts";
import type { OpenDialogue, Session } from "../storage/types.ts";
import type { BotAnswer } from "./answer.ts";
import {
  type KnowledgeBase,
  type ContentIndex,
  isVisible,
  type Audience,
} from "./knowledge-base.ts";

/** The result of one turn of a conversation. */
export interface BotTurn {
  readonly answers: readonly BotAnswer[];
  readonly session: Session;
  /** The reader's message for the history; empty for a call that the reader does not see. */
  readonly userText: string;
}

/** Sends a form's values to its webhook, with the id of the session. Never rejects. */
export type Submit = (submission: Submission, session: string) => Promise<SubmissionOutcome>;

/** The context of one turn. */
export interface TurnContext {
  readonly project: Project;
  readonly texts: EngineTexts;
  readonly recognition: Recognition;
  readonly index: ContentIndex;
  readonly audience: Audience;
  /** The session after this turn, to which the answer adds what it opens and offers. */
  readonly session: Session;
  /** The dialogue that was open before this turn. */
  readonly open: OpenDialogue | null;
  /** Ids of the contents that were offered before this turn. */
  readonly offered: readonly number[];
  readonly submit: Submit;
}

export interface TurnParts {
  readonly base: KnowledgeBase;
  readonly recognition: Recognition;
  readonly project: Project;
  readonly session: Session;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly submit: Submit;
}

/** Creates the context of a session's next turn. */
export function createTurnContext({
  base,
  recognition,
  project,
  session,
  now,
  submit,
}: TurnParts): TurnContext {
  const { environment, userType } = session.settings;
  return {
    project,
    texts: base.texts(session.language),
    recognition,
    index: base.index(session.language, project),
    audience: { environment, userType, now },
    session: { ...session, turns: session.turns + 1, offered: [], open: null },
    open: session.open,
    offered: session.offered,
    submit,
  };
}

/** Finds the content with this id; null if there is none any more, or this reader may not see it. */
export function contentOf({ index, audience }: TurnContext, id: number): ContentItem | null {
  const item = index.byId.get(id);
  return item !== undefined && isVisible(item, audience) ? item : null;
}

/** Returns the turn with the dialogue that was open before it, unless the turn has opened another. */
export function keepOpen({ open }: TurnContext, turn: BotTurn): BotTurn {
  return turn.session.open === null ? { ...turn, session: { ...turn.session, open } } : turn;
}

/** Returns the context with a changed session. */
export function withSession(context: TurnContext, session: Session): TurnContext {
  return { ...context, session };
}
