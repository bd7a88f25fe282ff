import * as fc from "fast-check";
import { expect, it } from "vitest";
import { createSaidTable, type SaidTable } from "../../src/locales/said-table.ts";

function kept(table: SaidTable, set: number, place: number): readonly number[] | null {
  const at = table.find(set, place);
  return at === -1 ? null : [...table.cells.subarray(at, at + 2)];
}

const number = fc.integer({ min: -0x80_00_00_00, max: 0x7f_ff_ff_ff });
const entry = fc.tuple(fc.nat(40), fc.nat(60), number, number);

it("keeps for each set and place what was put there last, however much it holds", () => {
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 400 }), (entries) => {
      const table = createSaidTable();
      const model = new Map<string, readonly number[]>();
      for (const [set, place, first, second] of entries) {
        table.put(set, place, first, second);
        model.set(`${set} ${place}`, [first, second]);
      }
      for (let set = 0; set <= 41; set++) {
        for (let place = 0; place <= 61; place++) {
          expect(kept(table, set, place)).toEqual(model.get(`${set} ${place}`) ?? null);
        }
      }
    }),
    { numRuns: 30 },
  );
});

it("holds a million cells of sets that all speak in the same places", () => {
  const table = createSaidTable();
  const [sets, places] = [50_000, 20];
  for (let set = 0; set < sets; set++) {
    for (let place = 0; place < places; place++) table.put(set, place, set, place);
  }
  const wrong: number[] = [];
  for (let set = 0; set < sets; set++) {
    for (let place = 0; place < places; place++) {
      const at = table.find(set, place);
      if (table.cells[at] !== set || table.cells[at + 1] !== place) wrong.push(set);
    }
  }
  expect(wrong).toEqual([]);
  expect(table.find(sets, 0)).toBe(-1);
});
