import { textOf } from "../request-body.ts";
import type { Attributes } from "./types.ts";

/** An attribute as text, numbers and truth values too; null for a structured one and for none. */
export function textAttribute(attributes: Attributes, name: string): string | null {
  return Object.hasOwn(attributes, name) ? textOf(attributes[name]) : null;
}
