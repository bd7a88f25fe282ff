import { answerInThread } from "../../src/storage/thread.ts";

/** Work that never ends, or takes all memory that it gets, in small pieces. */
answerInThread("is greedy", (what: "time" | "memory" | "nothing") => {
  let held: unknown = null;
  while (what !== "nothing") if (what === "memory") held = { held };
  return held === null ? "done" : "held";
});
