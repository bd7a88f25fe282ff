import { isRecord, parseJson } from "../json/values.ts";
import type { ConversationMemory } from "./memory.ts";

/** The version of the stored shape. A text with another version is not read. */
const version = 1;

/** Characters of one stored conversation. A longer one loses the oldest texts that were shown. */
const maxMemoryLength = 256 * 1024;

/**
 * Encodes a conversation memory as text, for a store outside this process.
 *
 * @throws RangeError when it is larger than {@link maxMemoryLength} even without the texts that were shown
 * @example
 * decodeMemory(encodeMemory({ ...emptyMemory, lang: "fr" }))?.lang; // "fr"
 */
export function encodeMemory(memory: ConversationMemory): string {
  let { shown } = memory;
  for (;;) {
    const text = write({ ...memory, shown });
    if (text.length <= maxMemoryLength) return text;
    if (shown.length === 0) throw new RangeError("this conversation is too large to be remembered");
    shown = shown.slice(Math.ceil(shown.length / 2));
  }
}

/** Reads {@link encodeMemory}'s text; null if damaged or of another version. Never throws. */
export function decodeMemory(text: string): ConversationMemory | null {
  const value = parseJson(text);
  if (!isRecord(value) || value["v"] !== version) return null;
  const { lang, env, userType, source, variables, shown } = value;
  if (!isTextOrNull(lang) || !isTextOrNull(env)) return null;
  if (!isTextOrNull(userType) || !isTextOrNull(source)) return null;
  if (!isTexts(variables) || !Array.isArray(shown) || !shown.every(isPair)) return null;
  return { lang, env, userType, source, variables, shown };
}

function write({ lang, env, userType, source, variables, shown }: ConversationMemory): string {
  return JSON.stringify({ v: version, lang, env, userType, source, variables, shown });
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === "string";
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return isRecord(value) && Object.values(value).every((one) => typeof one === "string");
}

function isPair(value: unknown): value is readonly [string, string] {
  return (
    Array.isArray(value) && value.length === 2 && value.every((one) => typeof one === "string")
  );
}
