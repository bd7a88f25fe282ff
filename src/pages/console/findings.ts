import type { LeftBehind } from "../../api/console-import.ts";
import type { DoctorFinding } from "../../api/console-health.ts";
import type { Finding } from "../../api/console.ts";
import { fill, listOf, nameLanguage } from "../shared/words.ts";
import { toCamel, type Words } from "./words.ts";

/** A sentence of the page's language, and what only English says; null: nothing more. */
export interface Sentence {
  readonly text: string | null;
  readonly english: string | null;
}

/**
 * Says a finding in the page's language, by its code as `locales/pages/<tag>.yaml` has it under
 * `findings`. Where the code alone does not say everything the English sentence follows, and
 * where the page has no words for it, it stands alone.
 */
export function sayFinding(
  { code, params, message, hint }: Pick<Finding, "code" | "params" | "message" | "hint">,
  words: Words,
  language: string,
): Sentence {
  const english = joinSentences(message, hint ?? null);
  const name = configurationCodes.has(code) ? "configuration" : (sameWords[code] ?? code);
  const text = sayBy(`finding-${name}`, params ?? {}, words, language);
  if (text === null || params === undefined) return { text, english };
  const { guess } = params;
  const remedy = guess === undefined ? remedies[code] : "finding-guess";
  const more = remedy === undefined ? null : sayBy(remedy, params, words, language);
  return { text: more === null ? text : `${text} ${more}`, english: null };
}

/** Says a refusal in the page's language; null where the page has no words for it. */
export function sayRefusal(
  reason: string,
  params: Readonly<Record<string, string | number>>,
  words: Words,
  language: string,
): string | null {
  return sayBy(sameRefusals[reason] ?? `refused-${reason}`, params, words, language);
}

/** Says which part of an import stays behind, and why. */
export function sayLeft(
  { what, why, code, params = {} }: LeftBehind,
  words: Words,
  language: string,
): Sentence {
  const text = code === undefined ? null : sayBy(`left-${code}`, params, words, language);
  return { text, english: text === null ? `${what}: ${why}` : null };
}

/** Says what one of the doctor's steps found, and its remedy. */
export function sayStep(
  { step, ok, detail, cure, code, params }: DoctorFinding,
  words: Words,
  language: string,
): { readonly step: string; readonly found: Sentence; readonly cure: Sentence } {
  // The upstream's own words say why a step failed.
  const found = ok ? sayBy(`found-${step}`, params, words, language) : null;
  const remedy = code === null ? null : sayBy(`cure-${code}`, params, words, language);
  return {
    step: sayBy(`step-${step}`, {}, words, language) ?? step,
    found: { text: found, english: found === null ? detail : null },
    cure: { text: remedy, english: remedy === null ? cure : null },
  };
}

/** Null where the page has no such words, or a value is missing. */
function sayBy(
  name: string,
  params: Readonly<Record<string, string | number>>,
  words: Words,
  language: string,
): string | null {
  const sentence: unknown = Reflect.get(words, toCamel(name));
  if (typeof sentence !== "string") return null;
  if ([...sentence.matchAll(/\{(\w+)\}/g)].some(([, place = ""]) => params[place] === undefined)) {
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

/** Sentences of the page that say a refusal, too. */
const sameRefusals: Readonly<Record<string, string>> = {
  "all-instances": "refused-other-instances",
  "demo-contents": "demo-contents",
  "in-database": "in-database",
  "no-content": "refused-gone",
  "no-publication": "refused-gone",
  "nothing-drafted": "no-changes",
  "read-only": "edit-off",
  reviewed: "refused-changed",
  "too-long": "refused-too-large",
  unchecked: "mend-first",
};

/** Codes that one sentence serves. */
const sameWords: Readonly<Record<string, string>> = { "never-fires": "unreachable" };

/** Sentences that say a remedy, where nothing else was meant. */
const remedies: Readonly<Record<string, string>> = {
  "unknown-placeholder": "finding-list-variables",
  "value-in-tag": "finding-between-tags",
  "hidden-line": "finding-say-line",
  "form-goes-nowhere": "finding-form-receiver",
};

/** Codes of what whoever runs the gateway has written; the English sentence says which setting. */
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
