import type { ConversationStore } from "../../../conversation/memory.ts";
import type { EscalationStore } from "../../../escalation/stores/store.ts";

/** Conversations and escalations stored for restarts and other processes. */
export interface StateStore extends ConversationStore {
  readonly escalations: EscalationStore;
  /** Ends what is under way and lets go of the file or connection. Calls that come later reject. */
  close(): Promise<void>;
}

/** Told of a stored entry that cannot be read. */
export type Damaged = (what: "conversation" | "escalation") => void;
