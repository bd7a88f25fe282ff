import * as fc from "fast-check";
import { expect, test } from "vitest";
import { findKnownLanguage } from "../../../src/backend/chatbot/knowledge-base.ts";

// Any UTF-16 at all, lone surrogates included.
const anyText = fc.uint16Array({ maxLength: 256 }).map((units) => String.fromCharCode(...units));

test("language codes are known in any case and with any region, and no string breaks that", () => {
  const known = new Set(["en", "fr", "no", "he", "zh", "pt-br", "pt"]);
  for (const [code, found] of [
    ["fr", "fr"],
    ["FR-fr", "fr"],
    ["fr_CA", "fr"],
    ["nb", "no"],
    ["nn-NO", "no"],
    ["iw", "he"],
    ["zh-Hant-TW", "zh"],
    ["pt-BR", "pt-br"],
    ["pt-PT", "pt"],
    ["xx", null],
    ["french", null],
    ["", null],
    [null, null],
  ] as const) {
    expect([code, findKnownLanguage(code, known)]).toStrictEqual([code, found]);
  }
  fc.assert(
    fc.property(anyText, (code) => {
      const found = findKnownLanguage(code, known);
      expect(found === null || known.has(found)).toBe(true);
    }),
  );
});
