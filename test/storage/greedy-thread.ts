import { answerInThread } from "../../src/storage/thread.ts";

/** Runs forever, or uses all available memory, in small pieces. */
answerInThread("is greedy", (what: "time" | "memory" | "nothing") => {
  let held: unknown = null;
  while (what !== "nothing") if (what === "memory") held = { held };
  return held === null ? "done" : "held";
});
