import { textOf } from "../http/request-body.ts";
import type { Attributes } from "./types.ts";

/** An attribute as text, numbers and truth values too; null for a structured one and for none. */
export function readTextAttribute(attributes: Attributes, name: string): string | null {
  return Object.hasOwn(attributes, name) ? textOf(attributes[name]) : null;
}

/** An attribute that says yes or no, in any case: `true`, `yes`, `1`; `false`, `no`, `0`; else null. */
export function readTruthAttribute(attributes: Attributes, name: string): boolean | null {
  const written = readTextAttribute(attributes, name)?.trim().toLowerCase() ?? "";
  if (/^(?:true|yes|1)$/.test(written)) return true;
  return /^(?:false|no|0)$/.test(written) ? false : null;
}
