import { escapeMarkup } from "../../locales/markup.ts";
import { isBlank, toPlainText } from "../../locales/plain-text.ts";

/** Looks up a value by a slot's name as it is written; null when there is none. */
export type ValueOf = (name: string) => string | null;

/** HTML with each `{{name}}` replaced once by its escaped value, or by nothing. */
export function fillMarkup(text: string, valueOf: ValueOf): string {
  return fillSlots(text, (name) => escapeMarkup(toPlainText(valueOf(name) ?? "")));
}

/** As {@link fillMarkup} for data that programs read: values are inserted as they are. */
export function fillData(text: string, valueOf: ValueOf): string {
  return fillSlots(text, (name) => valueOf(name) ?? "");
}

/** The names in a text's slots. */
export function slotsIn(text: string): readonly string[] {
  const names: string[] = [];
  fillSlots(text, (name) => {
    names.push(name);
    return "";
  });
  return names;
}

/** True when the text says something even if no slot has a value. */
export function saysSomething(text: string): boolean {
  return !isBlank(fillSlots(text, () => ""));
}

function fillSlots(text: string, by: (name: string) => string): string {
  return text.replace(/\{\{([^{}]+)\}\}/gu, (slot, inner: string) => {
    const name = inner.trim();
    return name.length > LONGEST_NAME ? slot : by(name);
  });
}

const LONGEST_NAME = 100;
