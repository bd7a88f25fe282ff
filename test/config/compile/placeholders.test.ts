import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parsePlaceholders } from "../../../src/config/compile/placeholders.ts";
import { runs } from "../../fixtures/runs.ts";

test.each([
  ["plain", ["plain"]],
  ["{{query}}", [{ slot: "query" }]],
  ["a {{ query }}, {{maxLength}}b", ["a ", { slot: "query" }, ", ", { slot: "maxLength" }, "b"]],
  ["{{Name}}{{name}}", [{ slot: "name" }, { slot: "name" }]],
  ["{one} }} } { x", ["{one} }} } { x"]],
  ["{{{query}}}", ["{", { slot: "query" }, "}"]],
  ["{{a.b-c_d}}", [{ slot: "a.b-c_d" }]],
])("%s is taken apart", (text, parts) => {
  expect(parsePlaceholders(text)).toEqual({ parts, broken: [] });
});

test.each([
  "{{}}",
  "{{ }}",
  "{{first name}}",
  "{{- query}}",
  "{{query",
  "{{query}",
  "{{1}}",
  "{{a,b}}",
])("%s looks like a placeholder and is none", (text) => {
  expect(parsePlaceholders(`x ${text}`).broken).toHaveLength(1);
});

test("whatever is written, the parts spell the text again and none is empty", () => {
  const piece = fc.constantFrom("{", "}", "{{", "}}", "name", " ", "query", "é", "{{name}}");
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const text = pieces.join("");
      const { parts } = parsePlaceholders(text);
      const spelt = parts
        .map((part) => (typeof part === "string" ? part : `{{${part.slot}}}`))
        .join("");
      expect(spelt).toBe(text.replace(/\{\{\s*([A-Za-z_][\w.-]*)\s*\}\}/g, "{{$1}}"));
      expect(parts).not.toContain("");
    }),
    { numRuns: runs(2000) },
  );
});
