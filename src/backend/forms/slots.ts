import { escapeMarkup } from "../../locales/markup.ts";
import { isBlank, plainText } from "../../locales/plain-text.ts";

/** Looks up a value by a slot's name as it is written; null when there is none. */
export type ValueOf = (name: string) => string | null;

/** An HTML text with each `{{name}}` replaced by its value, escaped and inserted once; by nothing when there is no value. */
export function fillMarkup(text: string, valueOf: ValueOf): string {
  return text.replace(slot, (_, name: string) => escapeMarkup(plainText(valueOf(name) ?? "")));
}

/** As {@link fillMarkup} for data that programs read: values are inserted as they are. */
export function fillData(text: string, valueOf: ValueOf): string {
  return text.replace(slot, (_, name: string) => valueOf(name) ?? "");
}

/** The names in a text's slots. */
export function slotsIn(text: string): readonly string[] {
  return [...text.matchAll(slot)].map(([, name = ""]) => name);
}

/** True when the text says something even if no slot has a value. */
export function saysSomething(text: string): boolean {
  return !isBlank(text.replace(slot, ""));
}

const slot = /\{\{\s*([^{}]{1,100}?)\s*\}\}/gu;
