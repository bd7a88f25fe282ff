import { type Node, type ParseError, parseTree } from "jsonc-parser";
import { type TriggerConfig, DEFAULT_ESCALATION } from "../../src/config/escalation-config.ts";
import type { TurnFacts } from "../../src/escalation/triggers/facts.ts";
import { readTurn } from "../../src/escalation/triggers/facts.ts";
import type { Locale, LineContext } from "../../src/locales/types.ts";

export function encode(value: unknown): Uint8Array {
  return new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));
}

export function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/**
 * Reads a body; of members with the same name the last one counts. JSON.parse can't be used: V8
 * 13.6 returns one value for `{" ":[1],"\\u0020":null}` within a larger document the first time,
 * and the other from the second time on.
 */
export function parse(bytes: Uint8Array): unknown {
  const text = new TextDecoder().decode(bytes);
  const problems: ParseError[] = [];
  const root = parseTree(text, problems);
  if (root === undefined || problems.length > 0) throw new SyntaxError(`no JSON: ${text}`);
  return valueOf(root);
}

function valueOf(node: Node): unknown {
  const { type, children = [] } = node;
  if (type === "array") return children.map(valueOf);
  if (type !== "object") return node.value;
  const members: object = {};
  for (const { children: [name, value] = [] } of children) {
    if (name === undefined || value === undefined) throw new SyntaxError("half a member");
    // Defined as a property, because an assignment to `__proto__` creates no member.
    const kept = { value: valueOf(value), enumerable: true, writable: true, configurable: true };
    Object.defineProperty(members, String(name.value), kept);
  }
  return members;
}

/** The facts of a response with these answers. */
export function turn(...answers: readonly unknown[]): TurnFacts {
  const facts = readTurn(encode({ answers }));
  if (facts === null) throw new Error("these are no answers");
  return facts;
}

/** Triggers that are all off, except for those that are passed. */
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

/** A conversation in English without a particular channel. */
export function scene(facts: Partial<LineContext["facts"]> = {}, locale = "en"): LineContext {
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
