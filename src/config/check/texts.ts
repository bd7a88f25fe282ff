import type { CheckedSet } from "./checked-set.ts";
import type { Reporter } from "../../yaml/diagnostic.ts";
import { parsePlaceholders, placeholdersOf, slotsOf } from "../compile/placeholders.ts";
import type { MessageLine, MessagesFile } from "../load/read-messages.ts";
import { sectionOf } from "../../yaml/section.ts";
import { listMessageTexts } from "../load/message-texts.ts";

/** Warns of `{query}`: readers see single braces. Unknown names are certainly text. */
export function checkBraces(
  file: MessagesFile,
  variables: ReadonlySet<string>,
  reporter: Reporter,
): void {
  for (const { address, text, path } of listMessageTexts(file)) {
    for (const [found, name = ""] of text.matchAll(SINGLE_BRACES)) {
      if (!placeholdersOf(address.key).includes(name) && !variables.has(name.toLowerCase()))
        continue;
      const message = `readers would see "${found}": a placeholder has two braces`;
      const params = { text: found, meant: `{{${name}}}` };
      const section = sectionOf(file.yaml, reporter, path);
      section.warn("single-brace", message, `Write {{${name}}}.`, params);
    }
  }
}

const SINGLE_BRACES = /(?<!\{)\{ {0,3}([A-Za-z_][A-Za-z0-9_.-]{0,60}) {0,3}\}(?!\})/g;

/** Warns of placeholders missing or added in comparison to the owner's default language. */
export function checkParity(file: MessagesFile, set: CheckedSet, reporter: Reporter): void {
  const reference = set.own.get(set.fallback)?.file;
  if (reference === undefined || reference.locale === file.locale) return;
  for (const [key, line] of file.lines) {
    const mine = slotsOfText(line);
    const theirs = slotsOfText(reference.lines.get(key));
    if (mine === null || theirs === null) continue;
    const missing = theirs.filter((slot) => !mine.includes(slot)).map((slot) => `{{${slot}}}`);
    const added = mine.filter((slot) => !theirs.includes(slot)).map((slot) => `{{${slot}}}`);
    if (missing.length + added.length === 0) continue;
    const parts = [
      ...(missing.length > 0 ? [`lacks ${missing.join(", ")}`] : []),
      ...(added.length > 0 ? [`adds ${added.join(", ")}`] : []),
    ];
    const message = `compared with ${reference.locale}, this text ${parts.join(" and ")}`;
    const section = sectionOf(file.yaml, reporter, [line.writtenKey, "text"]);
    const params = {
      language: reference.locale,
      missing: missing.join(", ") || "–",
      added: added.join(", ") || "–",
    };
    section.warn("placeholder-differs", message, null, params);
  }
}

function slotsOfText(line: MessageLine | undefined): readonly string[] | null {
  return line?.text === undefined ? null : slotsOf(parsePlaceholders(line.text));
}
