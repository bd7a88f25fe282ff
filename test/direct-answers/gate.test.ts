import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decide } from "../../src/direct-answers/decide.ts";
import { needlesOf } from "../../src/direct-answers/gate.ts";
import type { InstanceRules } from "../../src/direct-answers/types.ts";
import { compileNeedles, mayHold } from "../../src/json/needles.ts";
import { writeJson } from "../fixtures/json-writer.ts";
import { anyResponse } from "./any-response.ts";
import { MODERN, PLAIN, REPLACING, saying } from "./fixtures.ts";
import { runs } from "../fixtures/runs.ts";

const restoring: InstanceRules = { ...MODERN, restoreFlags: true };
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

function isOpen(rules: InstanceRules, bytes: Uint8Array): boolean {
  return mayHold(bytes, compileNeedles(needlesOf(rules)));
}

function body(title: string): Uint8Array {
  return encode(JSON.stringify({ answers: [{ flags: [], attributes: { title } }] }));
}

describe("a body", () => {
  it.each([
    '{"answers":[{"message":"a","messageList":["a"],"flags":[],"attributes":{"title":"Order"}}]}',
    '{"answers":[{"message":"a","flags" : [ ]}]}',
    '{"answers":[{"message":"a","flags":null}]}',
    '{"answers":[{"message":"relatedTitle and flags"}]}',
    '{"answers":[{"message":"caf\\u00e9"}]}',
    "{}",
    "",
  ])("without anything to edit is left alone unread: %s", (body) => {
    for (const rules of [PLAIN, MODERN, restoring]) expect(isOpen(rules, encode(body))).toBe(false);
  });

  it.each([
    '{"answers":[{"flags":["x"]}]}',
    '{"flags" :\n[ "x"]}',
    '{"flags":[],"a":{"flags":[0]}}',
    '{"relatedTitle":""}',
    '{"fl\\u0061gs":["x"]}',
    '{"related\\u0054itle":"x"}',
  ])("that may have something to edit is parsed: %s", (body) => {
    for (const rules of [PLAIN, MODERN, restoring]) expect(isOpen(rules, encode(body))).toBe(true);
  });

  it("is parsed for the titles of active default content, and for them alone", () => {
    expect(isOpen(MODERN, body(" NO Results "))).toBe(true);
    expect(isOpen(MODERN, body("Order"))).toBe(false);
    expect(isOpen({ ...MODERN, activeDefaultContent: [] }, body("No Results"))).toBe(false);
    const answer = encode('{"answers":[{"message":"Sorry, NOTHING.","flags":[]}]}');
    expect(isOpen(REPLACING, answer)).toBe(true);
    expect(isOpen(MODERN, answer)).toBe(false);
  });

  it("left alone unread contains nothing that would be edited or recognized", () => {
    const rules = fc.constantFrom(PLAIN, MODERN, restoring, REPLACING, {
      ...restoring,
      replace: { "no-results": ["Désolé, rien.", "résumé"], welcome: ["ｋ"] },
      recognize: { "kein ergebnis": "no-results", ｋ: "welcome", "": "welcome", résumé: "welcome" },
    } satisfies InstanceRules);
    let closed = 0;
    fc.assert(
      fc.property(anyResponse, fc.integer(), rules, (response, seed, instance) => {
        const bytes = writeJson(response, seed);
        if (isOpen(instance, bytes)) return;
        closed++;
        const { edits, steps } = decide(bytes, instance, saying(), false);
        expect(edits).toEqual([]);
        expect(steps.filter((step) => step.reason === "default-content")).toEqual([]);
      }),
      { numRuns: runs(3_000) },
    );
    expect(closed).toBeGreaterThan(runs(150));
  });
});
