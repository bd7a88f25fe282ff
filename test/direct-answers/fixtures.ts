import { decide } from "../../src/direct-answers/decide.ts";
import type { Decision, InstanceRules, Say } from "../../src/direct-answers/types.ts";
import { quote } from "../../src/json/quote.ts";
import { splice } from "../../src/json/splice.ts";

export const PLAIN: InstanceRules = {
  activeDefaultContent: [],
  recognize: {},
  restoreFlags: false,
  replace: {},
};

export const MODERN: InstanceRules = {
  activeDefaultContent: ["all-options-discarded", "no-results", "welcome"],
  recognize: { "no results": "no-results", hello: "welcome", "something else": "refinement" },
  restoreFlags: false,
  replace: {},
};

/** Default content said in the owner's words: of `no-results` by title or text, of `welcome` by title. */
export const REPLACING: InstanceRules = {
  ...MODERN,
  replace: { "no-results": ["Sorry, nothing."], welcome: [] },
};

/** Says `<key>!` for every key, or only for those given; null for the others. */
export function saying(...keys: readonly string[]): Say {
  return (key) => (keys.length === 0 || keys.includes(key) ? utter(`${key}!`) : null);
}

export function utter(text: string): ReturnType<Say> {
  return { json: quote(text), source: { locale: "en", origin: "own", rule: "test" } };
}

/**
 * Decides about a body, and returns the edited body. Bytes stay as they are, a text becomes UTF-8.
 */
export function judge(
  body: string | Uint8Array,
  {
    rules = PLAIN,
    say = saying(),
    detail = false,
  }: { rules?: InstanceRules; say?: Say; detail?: boolean } = {},
): Decision & { readonly body: string } {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const decision = decide(bytes, rules, say, detail);
  return {
    ...decision,
    body: new TextDecoder("utf-8", { ignoreBOM: true }).decode(splice(bytes, decision.edits)),
  };
}
