import type { LanguageDraft } from "./draft.ts";
import type { WrittenItem } from "./schema-item.ts";
import { slugsFor } from "./slugs.ts";
import type { Category, ContentItem, Customized, LanguageContent } from "./types.ts";

/** A draft without mistakes as the engine wants it: every default filled in. */
export function compileLanguage(draft: LanguageDraft): LanguageContent {
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
