import { expect, test } from "vitest";
import { matrixOf } from "../../src/cli/commands/coverage.ts";
import type { Coverage } from "../../src/config/check/coverage.ts";

const coverage: Coverage = {
  instance: "shop",
  keys: ["welcome", "no-results"],
  locales: ["en", "fr", "pt-BR"],
  states: {
    welcome: { en: "own", fr: "shipped", "pt-BR": "inherited" },
    "no-results": { en: "never", fr: "missing" },
  },
};

test("every key has a row and every locale a column under its name", () => {
  const [, , head, welcome, noResults] = matrixOf(coverage, {
    interactive: false,
    columns: 80,
  }).split("\n");
  expect(head).toBe("           en fr pt-BR");
  expect(welcome).toBe("welcome    ●  ○  ↑");
  expect(noResults).toBe("no-results ·  ✗  ✗");
});

test("a narrow terminal gets several blocks, and no line is wider than it", () => {
  const locales = Array.from({ length: 30 }, (_, index) => `l${index}`);
  const states = Object.fromEntries(locales.map((locale) => [locale, "shipped" as const]));
  const wide: Coverage = { ...coverage, keys: ["welcome"], locales, states: { welcome: states } };
  const text = matrixOf(wide, { interactive: false, columns: 40 });
  const rows = text.split("\n").filter((line) => line.startsWith("welcome "));
  expect(rows.length).toBeGreaterThan(1);
  expect(rows.join("").match(/○/g)).toHaveLength(30);
  const [table] = text.split("\n\n●");
  expect(Math.max(...(table ?? "").split("\n").map((line) => line.length))).toBeLessThanOrEqual(40);
});

test("colour is for terminals, and every sign is explained", () => {
  const plain = matrixOf(coverage, { interactive: false, columns: 80 });
  const coloured = matrixOf(coverage, { interactive: true, columns: 80 });
  expect(plain).not.toContain("\u001B");
  expect(coloured).toContain("\u001B[32m●");
  for (const sign of ["●", "○", "↑", "✗", "·"]) {
    expect(plain).toMatch(new RegExp(`^${sign} \\w`, "m"));
  }
});
