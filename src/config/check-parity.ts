import type { CheckedSet } from "./check.ts";
import type { Reporter } from "./diagnostic.ts";
import { parsePlaceholders, slotsOf } from "./placeholders.ts";
import type { MessageLine, MessagesFile } from "./read-messages.ts";

/**
 * Warns when a language's text lacks a placeholder that the owner's default language has, or has
 * one more.
 */
export function checkParity(file: MessagesFile, set: CheckedSet, reporter: Reporter): void {
  const reference = set.own.get(set.fallback)?.file;
  if (reference === undefined || reference.locale === file.locale) return;
  for (const [key, line] of file.lines) {
    const other = reference.lines.get(key);
    if (other === undefined) continue;
    const mine = placeholdersOf(line);
    const theirs = placeholdersOf(other);
    if (mine === null || theirs === null) continue;
    const missing = theirs.filter((slot) => !mine.includes(slot)).map((slot) => `{{${slot}}}`);
    const added = mine.filter((slot) => !theirs.includes(slot)).map((slot) => `{{${slot}}}`);
    if (missing.length + added.length === 0) continue;
    const parts = [
      ...(missing.length > 0 ? [`lacks ${missing.join(", ")}`] : []),
      ...(added.length > 0 ? [`adds ${added.join(", ")}`] : []),
    ];
    const message = `compared with ${reference.locale}, this text ${parts.join(" and ")}`;
    const span = file.yaml.locate([line.writtenKey, "text"]);
    reporter.warn(file.yaml.source, span, "placeholder-differs", message);
  }
}

function placeholdersOf(line: MessageLine): readonly string[] | null {
  return line.text === undefined ? null : slotsOf(parsePlaceholders(line.text));
}
