import type { CellState } from "../../api/console.ts";
import type { ConsoleWord } from "../../../locales/page-words.d.ts";

/** Every text that the console itself says, as locales/pages/<tag>.yaml has it under `console`. */
export type Words = { readonly [name in ConsoleWord]: string };

/** Says why a text was changed or left alone, by the name that traces give it. */
export function whyOf(words: Words, reason: string): string {
  return findWord(words, `why-${reason}`) ?? reason;
}

/** Says why a language speaks to a reader: `header parent`, or `default`. */
export function becauseOf(words: Words, reason: string): string {
  return findWord(words, `by-${reason.split(" ").at(-1) ?? ""}`) ?? reason;
}

/** Names how far a hand-over is, such as `waiting`. */
export function phaseOf(words: Words, phase: string): string {
  return findWord(words, `phase-${phase}`) ?? phase;
}

/** Names how far a call of a hand-over is, such as `sent`. */
export function callStateOf(words: Words, state: string): string {
  return findWord(words, `call-${state}`) ?? state;
}

/** Names in one word where a line's text comes from. */
export function nameState(state: CellState, words: Words): string {
  return state === "own" ? words.yours : words[state];
}

/** Describes when a line is used; null for a line without a description. */
export function useOf(words: Words, key: string): string | null {
  return findWord(words, `use-${key.replace(".", "-")}`);
}

/** Names a line by when it is said, within a sentence; by its key where only English knows. */
export function nameLine(words: Words, key: string): string {
  return useOf(words, key)?.replace(/[.。।]$/u, "") ?? key;
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

/** Names of the files that contents are imported from. */
export const IMPORT_NAMES: Readonly<Record<string, string>> = {
  rasa: "Rasa",
  dialogflow: "Dialogflow ES",
  watson: "Watson Assistant",
  botpress: "Botpress",
  sheet: "CSV",
};
