import type { Diagnostic } from "../../yaml/diagnostic.ts";
import { createReporter, type Reporter, diagnosticsAsText } from "../../yaml/diagnostic.ts";
import type { Environment } from "../../yaml/source.ts";
import { parseWith } from "../../yaml/schema-issues.ts";
import { createSource, START } from "../../yaml/source.ts";
import { parseYaml, type YamlFile } from "../../yaml/yaml.ts";
import { AfterwordError } from "../../errors.ts";
import { checkItems, checkForms, type FormDependencies } from "./check-items.ts";
import { checkReferences, checkCustomized, checkCategories } from "./check-references.ts";
import { draftOf, createEmptyDraft, type LanguageDraft, type Located } from "./draft.ts";
import { readItem, readLanguageParts, readParts } from "./read-parts.ts";
import { textsFile, type WrittenItem } from "./schema.ts";
import type {
  Content,
  EngineTexts,
  SourceFile,
  Category,
  ContentItem,
  Customized,
  LanguageContent,
} from "./types.ts";
import { slugsFor } from "./slugs.ts";

/** A content directory: content files, and engine texts per language (`texts/<locale>.yaml`). */
export interface ContentSources {
  readonly contents: readonly SourceFile[];
  readonly texts: readonly (SourceFile & { readonly locale: string })[];
  /** Contents from a database. They replace contents of files with the same id. */
  readonly rows?: readonly LanguageRows[];
  /** The values of `${NAME}` in form webhooks; null assumes that all are set. Default: none is set. */
  readonly environment?: Environment | null;
  /** The configuration that forms are checked against. Absent if they are not. */
  readonly surroundings?: FormDependencies | undefined;
}

/** Contents of one language from outside content files: a database, or an imported file. */
export interface LanguageRows {
  /** Lower-case tag. */
  readonly language: string;
  /** The value of each is one content, written as in a content file. */
  readonly rows: readonly YamlFile[];
  /** The values are a content file's other parts: categories, customized answers, synonyms. */
  readonly parts?: readonly YamlFile[];
}

/** The result of reading; `content` is null when there is an error among the diagnostics. */
export interface ReadContent {
  readonly content: Content | null;
  /** File by file, from top to bottom. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Merges validated content files. Throws `content-invalid` with every mistake and its place. */
export function parseContent(sources: ContentSources): Content {
  const { content, diagnostics } = readContent(sources);
  if (content !== null) return content;
  throw createContentError(diagnostics);
}

/** The failure that names every mistake. */
export function createContentError(diagnostics: readonly Diagnostic[]): AfterwordError {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  return new AfterwordError("content-invalid", diagnosticsAsText(errors).trimEnd());
}

/** As {@link parseContent}, without throwing; findings are added to those of `reporter`. */
export function readContent(
  sources: ContentSources,
  reporter: Reporter = createReporter(),
): ReadContent {
  const { environment = {} } = sources;
  const texts = readTexts(sources.texts, reporter);
  const draft = createEmptyDraft();
  for (const { name, text } of sources.contents) {
    const file = parseYaml(createSource(name, text), reporter);
    if (file !== null) readParts(file, draft, environment, reporter);
  }
  for (const { language, rows, parts = [] } of sources.rows ?? []) {
    const fresh = draftOf(createEmptyDraft(), language);
    for (const file of parts) readLanguageParts(file, fresh, environment, reporter);
    for (const file of rows) {
      readItem({ value: file.value, file, base: [] }, fresh, environment, reporter);
    }
    mergeInto(draftOf(draft, language), fresh);
  }
  for (const language of draft.languages.values()) {
    checkItems(language, reporter);
    checkCategories(language, reporter);
    checkReferences(language, draft, reporter);
    checkCustomized(language, draft, reporter);
    if (sources.surroundings !== undefined) checkForms(language, sources.surroundings, reporter);
  }
  const diagnostics = reporter.diagnostics();
  if (reporter.failed()) return { content: null, diagnostics };
  const languages = new Map(
    [...draft.languages].map(([language, written]) => [language, compileLanguage(written)]),
  );
  return { content: { languages, appData: draft.appData, texts }, diagnostics };
}

function readTexts(
  files: ContentSources["texts"],
  reporter: Reporter,
): ReadonlyMap<string, EngineTexts> {
  const texts = new Map<string, EngineTexts>();
  for (const { name, text, locale } of files) {
    const file = parseYaml(createSource(name, text), reporter);
    const value = file && parseWith(textsFile, file, file.value ?? {}, reporter);
    if (value !== null) texts.set(locale.toLowerCase(), value);
  }
  if (!reporter.failed() && !texts.has("en")) {
    const message = "the engine's English texts are missing";
    const hint = "Copy config/backend/texts/en.yaml, which comes with Afterword.";
    reporter.error(createSource("texts/en.yaml", ""), START, "missing-table", message, hint);
  }
  return texts;
}

/** Replaces entries that have the same id or flag, and appends the others. */
function mergeInto(language: LanguageDraft, fresh: LanguageDraft): void {
  replace(language.items, fresh.items, fresh.broken);
  replace(language.categories, fresh.categories, fresh.brokenCategories);
  const flags = new Set(fresh.customized.map(({ value }) => value.flag));
  const kept = language.customized.filter(({ value }) => !flags.has(value.flag));
  language.customized.splice(0, language.customized.length, ...kept, ...fresh.customized);
  language.synonyms.push(...fresh.synonyms);
  for (const id of fresh.broken) language.broken.add(id);
  for (const id of fresh.brokenCategories) language.brokenCategories.add(id);
}

function replace<T extends { readonly id: number }>(
  all: Located<T>[],
  fresh: readonly Located<T>[],
  broken: ReadonlySet<number>,
): void {
  const ids = new Set([...fresh.map(({ value }) => value.id), ...broken]);
  const kept = all.filter(({ value }) => !ids.has(value.id));
  all.length = 0;
  for (const placed of [...kept, ...fresh]) all.push(placed);
}

/** Compiles a draft without mistakes for the engine: all defaults are filled in. */
function compileLanguage(draft: LanguageDraft): LanguageContent {
  const items = draft.items.map(({ value }) => value);
  const titles = new Map(items.map(({ id, title }) => [id, title]));
  const slugs = slugsFor(items);
  return {
    items: items.map((item, index) => compileItem(item, index, titles, slugs)),
    categories: compileCategories(draft.categories),
    customized: customizedOf(draft),
    synonyms: draft.synonyms,
  };
}

function compileItem(
  { answer, options, ...item }: WrittenItem,
  index: number,
  titles: ReadonlyMap<number, string>,
  slugs: ReadonlyMap<number, string>,
): ContentItem {
  return {
    ...item,
    answers: answer,
    slug: slugs.get(item.id) ?? String(item.id),
    order: item.order ?? index,
    options: options.map((option) => {
      const { content, label, attributes, revisitable } =
        typeof option === "number"
          ? { content: option, label: undefined, attributes: {}, revisitable: false }
          : option;
      return { content, label: label ?? titles.get(content) ?? "", attributes, revisitable };
    }),
  };
}

function compileCategories(placed: LanguageDraft["categories"]): readonly Category[] {
  const written = placed.map(({ value }) => value);
  const slugs = slugsFor(written.map(({ id, name, slug }) => ({ id, title: name, slug })));
  return written.map((category, index) => ({
    ...category,
    slug: slugs.get(category.id) ?? String(category.id),
    order: category.order ?? index,
  }));
}

function customizedOf({ customized }: LanguageDraft): Customized {
  return Object.fromEntries(customized.map(({ value: { flag, content } }) => [flag, content]));
}
