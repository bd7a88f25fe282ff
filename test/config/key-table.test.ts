import * as fc from "fast-check";
import { expect, it } from "vitest";
import { createKeyTable } from "../../src/config/key-table.ts";

const few = fc.constantFrom("", "a", "b", "key-1", "key-2", "é", "\ud800", "__proto__");
const text = fc.oneof(few, fc.string({ unit: "binary", maxLength: 5 }));

it("finds the first place of every text, and of no other", () => {
  fc.assert(
    fc.property(fc.array(fc.option(text)), fc.array(text), (keys, others) => {
      const find = createKeyTable(keys);
      for (const key of [...keys, ...others]) {
        if (key === null) continue;
        const place = keys.indexOf(key);
        expect(find(key)).toBe(place === -1 ? undefined : place);
      }
    }),
  );
});

it("tells ten thousand keys apart that differ in their last letters", () => {
  const keys = Array.from({ length: 10_000 }, (_, n) => `client-key-of-owner-number-${n}`);
  const find = createKeyTable(keys);
  expect(keys.filter((key, place) => find(key) !== place)).toEqual([]);
  expect(find("client-key-of-owner-number-10000")).toBeUndefined();
});
