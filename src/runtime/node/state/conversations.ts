import type { ConversationStore } from "../../../conversation/memory.ts";
import { decodeMemory, encodeMemory } from "../../../conversation/stored-memory.ts";
import type { Sealing } from "../../../escalation/stores/sealing.ts";
import type { Damaged } from "./state-store.ts";

/** Texts by key. Each expires half an hour after it was last read or written. */
export interface ConversationTexts {
  get(key: string): Promise<string | null>;
  put(key: string, value: string): Promise<void>;
}

/** Stores conversation memories as texts, encrypted if there is a key. */
export function createStoredConversations({
  texts,
  sealing,
  damaged,
}: {
  readonly texts: ConversationTexts;
  readonly sealing: Sealing;
  readonly damaged: Damaged;
}): ConversationStore {
  return {
    async get(key) {
      const stored = await texts.get(key);
      if (stored === null) return null;
      const text = await sealing.open(stored, describeKey(key));
      const memory = text === null ? null : decodeMemory(text);
      if (memory === null) damaged("conversation");
      return memory;
    },
    async put(key, memory) {
      await texts.put(key, await sealing.seal(encodeMemory(memory), describeKey(key)));
    },
  };
}

/** Binds a sealed text to its key, so that it cannot be opened under another one. */
function describeKey(key: string): string {
  return `conversation ${key}`;
}
