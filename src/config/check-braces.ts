import type { Reporter } from "./diagnostic.ts";
import { messageTexts } from "./message-texts.ts";
import { placeholdersOf } from "./placeholders.ts";
import type { MessagesFile } from "./read-messages.ts";

/**
 * Warns of `{query}`: a placeholder with one brace is text, and readers see it. Names that nothing
 * fills are text for sure.
 */
export function checkBraces(
  file: MessagesFile,
  variables: ReadonlySet<string>,
  reporter: Reporter,
): void {
  for (const { key, text, path } of messageTexts(file)) {
    for (const [found, name = ""] of text.matchAll(SINGLE)) {
      if (!placeholdersOf(key).includes(name) && !variables.has(name.toLowerCase())) continue;
      const message = `readers would see "${found}": a placeholder has two braces`;
      const span = file.yaml.locate(path);
      reporter.warn(file.yaml.source, span, "single-brace", message, `Write {{${name}}}.`);
    }
  }
}

const SINGLE = /(?<!\{)\{ {0,3}([A-Za-z_][A-Za-z0-9_.-]{0,60}) {0,3}\}(?!\})/g;
