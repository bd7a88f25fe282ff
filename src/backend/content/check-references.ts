import type { DiagnosticCode, Reporter } from "../../yaml/diagnostic.ts";
import type { Path } from "../../yaml/yaml.ts";
import type { ContentDraft, LanguageDraft, Located } from "./draft.ts";
import { didYouMean, findNearest } from "../../yaml/nearest.ts";
import { CUSTOMIZABLE_FLAGS, FLAGS } from "../../direct-answers/flags.ts";

/** Checks ids between contents: they must exist in the language and be possible to show. */
export function checkReferences(
  language: LanguageDraft,
  draft: ContentDraft,
  reporter: Reporter,
): void {
  const known = listKnownContents(language);
  const categories = new Set([
    ...language.categories.map(({ value }) => value.id),
    ...language.brokenCategories,
  ]);
  const uncalled = new Set(
    language.items.flatMap(({ value }) => (value.directCall === null ? [value.id] : [])),
  );
  for (const placed of language.items) {
    const { value: item } = placed;
    const refuse = createRefuser(placed, reporter);
    for (const [index, id] of item.related.entries()) {
      if (id === item.id) {
        refuse(["related", index], "invalid-value", "a content cannot be related to itself");
      } else if (!known.has(id)) {
        refuse(
          ["related", index],
          "unknown-reference",
          describeMissingContent(id, language, draft),
        );
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
        refuse(path, "unknown-reference", describeMissingContent(id, language, draft));
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

/** Lists the ids of a language's contents, including contents with mistakes. */
function listKnownContents(language: LanguageDraft): ReadonlySet<number> {
  return new Set([...language.items.map(({ value }) => value.id), ...language.broken]);
}

/** Describes an id that no content of its language has. */
function describeMissingContent(
  id: number,
  { language }: LanguageDraft,
  draft: ContentDraft,
): string {
  const elsewhere = languagesWith(draft, (other) => listKnownContents(other).has(id));
  const message = `there is no content ${id} in ${language}`;
  return elsewhere === "" ? message : `${message}; it exists in ${elsewhere} only`;
}

/** Returns the span of a value below the entry, or of its key. */
export function spanOf(
  { file, base }: Located<unknown>,
  path: Path,
  part?: "key",
): ReturnType<typeof file.locate> {
  return file.locate([...base, ...path], part);
}

/**
 * Creates a function that reports errors in a part of a file, by their path in that part. A span is
 * located only for a report, because that parses the file again.
 */
export function createRefuser(placed: Located<unknown>, reporter: Reporter) {
  return (path: Path, code: DiagnosticCode, message: string, part?: "key"): void =>
    reporter.error(placed.file.source, spanOf(placed, path, part), code, message);
}

function languagesWith(draft: ContentDraft, has: (language: LanguageDraft) => boolean): string {
  return [...draft.languages.values()]
    .filter(has)
    .map(({ language }) => language)
    .join(", ");
}

/** Reports flags that do not exist or can't be customized, and contents unfit to answer for one. */
export function checkCustomized(
  language: LanguageDraft,
  draft: ContentDraft,
  reporter: Reporter,
): void {
  const known = listKnownContents(language);
  const unpublished = new Set(
    language.items.flatMap(({ value }) => (value.published ? [] : [value.id])),
  );
  const forms = new Set(
    language.items.flatMap(({ value }) => (value.form === null ? [] : [value.id])),
  );
  const seen = new Set<string>();
  for (const placed of language.customized) {
    const { flag, content } = placed.value;
    const refuse = createRefuser(placed, reporter);
    const fault = flagFault(flag);
    if (fault !== null) {
      refuse([], "unknown-flag", fault, "key");
      continue;
    }
    if (seen.has(flag)) {
      refuse([], "duplicate", `${flag} is customized twice in ${language.language}`, "key");
    }
    seen.add(flag);
    if (!known.has(content)) {
      refuse([], "unknown-reference", describeMissingContent(content, language, draft));
    } else if (unpublished.has(content)) {
      const message = `content ${content} is not published, so nobody would get an answer`;
      refuse([], "invalid-value", message);
    } else if (flag === "follow-up-question" && forms.has(content)) {
      const message = `content ${content} begins a form, so a reader who leaves that form would be in it again`;
      refuse([], "invalid-value", message);
    }
  }
}

function flagFault(flag: string): string | null {
  if (CUSTOMIZABLE_FLAGS.some((one) => one === flag)) return null;
  const choices = `these can: ${CUSTOMIZABLE_FLAGS.join(", ")}`;
  if (FLAGS.some((one) => one === flag)) return `${flag} can't be customized; ${choices}`;
  const message = `unknown flag "${flag}".`;
  const meant = findNearest(flag, CUSTOMIZABLE_FLAGS);
  if (meant !== null) return `${message}${didYouMean(flag, CUSTOMIZABLE_FLAGS)}`;
  const other = findNearest(flag, FLAGS);
  return other === null
    ? `${message} These can be customized: ${CUSTOMIZABLE_FLAGS.join(", ")}`
    : `${message} Did you mean "${other}"? It can't be customized; ${choices}`;
}

/** Reports duplicate categories, missing parents and cycles. */
export function checkCategories(language: LanguageDraft, reporter: Reporter): void {
  const parents = new Map(language.categories.map(({ value }) => [value.id, value.parent]));
  const ids = new Set<number>();
  const slugs = new Set<string>();
  for (const placed of language.categories) {
    const { id, slug, parent } = placed.value;
    const refuse = createRefuser(placed, reporter);
    if (ids.has(id)) {
      refuse(["id"], "duplicate", `category ${id} is defined twice in ${language.language}`);
    }
    ids.add(id);
    if (slug !== undefined && slugs.has(slug)) {
      refuse(["slug"], "duplicate", `slug ${slug} is used twice in ${language.language}`);
    }
    if (slug !== undefined) slugs.add(slug);
    if (parent === null) continue;
    if (!parents.has(parent) && !language.brokenCategories.has(parent)) {
      const message = `there is no category ${parent} in ${language.language}`;
      refuse(["parent"], "unknown-reference", message);
      continue;
    }
    const circle = findCycle(id, parents);
    if (circle !== null) {
      const message = `categories go round in a circle: ${circle.join(" is under ")}`;
      refuse(["parent"], "invalid-value", message);
    }
  }
}

/** Returns the chain of parents that leads from a category back to itself, or null. */
function findCycle(
  id: number,
  parents: ReadonlyMap<number, number | null>,
): readonly number[] | null {
  const way = [id];
  for (let at = parents.get(id) ?? null; at !== null; at = parents.get(at) ?? null) {
    if (at === id) return [...way, id];
    // This cycle does not include the first category. It is reported for its own categories.
    if (way.includes(at)) return null;
    way.push(at);
  }
  return null;
}
