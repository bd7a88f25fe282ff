import { listOwnLineSlots } from "../../locales/own-lines.ts";
import { PLACEHOLDERS } from "../../locales/slots.ts";
import type { TemplatePart, Template, TextFormat } from "../../locales/types.ts";
import { dropTrailing } from "../../text.ts";

/** Lists the placeholders of a line apart from conversation variables: the common ones and its own. */
export function placeholdersOf(key: string): readonly string[] {
  return [...PLACEHOLDERS, ...listOwnLineSlots(key)];
}

/** A parsed text: literals, slots, and invalid placeholders. */
export interface ParsedText {
  readonly parts: readonly TemplatePart[];
  /** Placeholders such as `{{first name}}`, `{{}}` and `{{query`, which readers must never see. */
  readonly broken: readonly string[];
}

const BRACES = /\{\{(?!\{)(?:\s*([A-Za-z_][A-Za-z0-9_.-]*)\s*\}\}|[^{}]*\}\}|[^{}]{0,40})/g;

/**
 * Parses `{{name}}`, with or without blanks inside the braces. Names of variables are compared in
 * lower case, so every slot is in lower case except {@link PLACEHOLDERS}. Single braces are text.
 *
 * @example
 * parsePlaceholders("Nothing for {{ query }}, {sorry}").parts; // ["Nothing for ", { slot: "query"
 * }, ", {sorry}"]
 */
export function parsePlaceholders(text: string): ParsedText {
  // Most of the many thousand texts have no placeholder.
  if (!text.includes("{{")) return { parts: text === "" ? [] : [text], broken: [] };
  const parts: TemplatePart[] = [];
  const broken: string[] = [];
  let from = 0;
  const addLiteral = (to: number): void => {
    if (to > from) parts.push(text.slice(from, to));
  };
  for (const found of text.matchAll(BRACES)) {
    const [whole, name] = found;
    if (name === undefined) {
      broken.push(whole);
      continue;
    }
    addLiteral(found.index);
    parts.push({ slot: toSlotName(name) });
    from = found.index + whole.length;
  }
  addLiteral(text.length);
  return { parts, broken };
}

/** Lists the names of a template's slots, each once. */
export function slotsOf(template: Pick<Template, "parts">): readonly string[] {
  const slots = template.parts.flatMap((part) => (typeof part === "string" ? [] : [part.slot]));
  return [...new Set(slots)];
}

/** Parses a text as a template, without the line breaks that a YAML block leaves at its end. */
export function toTemplate(text: string, format: TextFormat): Template {
  return { format, parts: parsePlaceholders(dropTrailing(text, "\r\n")).parts };
}

function toSlotName(name: string): string {
  return PLACEHOLDERS.includes(name) ? name : name.toLowerCase();
}
