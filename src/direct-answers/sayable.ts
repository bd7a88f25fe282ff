import type { Utterance } from "./types.ts";

/** The last guard against an empty message: something stands between the quotes. */
export function isSayable(utterance: Utterance | null): utterance is Utterance {
  return utterance !== null && utterance.json.length > 2;
}
