import type { NeedleSpec } from "../json/needles.ts";
import { recognizersOf } from "./recognition.ts";
import type { InstanceRules } from "./types.ts";

/**
 * Lists the needles of an instance: a `flags` array that is not empty, a `relatedTitle`, and the
 * titles and texts by which active default content is recognized. A body without any of them is not
 * scanned, because the decision would edit and recognize nothing in it.
 */
export function needlesOf(rules: InstanceRules): NeedleSpec {
  const { titles, texts } = recognizersOf(rules);
  return {
    nonEmptyArrays: ["flags"],
    names: ["relatedTitle"],
    texts: [...titles.keys(), ...texts.keys()],
  };
}
