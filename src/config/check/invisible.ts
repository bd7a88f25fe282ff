import { listMessageTexts } from "../load/message-texts.ts";
import type { MessagesFile } from "../load/read-messages.ts";
import type { Reporter } from "../../yaml/diagnostic.ts";
import { sectionOf } from "../../yaml/section.ts";
import { findInvisible } from "../../locales/plain-text.ts";

/** Warns of characters that nobody sees in an editor, and that spoil a text for its readers. */
export function checkInvisible(file: MessagesFile, reporter: Reporter): void {
  for (const { text, path } of listMessageTexts(file)) {
    const found = findInvisible(text);
    if (found === null) continue;
    const section = sectionOf(file.yaml, reporter, path);
    const message = `the invisible character ${found} stands in this text`;
    section.warn("invisible-character", message, "Take it out.", { character: found });
  }
}
