import { textOf } from "../http/request-body.ts";
import type { Attributes } from "./types.ts";

/** Returns a text, number or boolean attribute as text; null for objects and missing attributes. */
export function readTextAttribute(attributes: Attributes, name: string): string | null {
  return Object.hasOwn(attributes, name) ? textOf(attributes[name]) : null;
}

/** Reads `true`, `yes`, `1`, `false`, `no` and `0` in any letter case; null for anything else. */
export function readTruthAttribute(attributes: Attributes, name: string): boolean | null {
  const written = readTextAttribute(attributes, name)?.trim().toLowerCase() ?? "";
  if (/^(?:true|yes|1)$/.test(written)) return true;
  return /^(?:false|no|0)$/.test(written) ? false : null;
}
