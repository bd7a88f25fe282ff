import { textOf } from "../json/text.ts";
import type { JsonNode } from "../json/types.ts";
import { toFlag, type Flag } from "./flags.ts";

/** What an answer's `flags` say. */
export interface FoundFlags {
  /** Direct-answer flags in the answer's own order. */
  readonly flags: readonly Flag[];
  /**
   * True when there are other members: `escalate`, `no-rating`, something newer, or no string at
   * all.
   */
  readonly unknown: boolean;
}

/** Reads the flags of one answer. Anything but an array of strings names none. */
export function flagsIn(bytes: Uint8Array, node: JsonNode | undefined): FoundFlags {
  if (node === undefined || node.kind !== "array" || node.items.length === 0) return NONE;
  const flags: Flag[] = [];
  let unknown = false;
  for (const item of node.items) {
    const flag = item.kind === "string" ? toFlag(textOf(bytes, item)) : null;
    if (flag === null) unknown = true;
    else flags.push(flag);
  }
  return { flags, unknown };
}

const NONE: FoundFlags = Object.freeze({ flags: Object.freeze([]), unknown: false });
