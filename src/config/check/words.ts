import { meaningsIn } from "../../locales/phrases.ts";
import { withOwnWords, type WordsByLanguage } from "../../locales/recognition.ts";
import { toSpokenForm } from "../../locales/spoken-form.ts";
import type { CheckedSet } from "./checked-set.ts";
import type { Reporter } from "../../yaml/diagnostic.ts";
import type { MessagesFile } from "../load/read-messages.ts";
import { sectionOf } from "../../yaml/section.ts";

/**
 * Warns of an owner's phrase that has a second meaning: in another list of the owner, or in
 * Afterword's words of the language or of English. Readers who type it are not understood.
 */
export function checkWords(
  { words, yaml }: MessagesFile,
  set: CheckedSet,
  shipped: WordsByLanguage,
  reporter: Reporter,
): void {
  if (words === null) return;
  const owners = [...set.own.values()].flatMap(({ file }) => file.words ?? []);
  const all = withOwnWords(shipped, owners);
  const known = [...new Set([words.language, "en"])].flatMap((language) => {
    const found = all[language];
    return found === undefined ? [] : [{ language, meanings: meaningsIn(found, language) }];
  });
  for (const meaning of ["yes", "no", "cancel", "person"] as const) {
    for (const [index, phrase] of (words[meaning] ?? []).entries()) {
      for (const { language, meanings } of known) {
        const found = meanings.get(toSpokenForm(phrase, language)) ?? [];
        const others = [...found].filter((other) => other !== meaning);
        if (others.length === 0) continue;
        const message = `"${phrase}" also means ${others.join(" and ")} in ${language}; it is taken as neither`;
        const hint = `Keep it in one list, or write a longer phrase. Afterword's own phrases stay as they are.`;
        sectionOf(yaml, reporter, ["words", meaning, index]).warn(
          "ambiguous-phrase",
          message,
          hint,
          { phrase },
        );
        break;
      }
    }
  }
}
