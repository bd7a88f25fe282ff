import { DEFAULT_ESCALATION } from "../../src/config/escalation-defaults.ts";
import type { TriggerConfig } from "../../src/config/escalation-config.ts";
import type { TurnFacts } from "../../src/escalation/facts.ts";
import { readTurn } from "../../src/escalation/facts.ts";
import type { Locale, Scene } from "../../src/locales/types.ts";

export function encode(value: unknown): Uint8Array {
  return new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));
}

export function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

export function parse(bytes: Uint8Array): unknown {
  return JSON.parse(new TextDecoder().decode(bytes));
}

/** The facts of a response with these answers. */
export function turn(...answers: readonly unknown[]): TurnFacts {
  const facts = readTurn(encode({ answers }));
  if (facts === null) throw new Error("these are no answers");
  return facts;
}

/** Triggers that ask for nothing, but for those given. */
export function only(given: Partial<TriggerConfig>): TriggerConfig {
  return {
    ...DEFAULT_ESCALATION.triggers,
    noResults: 0,
    escalateFlag: false,
    directCalls: [],
    callbacks: [],
    words: false,
    ...given,
  };
}

/** A conversation in English through no particular channel. */
export function scene(facts: Partial<Scene["facts"]> = {}, locale = "en"): Scene {
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a test needs no negotiation
    locale: locale as Locale,
    channel: facts.channel ?? "",
    facts: {
      instance: "shop",
      channel: "",
      env: null,
      userType: null,
      source: null,
      lang: null,
      ...facts,
    },
    variables: new Map([["plan", "gold"]]),
    query: () => null,
    seed: () => [],
    now: () => 0,
  };
}
