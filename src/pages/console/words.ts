import type { CellState } from "../../api/console.ts";
import type { ConsoleWord } from "../../../locales/page-words.d.ts";

/** The console's own texts, which are under `console` in locales/pages/<tag>.yaml. */
export type Words = { readonly [name in ConsoleWord]: string };

/** Explains why a text was changed or left alone. `reason` is the name that traces have. */
export function explainOutcome(words: Words, reason: string): string {
  return findWord(words, `why-${reason}`) ?? reason;
}

/** Explains why a reader gets a language, from the reason in a trace, such as `header parent`. */
export function explainLanguage(words: Words, reason: string): string {
  return findWord(words, `by-${reason.split(" ").at(-1) ?? ""}`) ?? reason;
}

/** Names the phase of a hand-over, such as `waiting`. */
export function namePhase(words: Words, phase: string): string {
  return findWord(words, `phase-${phase}`) ?? phase;
}

/** Names the state of a call of a hand-over, such as `sent`. */
export function nameCallState(words: Words, state: string): string {
  return findWord(words, `call-${state}`) ?? state;
}

/** Names the origin of a line's text in one word. */
export function nameState(state: CellState, words: Words): string {
  return state === "own" ? words.yours : words[state];
}

/** Describes when a line is used; null for a line without a description. */
export function describeUse(words: Words, key: string): string | null {
  return findWord(words, `use-${key.replace(".", "-")}`);
}

/** Names a line within a sentence by its use, or by its key if it has no description. */
export function nameLine(words: Words, key: string): string {
  return describeUse(words, key)?.replace(/[.。।]$/u, "") ?? key;
}

function findWord(words: Words, name: string): string | null {
  const camel = toCamel(name);
  return isName(camel, words) ? words[camel] : null;
}

function isName(name: string, words: Words): name is ConsoleWord {
  return Object.hasOwn(words, name);
}

export function toCamel(name: string): string {
  return name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** The names of the programs and formats from which contents are imported. */
export const IMPORT_NAMES: Readonly<Record<string, string>> = {
  rasa: "Rasa",
  dialogflow: "Dialogflow ES",
  watson: "Watson Assistant",
  botpress: "Botpress",
  sheet: "CSV",
};
