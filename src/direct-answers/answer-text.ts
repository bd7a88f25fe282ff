import { isEmptyString } from "../json/text.ts";
import type { JsonNode, JsonObject } from "../json/types.ts";
import type { Flag } from "./flags.ts";
import { isSayable } from "./sayable.ts";
import type { RenderedLine } from "../locales/types.ts";
import { leave, write, type Place, type Work } from "./work.ts";

/**
 * Rewrites the text of a flagged answer: `message` and the elements of `messageList` together,
 * because clients are split over which of the two they show. The first of the answer's flags that
 * has a text speaks. What is missing, null or empty stays so, and an answer whose texts are all
 * empty stays silent: somebody blanked it on purpose.
 */
export function decideText(
  answer: JsonObject,
  at: string,
  flags: readonly Flag[],
  work: Work,
): void {
  const message = answer.fields.get("message");
  const list = elementsOf(answer.fields.get("messageList"));
  const places: Place[] = [];
  if (message?.kind === "string") {
    places.push({ at: `${at}/message`, start: message.start, end: message.end });
  }
  if (list !== null) {
    places.push({ at: `${at}/messageList`, start: list.start, end: list.end });
  }
  const first = places[0];

  const chosen = choose(flags, optionCount(answer), work);
  const flag = chosen?.flag ?? flags[0] ?? null;
  const unexpected = flag !== null && work.rules.activeDefaultContent.includes(flag);
  if (first === undefined) return leave(`${at}/message`, "not-a-string", flag, unexpected, work);
  if (isSilent(message) && (list === null || list.isSilent))
    return leave(first.at, "empty-message", flag, unexpected, work);
  if (chosen === null) return leave(first.at, "no-text", flag, unexpected, work, message);

  let twin = false;
  for (const place of places) {
    const verdict = { flag: chosen.flag, unexpected, line: chosen.line, twin };
    if (write(place, verdict, work)) twin = true;
  }
}

function choose(
  flags: readonly Flag[],
  count: number | null,
  work: Work,
): { readonly flag: Flag; readonly line: RenderedLine } | null {
  for (const flag of flags) {
    const line = work.say(flag, count);
    if (isSayable(line)) return { flag, line };
  }
  return null;
}

function optionCount(answer: JsonObject): number | null {
  const options = answer.fields.get("options");
  return options?.kind === "array" && options.items.length > 0 ? options.items.length : null;
}

interface Elements {
  readonly start: number;
  readonly end: number;
  /** Every string among them is empty. */
  readonly isSilent: boolean;
}

/** From the first element to the last, when one of them at least is a string. */
function elementsOf(node: JsonNode | undefined): Elements | null {
  if (node?.kind !== "array") return null;
  const { items } = node;
  const first = items[0];
  const last = items[items.length - 1];
  if (first === undefined || last === undefined || !items.some(isString)) return null;
  return { start: first.start, end: last.end, isSilent: items.every(isSilent) };
}

function isString({ kind }: JsonNode): boolean {
  return kind === "string";
}

/** True for an empty string, and for what is no string and says nothing. */
function isSilent(node: JsonNode | undefined): boolean {
  return node?.kind !== "string" || isEmptyString(node);
}
