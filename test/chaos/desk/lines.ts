import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { isObject } from "../../../src/json/values.ts";

/** Afterword's own lines, to recognize them. */
export interface Lines {
  /** Undefined for another person's words. */
  keyOf(lang: string, text: string): string | undefined;
  /** How readers of this language ask for a person. */
  ask(lang: string): string;
}

/** The lines of `locales/` about people and tickets, in these languages. */
export function readLines(languages: readonly string[]): Lines {
  const tables = new Map(languages.map((lang) => [lang, tableOf(lang)]));
  return {
    keyOf: (lang, text) => tables.get(lang)?.find(({ line }) => line.test(text))?.key,
    ask: (lang) => wishes[lang] ?? wishes["en"] ?? "",
  };
}

function tableOf(lang: string): readonly { readonly key: string; readonly line: RegExp }[] {
  const file = new URL(`../../../locales/${lang}.yaml`, import.meta.url);
  const table: unknown = parse(readFileSync(file, "utf8"));
  return Object.entries(isObject(table) ? table : {})
    .filter(([key]) =>
      /^escalation\.(?!yes$|no$|cancel$|file$|who|wait|overtaken|queue-|ticket-title|tran)/u.test(
        key,
      ),
    )
    .flatMap(([key, value]) =>
      textsOf(value).map((text) => ({ key, line: patternOf(text, key.includes("queued")) })),
    );
}

/** The text of a line, or its plural forms. */
function textsOf(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return isObject(value) ? Object.values(value).flatMap(textsOf) : [];
}

/**
 * Matches a line with any values.
 *
 * @param goesOn other sentences may surround it, such as the wait
 */
function patternOf(text: string, goesOn: boolean): RegExp {
  const parts = text
    .split(/\{\{\w+\}\}/u)
    .map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/gu, String.raw`\$&`));
  const line = parts.join("(.+)");
  return new RegExp(goesOn ? line : `^${line}$`, "u");
}

const wishes: Readonly<Record<string, string>> = {
  en: "I want to talk to a person",
  es: "Quiero hablar con una persona",
  de: "Ich möchte mit einem Menschen sprechen",
  fr: "Je veux parler à une personne",
  it: "Voglio parlare con una persona",
};
