import { createMemoryStore } from "../../src/conversation/memory-store.ts";
import { describeConversationStore } from "./store-suite.ts";

describeConversationStore({
  name: "memory",
  limited: true,
  texts: false,
  open(limit) {
    let time = 1_000_000;
    return {
      store: createMemoryStore(() => time, limit),
      pass(milliseconds) {
        time += milliseconds;
      },
      close() {},
    };
  },
});
