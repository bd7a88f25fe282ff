// Suite: slow
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { decide } from "../../src/direct-answers/decide.ts";
import type { Say } from "../../src/direct-answers/types.ts";
import { splice } from "../../src/json/splice.ts";
import { writeJson } from "../fixtures/json-writer.ts";
import { anyResponse } from "./any-response.ts";
import { expectedResponse } from "./expected-response.ts";
import { MODERN, PLAIN, REPLACING, utter } from "./fixtures.ts";
import { runs } from "../fixtures/runs.ts";

const texts = (key: string, count: number | null): string | null =>
  key === "welcome" || key === "no-question" ? null : `${key} "${count}"`;
const say: Say = (key, count) => {
  const text = texts(key, count());
  return text === null ? null : utter(text);
};
const rules = fc.constantFrom(PLAIN, MODERN, { ...MODERN, restoreFlags: true }, REPLACING, {
  ...REPLACING,
  restoreFlags: true,
});
const parse = (bytes: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(bytes));

it("makes of any response, however it is written, the same as of its value", () => {
  let edited = 0;
  fc.assert(
    fc.property(
      anyResponse,
      fc.integer(),
      rules,
      fc.boolean(),
      (response, seed, instance, detail) => {
        const bytes = writeJson(response, seed);
        const copy = bytes.slice();
        const { edits } = decide(bytes, instance, say, detail);
        const result = splice(bytes, edits);
        if (edits.length > 0) edited++;
        expect(parse(result)).toEqual(expectedResponse(parse(copy), instance, texts));
        expect(bytes).toEqual(copy);
        // A second application changes nothing; only a restored flag makes an answer a flagged one.
        const again = decide(result, instance, say, false).edits;
        expect(again.length === 0 || instance.restoreFlags).toBe(true);
      },
    ),
    { numRuns: runs(5_000) },
  );
  expect(edited).toBeGreaterThan(runs(1_000));
});

it("never throws, and never edits what is not JSON", () => {
  fc.assert(
    fc.property(
      anyResponse,
      fc.integer(),
      fc.nat(),
      fc.integer({ min: 0, max: 255 }),
      (response, seed, where, byte) => {
        const bytes = writeJson(response, seed);
        const at = where % bytes.length;
        for (const broken of [
          bytes.slice(0, at),
          bytes.with(at, byte),
          Uint8Array.of(...bytes, byte),
        ]) {
          const { gate, edits } = decide(broken, PLAIN, say, false);
          expect(isJson(broken) || (gate === "invalid-json" && edits.length === 0)).toBe(true);
        }
      },
    ),
    { numRuns: runs(1_000) },
  );
});

function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return true;
  } catch {
    return false;
  }
}
