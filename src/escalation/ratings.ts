import type { TriggerConfig } from "../config/escalation-config.ts";
import { scan } from "../json/scan.ts";
import { compileShape } from "../json/shape.ts";
import { rawOf, textOf } from "../json/text.ts";
import type { Counts } from "./record.ts";

export interface Rated {
  readonly counts: Counts;
  /** Told here for a client that listens; else it is told with the next answer. */
  readonly reason: "negative-ratings" | null;
  /** False: the body is no rating. */
  readonly rated: boolean;
}

/**
 * Counts a rating: the body of POST /tracking/events,
 * `{"type":"rate","data":{"code":…,"value":…,"comment":…}}`, whose value is a number or a text
 * (chatbot.md, 3.7). A negative one makes the row longer, any other ends it. Never throws.
 */
export function judgeRating(triggers: TriggerConfig, counts: Counts, body: Uint8Array): Rated {
  const value = ratingOf(body);
  if (value === null) return { counts, reason: null, rated: false };
  const isNegative = triggers.negative.includes(value);
  const negativeRatings = isNegative ? counts.negativeRatings + 1 : 0;
  const { negativeRatings: wanted } = triggers;
  const isEnough = wanted > 0 && negativeRatings >= wanted;
  return {
    counts: { ...counts, negativeRatings },
    reason: isEnough ? "negative-ratings" : null,
    rated: true,
  };
}

const EVENT = compileShape({ fields: { type: {}, data: { fields: { value: {} } } } });

function ratingOf(body: Uint8Array): string | null {
  const root = scan(body, EVENT);
  if (root?.kind !== "object") return null;
  const type = root.fields.get("type");
  if (type?.kind !== "string" || textOf(body, type) !== "rate") return null;
  const data = root.fields.get("data");
  const value = data?.kind === "object" ? data.fields.get("value") : undefined;
  if (value?.kind === "string") return textOf(body, value).trim();
  return value?.kind === "number" ? rawOf(body, value) : null;
}
