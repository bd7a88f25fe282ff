import type { TriggerConfig } from "../../config/escalation-config.ts";
import { scan } from "../../json/scan.ts";
import { compileShape } from "../../json/shape.ts";
import { findMember, rawOf, readString, textOf } from "../../json/text.ts";
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

/**
 * Counts a rating: the body of POST /tracking/events,
 * `{"type":"rate","data":{"code":…,"value":…,"comment":…}}`, whose value is a number or a text
 * (chatbot.md, 3.7). A negative one adds to the count of consecutive ones, any other resets it.
 * Returns null if the body is no rating. Never throws.
 */
export function countRating(
  triggers: TriggerConfig,
  counts: Counts,
  body: Uint8Array,
): Counts | null {
  const value = ratingOf(body);
  if (value === null) return null;
  const negativeRatings = triggers.negative.includes(value) ? counts.negativeRatings + 1 : 0;
  return { ...counts, negativeRatings };
}

/** @param threshold 0: never reached */
export function isReached(count: number, threshold: number): boolean {
  return threshold > 0 && count >= threshold;
}

const EVENT = compileShape({ fields: { type: {}, data: { fields: { value: {} } } } });

/** Returns the value of a rating; null if the body is no rating. */
export function ratingOf(body: Uint8Array): string | null {
  const root = scan(body, EVENT);
  if (readString(body, findMember(root, "type")) !== "rate") return null;
  const value = findMember(findMember(root, "data"), "value");
  if (value?.kind === "string") return textOf(body, value).trim();
  return value?.kind === "number" ? rawOf(body, value) : null;
}
