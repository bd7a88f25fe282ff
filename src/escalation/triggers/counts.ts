import type { TriggerConfig } from "../../config/escalation-config.ts";
import { scan } from "../../json/scan.ts";
import { compileShape } from "../../json/shape.ts";
import { findMember, rawOf, textOf } from "../../json/text.ts";
import type { Counts } from "../stores/record.ts";

/** True for a client's retry: the same bytes again within seconds. */
export function isRepeated(
  { last }: Counts,
  { digest, at }: { readonly digest: string; readonly at: number },
): boolean {
  return last !== null && last.digest === digest && Math.abs(at - last.at) <= repeatedWithin;
}

/** Milliseconds. */
const repeatedWithin = 5000;

/** Starts all counts of consecutive turns anew: after an offer, a no, a signal or the return to the bot. */
export function resetSettled(counts: Counts): Counts {
  return { ...counts, noResults: 0, errors: 0, negativeRatings: 0 };
}

/** True while no consecutive turns are counted, so that an ordinary turn changes nothing. */
export function isQuiet({ noResults, errors, negativeRatings }: Counts): boolean {
  return noResults + errors + negativeRatings === 0;
}

export interface Rated {
  readonly counts: Counts;
  /**
   * The reason to begin now, for a client with an event stream; others begin with the next answer.
   */
  readonly reason: "negative-ratings" | null;
  /** False if the body is no rating. */
  readonly rated: boolean;
}

/**
 * Counts a rating: the body of POST /tracking/events,
 * `{"type":"rate","data":{"code":…,"value":…,"comment":…}}`, whose value is a number or a text
 * (chatbot.md, 3.7). A negative one adds to the count of consecutive ones, any other resets it.
 * Never throws.
 */
export function judgeRating(triggers: TriggerConfig, counts: Counts, body: Uint8Array): Rated {
  const value = ratingOf(body);
  if (value === null) return { counts, reason: null, rated: false };
  const negativeRatings = triggers.negative.includes(value) ? counts.negativeRatings + 1 : 0;
  const isEnough = isReached(negativeRatings, triggers.negativeRatings);
  return {
    counts: { ...counts, negativeRatings },
    reason: isEnough ? "negative-ratings" : null,
    rated: true,
  };
}

/** @param threshold 0: never reached */
export function isReached(count: number, threshold: number): boolean {
  return threshold > 0 && count >= threshold;
}

const EVENT = compileShape({ fields: { type: {}, data: { fields: { value: {} } } } });

/** Returns the value of a rating; null if the body is no rating. */
export function ratingOf(body: Uint8Array): string | null {
  const root = scan(body, EVENT);
  if (root?.kind !== "object") return null;
  const type = root.fields.get("type");
  if (type?.kind !== "string" || textOf(body, type) !== "rate") return null;
  const value = findMember(root.fields.get("data"), "value");
  if (value?.kind === "string") return textOf(body, value).trim();
  return value?.kind === "number" ? rawOf(body, value) : null;
}
