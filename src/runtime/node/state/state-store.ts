import type { ConversationStore } from "../../../conversation/memory.ts";
import type { EscalationStore } from "../../../escalation/stores/store.ts";

/** Conversations and escalations stored for restarts and other processes. */
export interface StateStore extends ConversationStore {
  readonly escalations: EscalationStore;
  /** Finishes calls under way and closes the file or connection. Later calls reject. */
  close(): Promise<void>;
}

/** Called with the kind of a stored entry that cannot be read. */
export type Damaged = (what: "conversation" | "escalation") => void;
