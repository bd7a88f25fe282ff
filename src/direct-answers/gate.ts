import type { NeedleSpec } from "../json/needles.ts";
import { recognizersOf } from "./recognition.ts";
import type { InstanceRules } from "./types.ts";

/**
 * Lists the needles that a response body is searched for before it is scanned: a `flags` array with
 * something in it, a `relatedTitle`, and titles and texts by which this instance's active default
 * content is known. None of them found is certain, then the decision would edit nothing and
 * recognize nothing; one found only means that the body must be scanned.
 */
export function needlesOf(rules: InstanceRules): NeedleSpec {
  const { titles, texts } = recognizersOf(rules);
  return {
    nonEmptyArrays: ["flags"],
    names: ["relatedTitle"],
    texts: [...titles.keys(), ...texts.keys()],
  };
}
