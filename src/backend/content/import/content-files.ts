import { stringify } from "yaml";
import { toCanonicalTag } from "../../../config/schema/values.ts";
import {
  type Imported,
  type ImportedContent,
  type ImportedText,
  quoteShort,
  UNNAMED,
} from "./imported.ts";
import type { Omission } from "./omissions.ts";

/** The contents of a file, as YAML writes it. */
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
  /** The lowest ids from which on all are free. */
  readonly nextId: number;
  readonly nextCategory: number;
  /** Ids of contents that the import replaces and that keep their ids, by {@link toTitleKey}. */
  readonly kept: ReadonlyMap<string, number>;
}

/** The key of a title in a language, by which a second import finds a content again. */
export function toTitleKey(language: string, title: string): string {
  return `${language.toLowerCase()} ${title.toLowerCase()}`;
}

/**
 * Gives imported contents ids and puts them in the form of content files, one for each language. A
 * content has one id in all of its languages.
 *
 * @param unnamed the language of texts whose files name none
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
    const targets = targetsOf(named, ids, language);
    const used = new Map<number, string>();
    const written = named.flatMap((content): WrittenContent[] => {
      const text = content.texts.get(language);
      if (text === undefined) return [];
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
      return [writtenOf(id, text, options, category)];
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
  return { files, left };
}

/** The text of a content file. Each line of the comment gets its `#`. */
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

function assignIds(
  contents: readonly ImportedContent[],
  { nextId, kept }: KnownContents,
): ReadonlyMap<ImportedContent, number> {
  const ids = new Map<ImportedContent, number>();
  const taken = new Set<number>();
  for (const content of contents) {
    const old = [...content.texts].map(([tag, { title }]) => kept.get(toTitleKey(tag, title)));
    const id = old.find((one) => one !== undefined && !taken.has(one));
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

/** Collects the targets of options: ids by key, and by phrase in lower case. */
function targetsOf(
  contents: readonly ImportedContent[],
  ids: ReadonlyMap<ImportedContent, number>,
  language: string,
): ReadonlyMap<string, number> {
  const targets = new Map<string, number>();
  const add = (name: string, content: ImportedContent): void => {
    const id = ids.get(content);
    if (id !== undefined && !targets.has(name)) targets.set(name, id);
  };
  const present = contents.filter(({ texts }) => texts.get(language)?.published === true);
  for (const content of present) add(content.key, content);
  for (const content of present) {
    const text = content.texts.get(language);
    for (const phrase of [text?.title ?? "", ...(text?.alternatives ?? [])]) {
      add(phrase.toLowerCase(), content);
    }
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

function writtenOf(
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
