import type { ConversationStore } from "../../../conversation/memory.ts";

/** Conversations kept where this process can be restarted, or another one can read them. */
export interface StateStore extends ConversationStore {
  /** Ends what is under way and lets go of the file or connection. Calls that come later reject. */
  close(): Promise<void>;
}
