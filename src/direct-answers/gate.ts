import type { NeedleSpec } from "../json/needles.ts";
import { recognizersOf } from "./recognition.ts";
import type { InstanceRules } from "./types.ts";

/**
 * Lists the needles that a response body is searched for before it is scanned: a `flags` array that
 * is not empty, a `relatedTitle`, and the titles and texts by which this instance's active default
 * content is recognised. If none is found, the decision would certainly edit and recognise nothing.
 * If one is found, the body must be scanned.
 */
export function needlesOf(rules: InstanceRules): NeedleSpec {
  const { titles, texts } = recognizersOf(rules);
  return {
    nonEmptyArrays: ["flags"],
    names: ["relatedTitle"],
    texts: [...titles.keys(), ...texts.keys()],
  };
}
