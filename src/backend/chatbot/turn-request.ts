import { isBlank } from "../../locales/plain-text.ts";
import { type Fields, textOf } from "../http/request-body.ts";

/** The reader's option as sent, or null, and the words that count when it was not offered. */
export interface WrittenMessage {
  readonly kind: "message";
  readonly option: string | null;
  readonly text: string;
}

/** The request of one turn on the message route. */
export type TurnRequest = { readonly kind: "direct-call"; readonly name: string } | WrittenMessage;

/**
 * Only one of the three fields takes effect: `directCall` before `option` before `message`, because
 * clients send a `message` with the other two. Missing, null and empty fields are the same. An
 * option that was not offered counts as a message: the `message` beside it, or else the option's
 * own text.
 */
export function readTurnRequest(fields: Fields): TurnRequest {
  const directCall = textOf(fields["directCall"])?.trim() ?? "";
  if (directCall !== "") return { kind: "direct-call", name: directCall };
  const message = textOf(fields["message"]) ?? "";
  const option = textOf(fields["option"])?.trim() ?? "";
  const text = option === "" || !isBlank(message) ? message : option;
  // Comparing megabytes with labels would block the process for minutes, and no option is that
  // long.
  return { kind: "message", option: option === "" || isTooLong(option) ? null : option, text };
}

/** A question may have this many Unicode code points (seed.md 9). */
const MESSAGE_LIMIT = 256;

/** Counts code points only up to the limit, because a message can be megabytes long. */
export function isTooLong(text: string, limit: number = MESSAGE_LIMIT): boolean {
  if (text.length <= limit) return false;
  let count = 0;
  for (const _ of text) {
    count += 1;
    if (count > limit) return true;
  }
  return false;
}
