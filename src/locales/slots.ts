import { formatDate, formatNumber } from "./formats.ts";
import { escapeMarkup } from "./markup.ts";
import { isBlank, isolate, plainText, shorten } from "./plain-text.ts";
import type { Scene, TextFormat } from "./types.ts";

/** Longest query that is repeated to the reader, in grapheme clusters. */
const QUERY_GRAPHEMES = 60;

/** The engine's own limit of a question, in characters (seed.md, section 9). */
const QUESTION_LIMIT = 256;

/**
 * The finished text for a slot, or null when there is no value. What people typed (the query and
 * the conversation's variables, which clients set) is cleaned and isolated in its direction;
 * numbers and dates are ours, written for the locale of the line. Everything is escaped unless the
 * text is shown as plain text.
 *
 * @param locale of the line, which may be a fallback of the scene's
 */
export function slotValue(
  slot: string,
  scene: Scene,
  count: number | null,
  locale: string,
  format: TextFormat,
): string | null {
  const value = rawValue(slot, scene, count, locale);
  if (value === null || isBlank(value)) return null;
  return format === "text" ? value : escapeMarkup(value);
}

function rawValue(slot: string, scene: Scene, count: number | null, locale: string): string | null {
  switch (slot) {
    case "query":
      return typed(scene.query(), QUERY_GRAPHEMES);
    case "date":
      return formatDate(locale, scene.now());
    case "maxLength":
      return formatNumber(locale, QUESTION_LIMIT);
    case "count":
      return count === null ? null : formatNumber(locale, count);
    default:
      return typed(scene.variables.get(slot.toLowerCase()) ?? null, null);
  }
}

function typed(text: string | null, limit: number | null): string | null {
  if (text === null) return null;
  const plain = plainText(text);
  return isolate(limit === null ? plain : shorten(plain, limit));
}
