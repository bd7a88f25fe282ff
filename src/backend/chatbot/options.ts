import type { Access } from "../auth/access.ts";
import type { AppDatum } from "../content/types.ts";
import type { Project } from "../projects.ts";
import type { Storage } from "../storage/types.ts";
import type { KnowledgeBase } from "./knowledge-base.ts";
import type { OpenSessions } from "./open-sessions.ts";

/** What the chatbot's routes work with. */
export interface ChatbotOptions {
  readonly access: Access;
  readonly base: KnowledgeBase;
  readonly appData: ReadonlyMap<string, readonly AppDatum[]>;
  readonly projects: readonly Project[];
  readonly storage: Storage;
  readonly sessions: OpenSessions;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly random: (length: number) => Uint8Array;
  /** Bytes. */
  readonly bodyLimit: number;
}
