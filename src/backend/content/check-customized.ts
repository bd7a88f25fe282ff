import type { Reporter } from "../../config/diagnostic.ts";
import { didYouMean, nearest } from "../../config/nearest.ts";
import { FLAGS } from "../../direct-answers/flags.ts";
import { knownContents, noContent, placeOf } from "./check-references.ts";
import type { ContentDraft, LanguageDraft } from "./draft.ts";
import type { CustomizableFlag } from "./types.ts";

/** The flags that a content may answer in place of (seed.md, Chatbot direct answers). */
export const CUSTOMIZABLE_FLAGS: readonly CustomizableFlag[] = Object.freeze([
  "all-options-discarded",
  "follow-up-question",
  "no-question",
  "no-results",
  "welcome",
]);

/**
 * Reports flags that are not there or can't be customized, and contents that can't answer in place
 * of one.
 */
export function checkCustomized(
  language: LanguageDraft,
  draft: ContentDraft,
  reporter: Reporter,
): void {
  const known = knownContents(language);
  const unpublished = new Set(
    language.items.flatMap(({ value }) => (value.published ? [] : [value.id])),
  );
  const forms = new Set(
    language.items.flatMap(({ value }) => (value.form === null ? [] : [value.id])),
  );
  const seen = new Set<string>();
  for (const placed of language.customized) {
    const { flag, content } = placed.value;
    const { source } = placed.file;
    const key = placeOf(placed, [], "key");
    const fault = flagFault(flag);
    if (fault !== null) {
      reporter.error(source, key, "unknown-flag", fault);
      continue;
    }
    if (seen.has(flag)) {
      const message = `${flag} is customized twice in ${language.language}`;
      reporter.error(source, key, "duplicate", message);
    }
    seen.add(flag);
    const value = placeOf(placed, []);
    if (!known.has(content)) {
      reporter.error(source, value, "unknown-reference", noContent(content, language, draft));
    } else if (unpublished.has(content)) {
      const message = `content ${content} is not published, so nobody would get an answer`;
      reporter.error(source, value, "invalid-value", message);
    } else if (flag === "follow-up-question" && forms.has(content)) {
      const message = `content ${content} begins a form, so a reader who leaves that form would be in it again`;
      reporter.error(source, value, "invalid-value", message);
    }
  }
}

function flagFault(flag: string): string | null {
  if (CUSTOMIZABLE_FLAGS.some((one) => one === flag)) return null;
  const choices = `these can: ${CUSTOMIZABLE_FLAGS.join(", ")}`;
  if (FLAGS.some((one) => one === flag)) return `${flag} can't be customized; ${choices}`;
  const message = `unknown flag "${flag}".`;
  const meant = nearest(flag, CUSTOMIZABLE_FLAGS);
  if (meant !== null) return `${message}${didYouMean(flag, CUSTOMIZABLE_FLAGS)}`;
  const other = nearest(flag, FLAGS);
  return other === null
    ? `${message} These can be customized: ${CUSTOMIZABLE_FLAGS.join(", ")}`
    : `${message} Did you mean "${other}"? It can't be customized; ${choices}`;
}
