import { compileNeedles, mayHold, type CompiledNeedles, type NeedleSpec } from "../json/needles.ts";
import { recognizersOf } from "./recognition.ts";
import type { InstanceRules } from "./types.ts";

/** Tells whether a response body must be scanned. */
export type OpensGate = (bytes: Uint8Array) => boolean;

/**
 * A gate that searches bytes alone: closed is certain, then the decision would edit nothing and
 * recognize nothing; open only means that the body must be scanned. It opens for a `flags` array
 * with something in it, a `relatedTitle`, a title by which this instance's active default content
 * is known, and letters that are escaped where a key could be spelled with them.
 *
 * @param more what else opens it, such as the needles of escalation triggers
 * @param compile pass one that remembers, and instances with equal rules share its tables
 */
export function createGate(
  rules: InstanceRules,
  more: NeedleSpec = {},
  compile: (spec: NeedleSpec) => CompiledNeedles = compileNeedles,
): OpensGate {
  const needles = compile({
    nonEmptyArrays: ["flags", ...(more.nonEmptyArrays ?? [])],
    names: ["relatedTitle", ...(more.names ?? [])],
    texts: [...recognizersOf(rules).keys(), ...(more.texts ?? [])],
  });
  return (bytes) => mayHold(bytes, needles);
}

/** Compiles equal needles once. */
export function rememberingNeedles(): (spec: NeedleSpec) => CompiledNeedles {
  const known = new Map<string, CompiledNeedles>();
  return (spec) => {
    const key = JSON.stringify(spec);
    const compiled = known.get(key) ?? compileNeedles(spec);
    known.set(key, compiled);
    return compiled;
  };
}
