import type { LeftPart } from "../../api/console-import.ts";
import type { DoctorFinding } from "../../api/console-health.ts";
import type { Finding } from "../../api/console.ts";
import { fill, listOf, nameLanguage } from "../shared/words.ts";
import { nameLine, toCamel, type Words } from "./words.ts";

/** A sentence in the page's language, and a remainder in English; null if there is none. */
export interface Sentence {
  readonly text: string | null;
  readonly english: string | null;
}

/**
 * Describes a finding in the page's language, by the sentence for its code under `findings` in
 * `locales/pages/<tag>.yaml`. The English sentence follows if the code does not cover everything,
 * and stands alone if the page has no sentence.
 */
export function sayFinding(
  { code, params, message, hint }: Pick<Finding, "code" | "params" | "message" | "hint">,
  words: Words,
  language: string,
): Sentence {
  const english = joinSentences(message, hint ?? null);
  const mistake = params?.["mistake"];
  const named = mistake === undefined ? (sameWords[code] ?? code) : `${code}-${mistake}`;
  const name = configurationCodes.has(code) ? "configuration" : named;
  const text = sayBy(`finding-${name}`, params ?? {}, words, language);
  if (text === null || params === undefined) return { text, english };
  const { guess } = params;
  const remedy = guess === undefined ? remedies[code] : "finding-guess";
  const more = remedy === undefined ? null : sayBy(remedy, params, words, language);
  return { text: more === null ? text : `${text} ${more}`, english: null };
}

/** Describes a refusal in the page's language; null if the page has no sentence for it. */
export function sayRefusal(
  reason: string,
  params: Readonly<Record<string, string | number>>,
  words: Words,
  language: string,
): string | null {
  return sayBy(sameRefusals[reason] ?? `refused-${reason}`, params, words, language);
}

/** Explains why an import changes or leaves out a part. */
export function sayLeft(
  code: string,
  { why, params }: Pick<LeftPart, "why" | "params">,
  words: Words,
  language: string,
): Sentence {
  const { line } = params;
  const named = typeof line === "string" ? { ...params, line: nameLine(words, line) } : params;
  const text = sayBy(`left-${code}`, named, words, language);
  return { text, english: text === null ? why : null };
}

/** Describes the result of one of the doctor's steps, and the remedy. */
export function sayStep(
  { step, ok, detail, cure, code, params }: DoctorFinding,
  words: Words,
  language: string,
): { readonly step: string; readonly found: Sentence; readonly cure: Sentence } {
  // The upstream's own message explains why a step failed.
  const found = ok ? sayBy(`found-${step}`, params, words, language) : null;
  const remedy = code === null ? null : sayBy(`cure-${code}`, params, words, language);
  return {
    step: sayBy(`step-${step}`, {}, words, language) ?? step,
    found: { text: found, english: found === null ? detail : null },
    cure: { text: remedy, english: remedy === null ? cure : null },
  };
}

/** Null if the page has no such sentence, or a value is missing. */
function sayBy(
  name: string,
  params: Readonly<Record<string, string | number>>,
  words: Words,
  language: string,
): string | null {
  const sentence: unknown = Reflect.get(words, toCamel(name));
  if (typeof sentence !== "string") return null;
  if (
    [...sentence.matchAll(/\{(\w+)\}/g)].some(
      ([, placeholder = ""]) => params[placeholder] === undefined,
    )
  ) {
    return null;
  }
  const { language: tag, languages: tags } = params;
  const named = typeof tag === "string" && tag !== "" && { language: nameLanguage(tag, language) };
  const listed = typeof tags === "string" && { languages: nameLanguages(tags, language) };
  return fill(sentence, { ...params, ...named, ...listed });
}

/** @param tags such as `fr, pt-BR` */
function nameLanguages(tags: string, language: string): string {
  const names = tags.split(", ").map((one) => nameLanguage(one, language));
  return listOf(names, language);
}

function joinSentences(message: string, hint: string | null): string {
  if (hint === null) return message;
  return `${message}${/[.?]$/.test(message) ? "" : "."} ${hint}`;
}

/** Sentences of the page that also describe a refusal. */
const sameRefusals: Readonly<Record<string, string>> = {
  "all-instances": "refused-other-instances",
  "content-deleted": "content-deleted",
  "demo-contents": "demo-contents",
  empty: "finding-empty-text",
  "in-database": "in-database",
  "no-content": "refused-gone",
  "no-publication": "refused-gone",
  "nothing-drafted": "no-changes",
  "read-only": "edit-off",
  reviewed: "refused-changed",
  "too-long": "refused-too-large",
  unchecked: "mend-first",
};

/** Codes that share a sentence. */
const sameWords: Readonly<Record<string, string>> = { "never-fires": "unreachable" };

/** Sentences for a remedy, if no other name was meant. */
const remedies: Readonly<Record<string, string>> = {
  "unknown-placeholder": "finding-list-variables",
  "value-in-tag": "finding-between-tags",
  "hidden-line": "finding-say-line",
  "form-goes-nowhere": "finding-form-receiver",
};

/** Codes for mistakes in the operator's configuration. The English sentence names the setting. */
const configurationCodes: ReadonlySet<string> = new Set([
  "insecure-upstream",
  "address-version",
  "short-token",
  "suffix-is-private",
  "timeout-too-long",
  "plain-secret",
  "created-missing",
  "restart-needed",
  "tls-unusable",
  "proxy-not-named",
  "demo-content",
  "open-operation",
  "managed-mode",
  "missing-credentials",
  "idle-setting",
]);
