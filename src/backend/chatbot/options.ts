import type { Recognition } from "../../locales/recognition.ts";
import type { Access } from "../auth/access.ts";
import type { Project } from "./projects.ts";
import type { Storage } from "../storage/types.ts";
import type { KnowledgeBase } from "./knowledge-base.ts";
import type { OpenSessions } from "./open-sessions.ts";
import type { Submit } from "./turn-context.ts";

/** What the chatbot's routes work with. */
export interface ChatbotOptions {
  readonly access: Access;
  /** The contents as they are now: they may be replaced while conversations go on. */
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
  /** Bytes. */
  readonly bodyLimit: number;
}
