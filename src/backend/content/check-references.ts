import type { DiagnosticCode, Reporter } from "../../config/diagnostic.ts";
import type { Path } from "../../config/yaml.ts";
import type { ContentDraft, LanguageDraft, Placed } from "./draft.ts";

/**
 * What one content can't see alone: the ids it names exist, in its language and as something that
 * can be shown.
 */
export function checkReferences(
  language: LanguageDraft,
  draft: ContentDraft,
  reporter: Reporter,
): void {
  const known = knownContents(language);
  const categories = new Set([
    ...language.categories.map(({ value }) => value.id),
    ...language.brokenCategories,
  ]);
  const uncalled = new Set(
    language.items.flatMap(({ value }) => (value.directCall === null ? [value.id] : [])),
  );
  for (const placed of language.items) {
    const { value: item } = placed;
    const refuse = (path: Path, code: DiagnosticCode, message: string): void => {
      reporter.error(placed.file.source, placeOf(placed, path), code, message);
    };
    for (const [index, id] of item.related.entries()) {
      if (id === item.id) {
        refuse(["related", index], "invalid-value", "a content cannot be related to itself");
      } else if (!known.has(id)) {
        refuse(["related", index], "unknown-reference", noContent(id, language, draft));
      } else if (item.related.indexOf(id) !== index) {
        refuse(["related", index], "duplicate", `content ${id} is related twice`);
      }
    }
    for (const [index, option] of item.options.entries()) {
      const short = typeof option === "number";
      const id = short ? option : option.content;
      const path = short ? ["options", index] : ["options", index, "content"];
      if (id === item.id) {
        const message = "a content cannot be an option of itself; lead back through another one";
        refuse(path, "invalid-value", message);
      } else if (!known.has(id)) {
        refuse(path, "unknown-reference", noContent(id, language, draft));
      } else if (!short && option.revisitable && uncalled.has(id)) {
        const message = `content ${id} needs a directCall: that is how this option is chosen in later turns`;
        refuse(["options", index, "revisitable"], "invalid-value", message);
      }
    }
    for (const [index, id] of item.categories.entries()) {
      if (categories.has(id)) continue;
      const message = `there is no category ${id} in ${language.language}`;
      const elsewhere = languagesWith(draft, ({ categories: all }) =>
        all.some(({ value }) => value.id === id),
      );
      const only = elsewhere === "" ? "" : `; it exists in ${elsewhere} only`;
      refuse(["categories", index], "unknown-reference", `${message}${only}`);
    }
  }
}

/** Ids of a language's contents, those with mistakes of their own among them. */
export function knownContents(language: LanguageDraft): ReadonlySet<number> {
  return new Set([...language.items.map(({ value }) => value.id), ...language.broken]);
}

/** What to say of an id that leads nowhere in its language. */
export function noContent(id: number, { language }: LanguageDraft, draft: ContentDraft): string {
  const elsewhere = languagesWith(draft, (other) => knownContents(other).has(id));
  const message = `there is no content ${id} in ${language}`;
  return elsewhere === "" ? message : `${message}; it exists in ${elsewhere} only`;
}

/** The span of a part of something that was read. */
export function placeOf(
  { file, base }: Placed<unknown>,
  path: Path,
  part?: "key",
): ReturnType<typeof file.locate> {
  return file.locate([...base, ...path], part);
}

function languagesWith(draft: ContentDraft, has: (language: LanguageDraft) => boolean): string {
  return [...draft.languages.values()]
    .filter(has)
    .map(({ language }) => language)
    .join(", ");
}
