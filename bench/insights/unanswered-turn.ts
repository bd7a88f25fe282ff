import type { Fact } from "../../src/insights/facts.ts";

/** A turn of a reader to which the engine had no answer. */
export function createUnansweredTurn(session: string, typed: string, at: number): Fact {
  const instance = "shop";
  return {
    kind: "turn",
    at,
    instance,
    session,
    isHandedOver: false,
    readRequest: () => ({ isOption: false, typed }),
    decided: {
      gate: null,
      locale: "en",
      localeReason: "",
      instance,
      channel: "web",
      steps: [{ at: "/answers/0/message", flag: "no-results", reason: "no-text" }],
    },
  };
}
