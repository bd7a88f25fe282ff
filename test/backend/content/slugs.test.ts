import fc from "fast-check";
import { expect, test } from "vitest";
import { slugOf, slugsFor } from "../../../src/backend/content/slugs.ts";

test.each([
  ["Where is my order?", "where-is-my-order"],
  ["Où est ma commande ?", "ou-est-ma-commande"],
  ["¿Dónde está mi pedido?", "donde-esta-mi-pedido"],
  ["Größe & Maße", "grosse-masse"],
  ["L’article", "l-article"],
  ["Łódź, Ærø, Đà Nẵng", "lodz-aero-da-nang"],
  ["３ days ﬁne", "3-days-fine"],
])("%s becomes %s", (title, slug) => {
  expect(slugOf(title)).toBe(slug);
});

test.each(["Где мой заказ?", "注文はどこですか", "Wi-Fi пароль", "مرحبا", "?!", ""])(
  "%s has no slug of its own",
  (title) => {
    expect(slugOf(title)).toBeNull();
  },
);

test("a long title ends at a word", () => {
  const slug = slugOf("word ".repeat(50)) ?? "";
  expect(slug.length).toBeLessThanOrEqual(80);
  expect(slug).toMatch(/-word$/);
  expect(slugOf("x".repeat(200))).toBe("x".repeat(80));
});

test("equal titles after the first get their ids as slugs, and given slugs stay", () => {
  const titled = [
    { id: 9, title: "Hello" },
    { id: 2, title: "Hello" },
    { id: 3, title: "Привет" },
    { id: 4, title: "Bye" },
    { id: 5, title: "X", slug: "bye" },
  ];
  expect(Object.fromEntries(slugsFor(titled))).toStrictEqual({
    2: "hello",
    9: "hello-9",
    3: "3",
    4: "bye-4",
    5: "bye",
  });
});

test("slugs of any titles are unique, fit into an address, and do not depend on the order", () => {
  const titles = fc.uniqueArray(
    fc.record({
      id: fc.integer({ min: 1, max: 30 }),
      title: fc.oneof(fc.string(), fc.constantFrom("a", "a 1", "a 2", "1", "2", "a-1-1", "ж")),
    }),
    { selector: ({ id }) => id },
  );
  fc.assert(
    fc.property(titles, (all) => {
      const slugs = slugsFor(all);
      expect(slugs.size).toBe(all.length);
      expect(new Set(slugs.values()).size).toBe(all.length);
      for (const slug of slugs.values()) expect(slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      const turned = Object.fromEntries(slugsFor(all.toReversed()));
      expect(turned).toStrictEqual(Object.fromEntries(slugs));
    }),
  );
});
