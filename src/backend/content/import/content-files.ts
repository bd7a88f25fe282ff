import { stringify } from "yaml";
import { toCanonicalTag } from "../../../config/schema/values.ts";
import {
  type Imported,
  type ImportedContent,
  type ImportedText,
  quoteShort,
  shorten,
  UNNAMED,
} from "./imported/imported.ts";
import type { ContentItem } from "../types.ts";
import type { Omission } from "./imported/omissions.ts";

/** The contents of a file, in the form of its YAML. */
export interface WrittenContents {
  readonly language: string;
  readonly categories?: readonly { readonly id: number; readonly name: string }[];
  readonly synonyms?: readonly (readonly string[])[];
  readonly contents: readonly WrittenContent[];
}

export interface WrittenContent {
  readonly id: number;
  readonly title: string;
  readonly alternatives?: readonly string[];
  readonly answer: string | readonly string[];
  readonly categories?: readonly number[];
  readonly options?: readonly { readonly content: number; readonly label: string }[];
  readonly hidden?: boolean;
  readonly published?: boolean;
}

/** The contents that exist before the import. */
export interface KnownContents {
  /** From these ids on, all are free. */
  readonly nextId: number;
  readonly nextCategory: number;
  /** Ids of contents that the import replaces and that keep their ids, by {@link toTitleKey}. */
  readonly kept: ReadonlyMap<string, number>;
  /** Contents that the import leaves alone, by language in lower case. */
  readonly present: ReadonlyMap<string, PresentContents>;
}

export interface PresentContents {
  /** By {@link toTitleKey}. */
  readonly byTitle: ReadonlyMap<string, PresentContent>;
  readonly ids: ReadonlySet<number>;
}

export type PresentContent = Pick<ContentItem, "id" | "answers" | "published">;

/** The key of a title in a language, by which a later import finds a content again. */
export function toTitleKey(language: string, title: string): string {
  return `${language.toLowerCase()} ${title.toLowerCase()}`;
}

/**
 * Gives imported contents ids and puts them in the form of content files, one for each language. A
 * content has one id in all of its languages. A question that another file or the database has is
 * left out and listed, so that a second import of a file adds nothing.
 *
 * @param unnamed the language of texts from files that name none
 */
export function toContentFiles(
  { contents, synonyms }: Pick<Imported, "contents" | "synonyms">,
  unnamed: string | null,
  known: KnownContents,
): { readonly files: readonly WrittenContents[]; readonly left: readonly Omission[] } {
  const named = contents.map((content) => withLanguage(content, unnamed));
  const ids = assignIds(named, known);
  const categories = new Map<string, number>();
  const left: Omission[] = [];
  const languages = [...new Set(named.flatMap(({ texts }) => [...texts.keys()]))];
  const files = languages.map((language): WrittenContents => {
    const targets = targetsOf(named, ids, language, known);
    const used = new Map<number, string>();
    const written = named.flatMap((content): WrittenContent[] => {
      const text = content.texts.get(language);
      if (text === undefined) return [];
      const present = findPresent(known, language, text);
      if (present !== null) {
        left.push(leavePresent(content, text, present));
        return [];
      }
      const id = ids.get(content) ?? 0;
      const options = text.options.flatMap(({ label, to }) => {
        const target = targets.get(to) ?? targets.get(to.toLowerCase());
        if (target !== undefined && target !== id) return [{ content: target, label }];
        const { file, line } = content;
        left.push({ file, line, code: "choice", part: quoteShort(text.title), text: label });
        return [];
      });
      const category = categoryOf(text, categories, known.nextCategory);
      if (category !== null) used.set(category, text.category ?? "");
      return [toWrittenContent(id, text, options, category)];
    });
    const groups = [
      ...(synonyms.get(language) ?? []),
      ...(language === unnamed ? (synonyms.get(UNNAMED) ?? []) : []),
    ];
    return {
      language,
      ...(used.size === 0 ? {} : { categories: [...used].map(([id, name]) => ({ id, name })) }),
      ...(groups.length === 0 ? {} : { synonyms: groups }),
      contents: written,
    };
  });
  return { files: files.filter(({ contents: written }) => written.length > 0), left };
}

/** Writes the text of a content file. Each line of the comment gets a `#`. */
export function writeContentFile(file: WrittenContents, comment: readonly string[]): string {
  const head = comment.map((line) => `# ${line}`.trimEnd()).join("\n");
  return `${head}\n${stringify(file, { lineWidth: 0, defaultStringType: "QUOTE_DOUBLE", defaultKeyType: "PLAIN" })}`;
}

function withLanguage(content: ImportedContent, unnamed: string | null): ImportedContent {
  const texts = new Map(
    [...content.texts].map(([written, text]) => {
      const tag = written === UNNAMED ? (unnamed ?? written) : written;
      return [toCanonicalTag(tag) ?? tag, text];
    }),
  );
  return { ...content, texts };
}

/** Finds the content that asks the same in a file that the import leaves alone, or null. */
function findPresent(
  { present }: KnownContents,
  language: string,
  { title }: ImportedText,
): PresentContent | null {
  const contents = present.get(language.toLowerCase());
  return contents?.byTitle.get(toTitleKey(language, title)) ?? null;
}

function leavePresent(
  { file, line }: ImportedContent,
  { title, answer }: ImportedText,
  { answers }: PresentContent,
): Omission {
  const position = { file, line, part: quoteShort(title) };
  return answers.join("\n") === answer.join("\n")
    ? { ...position, code: "present" }
    : { ...position, code: "present-other", text: shorten(answer.join(" ")) };
}

function assignIds(
  contents: readonly ImportedContent[],
  known: KnownContents,
): ReadonlyMap<ImportedContent, number> {
  const { nextId, kept } = known;
  const ids = new Map<ImportedContent, number>();
  const taken = new Set<number>();
  for (const content of contents) {
    const old = [...content.texts].map(([tag, { title }]) => kept.get(toTitleKey(tag, title)));
    const id = [...old, findPresentId(content, known)].find(
      (one) => one !== undefined && !taken.has(one),
    );
    if (id === undefined) continue;
    ids.set(content, id);
    taken.add(id);
  }
  let next = nextId;
  for (const content of contents) {
    if (ids.has(content)) continue;
    ids.set(content, next);
    next += 1;
  }
  return ids;
}

/** Finds the id of a content that is present in one language, if the others have it free. */
function findPresentId({ texts }: ImportedContent, known: KnownContents): number | undefined {
  const all = [...texts].map(([language, text]) => ({
    present: findPresent(known, language, text),
    ids: known.present.get(language.toLowerCase())?.ids,
  }));
  const id = all.find(({ present }) => present !== null)?.present?.id;
  const isFree = all.every(({ present, ids }) => present !== null || ids?.has(id ?? 0) !== true);
  return isFree ? id : undefined;
}

/** Collects the targets of options: ids by key, and by phrase in lower case. */
function targetsOf(
  contents: readonly ImportedContent[],
  ids: ReadonlyMap<ImportedContent, number>,
  language: string,
  known: KnownContents,
): ReadonlyMap<string, number> {
  const targets = new Map<string, number>();
  const shown = contents.flatMap((content) => {
    const text = content.texts.get(language);
    if (text === undefined) return [];
    const { id, published } = findPresent(known, language, text) ?? {
      id: ids.get(content) ?? 0,
      published: text.published,
    };
    return published ? [{ id, key: content.key, text }] : [];
  });
  const add = (name: string, id: number): void => {
    if (!targets.has(name)) targets.set(name, id);
  };
  for (const { key, id } of shown) add(key, id);
  for (const { text, id } of shown) {
    for (const phrase of [text.title, ...text.alternatives]) add(phrase.toLowerCase(), id);
  }
  return targets;
}

/** Returns the id of a category by name. Names in two languages make two categories. */
function categoryOf(
  { category }: ImportedText,
  categories: Map<string, number>,
  first: number,
): number | null {
  if (category === null) return null;
  const id = categories.get(category) ?? first + categories.size;
  categories.set(category, id);
  return id;
}

function toWrittenContent(
  id: number,
  { title, alternatives, answer, published, hidden }: ImportedText,
  options: readonly { readonly content: number; readonly label: string }[],
  category: number | null,
): WrittenContent {
  const seen = new Set([title.toLowerCase()]);
  const others = alternatives.filter((phrase) => {
    const isNew = !seen.has(phrase.toLowerCase());
    seen.add(phrase.toLowerCase());
    return isNew;
  });
  const [only = "", ...more] = answer;
  return {
    id,
    title,
    ...(others.length === 0 ? {} : { alternatives: others }),
    answer: more.length === 0 ? only : answer,
    ...(category === null ? {} : { categories: [category] }),
    ...(options.length === 0 ? {} : { options }),
    ...(hidden ? { hidden } : {}),
    ...(published ? {} : { published }),
  };
}
