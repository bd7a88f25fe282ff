import { readContent } from "../../../src/backend/content/parse.ts";
import type { ContentSources } from "../../../src/backend/content/parse.ts";
import type { Content, LanguageContent } from "../../../src/backend/content/types.ts";
import { FLAGS } from "../../../src/direct-answers/flags.ts";

/** English engine texts that are whole. */
export const texts: ContentSources["texts"] = [
  {
    name: "texts/en.yaml",
    locale: "en",
    text: [...FLAGS, "related-title"].map((key) => `${key}: text\n`).join(""),
  },
];

/** Lists the mistakes of one content file, one per line: `file:line:column: message [code]`. */
export function mistakes(text: string, extra: Partial<ContentSources> = {}): readonly string[] {
  const contents = [{ name: "shop.yaml", text }];
  return readContent({ contents, texts, ...extra }).diagnostics.map(
    ({ file, line, column, message, code }) => `${file}:${line}:${column}: ${message} [${code}]`,
  );
}

/** Compiles one content file. Throws with its mistakes. */
export function contentOf(text: string, extra: Partial<ContentSources> = {}): Content {
  const contents = [{ name: "shop.yaml", text }];
  const { content, diagnostics } = readContent({ contents, texts, ...extra });
  if (content === null) throw new Error(JSON.stringify(diagnostics));
  return content;
}

/** English alone. */
export function english(text: string): LanguageContent {
  const content = contentOf(`language: en\n${text}`).languages.get("en");
  if (content === undefined) throw new Error("no English contents");
  return content;
}
