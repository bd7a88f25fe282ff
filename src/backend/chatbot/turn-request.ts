import { countOf, textOf } from "../field-values.ts";
import type { Fields } from "../request-body.ts";

/** What one request on the message route asks for. */
export type TurnRequest =
  | { readonly kind: "direct-call"; readonly name: string }
  /** `id` is -1 for an option that is no number; `text` is said in its place when it was not offered. */
  | { readonly kind: "option"; readonly id: number; readonly text: string }
  | { readonly kind: "message"; readonly text: string };

/**
 * Only one of the three fields takes effect: `directCall` before `option` before `message`, for clients send an empty or
 * even a full `message` beside the other two. A field that is missing, null or empty is not there. An option that was not
 * offered is taken for something said: the `message` beside it, else its own text.
 */
export function turnRequest(fields: Fields): TurnRequest {
  const directCall = textOf(fields["directCall"])?.trim() ?? "";
  if (directCall !== "") return { kind: "direct-call", name: directCall };
  const message = textOf(fields["message"]) ?? "";
  const option = textOf(fields["option"])?.trim() ?? "";
  if (option === "") return { kind: "message", text: message };
  return {
    kind: "option",
    id: countOf(option) ?? -1,
    text: message.trim() === "" ? option : message,
  };
}
