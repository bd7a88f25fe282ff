import { quote } from "../json/quote.ts";
import { findMember, rawOf, textOf } from "../json/text.ts";
import type { JsonArray, JsonObject } from "../json/types.ts";
import type { Flag } from "./flags.ts";
import { recognize, recognizesNothing, type Recognizers } from "./recognition.ts";
import { leave, type Work } from "./work.ts";

/**
 * Judges an answer without a direct-answer flag. Its text is the owner's own and stays, unless it
 * is recognized as active default content that the rules replace. With `restoreFlags` the flag that
 * the engine left out is added to `flags`: only where `flags` is an array, for adding an element to
 * it is all that is allowed.
 *
 * @param unknown true when `flags` holds something, but no direct answer
 * @returns the flag whose line replaces the answer's text; null if its text stays
 */
export function decideUnflagged(
  answer: JsonObject,
  at: string,
  unknown: boolean,
  recognizers: Recognizers,
  work: Work,
): Flag | null {
  const flag = recognizesNothing(recognizers)
    ? null
    : recognize(recognizers, titlesOf(answer, work.bytes), findSoleText(answer, work.bytes));
  if (flag === null) {
    leave(at, unknown ? "unknown-flags" : "no-flag", null, false, work);
    return null;
  }
  const isReplaced = work.rules.replace[flag] !== undefined;
  if (!isReplaced) leave(at, "default-content", flag, false, work);
  if (work.rules.restoreFlags) {
    const flags = answer.fields.get("flags");
    if (flags?.kind === "array") restore(flags, flag, `${at}/flags`, work);
    else leave(`${at}/flags`, "no-flag", flag, false, work, flags);
  }
  return isReplaced ? flag : null;
}

function titlesOf(answer: JsonObject, bytes: Uint8Array): readonly string[] {
  const attributes = findMember(answer, "attributes");
  const titles = [
    findMember(attributes, "inbMainTitle"),
    findMember(attributes, "title"),
    findMember(findMember(findMember(answer, "parameters"), "contents"), "title"),
  ];
  return titles.flatMap((title) => (title?.kind === "string" ? [textOf(bytes, title)] : []));
}

/**
 * Finds the only text of an answer's `message` and `messageList`; null when there are several.
 *
 * @param bytes the bytes in which the answer was found
 */
export function findSoleText(answer: JsonObject, bytes: Uint8Array): string | null {
  const message = answer.fields.get("message");
  const list = answer.fields.get("messageList");
  const items = list?.kind === "array" ? list.items : [];
  const texts = [...(message === undefined ? [] : [message]), ...items].flatMap((node) =>
    node.kind === "string" ? [textOf(bytes, node)] : [],
  );
  const [first = null] = texts;
  return texts.every((text) => text === first) ? first : null;
}

function restore(flags: JsonArray, flag: Flag, at: string, work: Work): void {
  const last = flags.items.at(-1);
  const where = last === undefined ? flags.start + 1 : last.end;
  const bytes = last === undefined ? quote(flag) : addAfterComma(quote(flag));
  work.edits.push({ start: where, end: where, bytes });
  work.steps.push({
    at,
    flag,
    reason: "flag-restored",
    ...(work.detail && change(flags, where, bytes, work.bytes)),
  });
}

function change(
  flags: JsonArray,
  where: number,
  added: Uint8Array,
  bytes: Uint8Array,
): { readonly before: string; readonly after: string } {
  const before = rawOf(bytes, flags);
  const head = UTF8.decode(bytes.subarray(flags.start, where));
  const tail = UTF8.decode(bytes.subarray(where, flags.end));
  return { before, after: head + UTF8.decode(added) + tail };
}

const UTF8 = new TextDecoder("utf-8", { ignoreBOM: true });

function addAfterComma(element: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(element.length + 1);
  bytes[0] = 0x2c;
  bytes.set(element, 1);
  return bytes;
}
