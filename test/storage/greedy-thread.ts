import { answerInThread } from "../../src/storage/thread.ts";

/** Work that never ends, or takes all memory that it gets. */
answerInThread("is greedy", (what: "time" | "memory" | "nothing") => {
  const held: unknown[] = [];
  while (what !== "nothing") if (what === "memory") held.push([held.length]);
  return "done";
});
