import type { ConversationStore } from "../../conversation/memory.ts";
import { decodeMemory, encodeMemory } from "../../conversation/stored-memory.ts";
import { objectsIn } from "./object-rows.ts";
import type { ObjectNamespace } from "./platform.ts";

/** A {@link Conversation} as it is called from elsewhere. */
export interface ConversationStub {
  read(): Promise<string | null>;
  write(text: string): Promise<void>;
}

/**
 * Conversations in Durable Objects, one each: every isolate, wherever it runs, reads what another
 * has written.
 *
 * @param damaged called for every stored conversation that cannot be read; its reader gets null
 */
export function createObjectStore(
  conversations: ObjectNamespace<ConversationStub>,
  damaged: () => void,
): ConversationStore {
  const stubOf = objectsIn(conversations);
  return {
    async get(key) {
      const text = await stubOf(key).read();
      if (text === null) return null;
      const memory = decodeMemory(text);
      if (memory === null) damaged();
      return memory;
    },
    async put(key, memory) {
      await stubOf(key).write(encodeMemory(memory));
    },
  };
}
