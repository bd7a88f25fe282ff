import { languageOf } from "../../locales/tag.ts";
import type { CheckedSet } from "./checked-set.ts";
import type { Reporter } from "../../yaml/diagnostic.ts";
import type { MessagesFile } from "../load/read-messages.ts";
import { sectionOf } from "../../yaml/section.ts";
import { listMessageTexts } from "../load/message-texts.ts";

/** Warns of texts in another script than their language's, and of texts that are still in English. */
export function checkScript(file: MessagesFile, set: CheckedSet, reporter: Reporter): void {
  const expected = findExpectedLetters(file.locale);
  const english = languageOf(file.locale) === "en" ? null : collectEnglishTexts(set);
  for (const { address, text, path } of listMessageTexts(file)) {
    const section = sectionOf(file.yaml, reporter, path);
    const prose = proseOf(text);
    if (english?.get(address.key)?.has(toComparable(prose)) === true) {
      const message = `this is the English text; readers of ${file.locale} get it as their own`;
      section.warn("same-as-english", message, null, { language: file.locale });
      continue;
    }
    const letters = prose.match(/\p{L}/gu) ?? [];
    const right = expected === null ? letters : letters.filter((letter) => expected.test(letter));
    // A few foreign letters may be names. A text with mostly foreign letters is in the wrong file.
    if (letters.length < 4 || right.length * 2 >= letters.length) continue;
    const message = `this is not written in the script of ${file.locale}`;
    section.warn("wrong-script", message, null, { language: file.locale });
  }
}

/** Reduces a text to what people read: no tags, placeholders or addresses. */
function proseOf(text: string): string {
  return text
    .replace(/\{\{[^{}]*\}\}/g, " ")
    .replace(/<[^<>]*>/g, " ")
    .replace(/\S+/g, withoutAddress);
}

/**
 * Removes an address from a word. A pattern for e-mail addresses would take quadratic time, because it
 * begins again at each letter before an `@`.
 */
function withoutAddress(word: string): string {
  const mail = word.indexOf("@", 1);
  if (mail !== -1 && mail < word.length - 1) return " ";
  return word.replace(/(?:https?:\/\/|www\.).+$/s, " ");
}

function toComparable(prose: string): string {
  return prose
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** Collects English texts of two words or more, because a single "OK" is right in many languages. */
function collectEnglishTexts(set: CheckedSet): ReadonlyMap<string, ReadonlySet<string>> {
  const texts = new Map<string, Set<string>>();
  for (const layer of [set.own, set.shipped]) {
    const file = layer.get("en");
    if (file === undefined) continue;
    for (const [key, words] of wordsOf(file.file)) {
      const known = texts.get(key) ?? new Set();
      texts.set(key, known.add(words));
    }
  }
  return texts;
}

/** A cache by file, because all table sets share the shipped file. */
const wordsByFile = new WeakMap<MessagesFile, readonly (readonly [string, string])[]>();

function wordsOf(file: MessagesFile): readonly (readonly [string, string])[] {
  const known = wordsByFile.get(file);
  if (known !== undefined) return known;
  const words = [...listMessageTexts(file)]
    .map(({ address, text }) => [address.key, toComparable(proseOf(text))] as const)
    .filter(([, text]) => text.includes(" "));
  wordsByFile.set(file, words);
  return words;
}

/** Patterns of the scripts that CLDR names but Unicode has no property for. */
const MIXED: ReadonlyMap<string, RegExp> = new Map([
  ["Jpan", /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u],
  ["Kore", /[\p{Script=Hangul}\p{Script=Han}]/u],
  ["Hans", /\p{Script=Han}/u],
  ["Hant", /\p{Script=Han}/u],
]);

/**
 * Matches a letter of a locale's script; null if the JavaScript engine does not know the script.
 */
function findExpectedLetters(locale: string): RegExp | null {
  const known = letters.get(locale);
  if (known !== undefined) return known;
  const found = lettersOf(locale);
  letters.set(locale, found);
  return found;
}

/** A cache by locale. It stays small, because only the locales of loaded files are looked up. */
const letters = new Map<string, RegExp | null>();

function lettersOf(locale: string): RegExp | null {
  const script = new Intl.Locale(locale).maximize().script;
  if (script === undefined) return null;
  try {
    return MIXED.get(script) ?? new RegExp(`\\p{Script=${script}}`, "u");
  } catch {
    return null;
  }
}
