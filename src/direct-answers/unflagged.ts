import { quote } from "../json/quote.ts";
import { member, rawOf, textOf } from "../json/text.ts";
import type { JsonArray, JsonNode, JsonObject } from "../json/types.ts";
import type { Flag } from "./flags.ts";
import { comparable, type Recognizers } from "./recognition.ts";
import { leave, type Work } from "./work.ts";

/**
 * Judges an answer without a direct-answer flag. Its text is the owner's own and stays. When its
 * title tells that it is active default content, that is recorded, and with `restoreFlags` the flag
 * that the engine left out is added to `flags`: only where `flags` is an array, for adding an
 * element to it is all that is allowed.
 *
 * @param unknown true when `flags` holds something, but no direct answer
 */
export function decideUnflagged(
  answer: JsonObject,
  at: string,
  unknown: boolean,
  recognizers: Recognizers,
  work: Work,
): void {
  const flag = recognizers.size === 0 ? null : recognize(answer, recognizers, work.bytes);
  if (flag === null) return leave(at, unknown ? "unknown-flags" : "no-flag", null, false, work);
  leave(at, "default-content", flag, false, work);
  if (!work.rules.restoreFlags) return;
  const flags = answer.fields.get("flags");
  if (flags?.kind !== "array") return leave(`${at}/flags`, "no-flag", flag, false, work, flags);
  restore(flags, flag, `${at}/flags`, work);
}

function recognize(answer: JsonObject, recognizers: Recognizers, bytes: Uint8Array): Flag | null {
  const attributes = objectIn(answer, "attributes");
  const contents = objectIn(objectIn(answer, "parameters"), "contents");
  const titles = [
    attributes?.fields.get("inbMainTitle"),
    attributes?.fields.get("title"),
    contents?.fields.get("title"),
  ];
  for (const title of titles) {
    if (title?.kind !== "string") continue;
    const flag = recognizers.get(comparable(textOf(bytes, title)));
    if (flag !== undefined) return flag;
  }
  return null;
}

function restore(flags: JsonArray, flag: Flag, at: string, work: Work): void {
  const last = flags.items.at(-1);
  const where = last === undefined ? flags.start + 1 : last.end;
  const bytes = last === undefined ? quote(flag) : afterComma(quote(flag));
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

function afterComma(element: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(element.length + 1);
  bytes[0] = 0x2c;
  bytes.set(element, 1);
  return bytes;
}

function objectIn(node: JsonNode | undefined, name: string): JsonObject | undefined {
  const child = member(node, name);
  return child?.kind === "object" ? child : undefined;
}
