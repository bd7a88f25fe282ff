import { describe, expect, test } from "vitest";
import { loadAllContent, loadContent } from "../../../src/backend/content/load.ts";
import type { ContentItem } from "../../../src/backend/content/types.ts";

const directory = new URL("../../../config/backend", import.meta.url).pathname;
const { languages } = await loadContent(directory);

/** What translations have in common. */
function shape(item: ContentItem): object {
  const { id, answers, attributes, categories, order, related, directCall, hidden, expires } = item;
  return {
    id,
    answers: answers.length,
    attributes,
    categories,
    order,
    related,
    directCall,
    hidden,
    expires,
    checkQuestion: item.checkQuestion !== null,
    options: item.options.map(({ content, revisitable }) => [content, revisitable]),
    actions: item.actions,
    form: item.form?.fields.map(({ name, type }) => [name, type]) ?? null,
  };
}

describe("the shipped content", () => {
  test("says the same in English, Spanish and French", () => {
    expect([...languages.keys()].toSorted()).toStrictEqual(["en", "es", "fr"]);
    const english = languages.get("en");
    expect(english?.items).toHaveLength(25);
    for (const { items, categories } of languages.values()) {
      expect(items.map(shape)).toStrictEqual(english?.items.map(shape));
      expect(categories.map(({ id, parent }) => [id, parent])).toStrictEqual(
        english?.categories.map(({ id, parent }) => [id, parent]),
      );
    }
  });

  test("shows everything that a content can have", () => {
    const items = languages.get("en")?.items ?? [];
    const shown: Readonly<Record<string, (item: ContentItem) => boolean>> = {
      sideBubble: ({ sideBubble }) => sideBubble !== "",
      severalAnswers: ({ answers }) => answers.length > 1,
      categories: ({ categories }) => categories.length > 0,
      related: ({ related }) => related.length > 0,
      checkQuestion: ({ checkQuestion }) => checkQuestion !== null,
      options: ({ options }) => options.length > 0,
      revisitable: ({ options }) => options.some(({ revisitable }) => revisitable),
      form: ({ form }) => form !== null,
      actions: ({ actions }) => actions.length > 0,
      directCall: ({ directCall }) => directCall !== null,
      hidden: ({ hidden }) => hidden,
      expires: ({ expires }) => expires !== null,
    };
    for (const [what, has] of Object.entries(shown)) {
      expect([what, items.some(has)]).toStrictEqual([what, true]);
    }
    expect(languages.get("en")?.synonyms.length).toBeGreaterThan(0);
  });

  test("can be reached: what is hidden by a call or an option, everything else by a question", () => {
    for (const { items } of languages.values()) {
      const led = new Set(items.flatMap(({ options }) => options.map(({ content }) => content)));
      const lost = items.filter(
        ({ id, hidden, directCall }) => hidden && directCall === null && !led.has(id),
      );
      expect(lost).toStrictEqual([]);
      for (const { hidden, alternatives } of items) {
        if (!hidden) expect(alternatives.length).toBeGreaterThan(1);
      }
    }
  });

  test("has no mistakes and nothing to warn of", () => {
    expect(loadAllContent(directory).diagnostics).toStrictEqual([]);
  });
});
