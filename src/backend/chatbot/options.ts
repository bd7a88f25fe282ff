import type { Recognition } from "../../locales/recognition.ts";
import type { Credential } from "../auth/credentials.ts";
import type { Submission, SubmissionOutcome } from "../forms/types.ts";
import type { Project } from "./projects.ts";
import type { Session, Storage } from "../storage/types.ts";
import type { KnowledgeBase } from "./knowledge-base.ts";
import type { OpenSessions } from "./open-sessions.ts";
import type { Submit } from "./turn-context.ts";

/** Creates a ticket from a form, for the caller of the conversation. */
export type FileForm = (
  submission: Submission,
  session: Session,
  caller: Credential,
) => Promise<SubmissionOutcome>;

/** The options of the chatbot's handlers. */
export interface ChatbotOptions {
  /** Reads the current contents, which can be replaced during conversations. */
  readonly base: () => KnowledgeBase;
  readonly recognition: () => Recognition;
  readonly projects: readonly Project[];
  readonly storage: Storage;
  readonly sessions: OpenSessions;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly random: (length: number) => Uint8Array;
  /** Sends the values of forms to their webhooks. */
  readonly submit: Submit;
  /** Makes tickets of forms that have none. Never rejects. */
  readonly fileForm: FileForm;
}
