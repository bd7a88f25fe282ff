import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import type { ReadTable, Tables } from "./read.ts";

/** The rules of tables that suit buttons and labels too. */
export const FOR_PAGES: ReadonlySet<string> = new Set([
  "quotes are those of the language, in pairs",
  "an ellipsis is one character",
  "texts are in normal form C",
  "blanks are single and inside",
  "French marks have their blanks",
  "Spanish questions and exclamations are opened",
  "direction marks are balanced",
  "the language's own choices are kept",
]);

/** The words of the pages, by locale: each with its page and its name as the key. */
export function readPages(directory: string): Tables {
  const names = readdirSync(directory).filter((name) => name.endsWith(".yaml"));
  const tables = names.map((file): ReadTable => {
    const pages: Readonly<Record<string, Readonly<Record<string, string>>>> = parse(
      readFileSync(join(directory, file), "utf8"),
    );
    const texts = Object.entries(pages).flatMap(([page, words]) =>
      Object.entries(words).map(([name, text]): [string, string[]] => [
        `${page}.${name}`,
        // Places of pages have one brace, and hold words.
        [text.replaceAll(/\{(\w+)\}/gu, "{{$1}}")],
      ]),
    );
    const locale = file.replace(/\.yaml$/u, "");
    return { locale, file, texts: new Map(texts), complaints: [] };
  });
  return new Map(tables.map((table) => [table.locale, table]));
}
