import {
  assert,
  constantFrom,
  array,
  oneof,
  property,
  record,
  constant,
  integer,
} from "fast-check";
import { describe, expect, it } from "vitest";
import { createLeastRecentlyUsed } from "../src/least-recently-used.ts";

describe("the values used last", () => {
  it("gives up the one that was used longest ago", () => {
    const values = createLeastRecentlyUsed<number>(2);
    values.set("a", 1);
    values.set("b", 2);
    values.get("a");
    values.set("c", 3);
    expect([values.get("a"), values.get("b"), values.get("c")]).toEqual([1, undefined, 3]);
  });

  it("holds what a Map in which each use deletes and inserts would hold", () => {
    const key = constantFrom("a", "b", "c", "d", "e", "f");
    const step = oneof(
      record({ does: constant("get"), key }),
      record({ does: constant("set"), key }),
      record({ does: constant("delete"), key }),
    );
    assert(
      property(array(step, { maxLength: 60 }), integer({ min: 1, max: 5 }), (steps, limit) => {
        const values = createLeastRecentlyUsed<number>(limit);
        const model = new Map<string, number>();
        for (const [number, { does, key: name }] of steps.entries()) {
          if (does === "get") {
            const value = model.get(name);
            expect(values.get(name)).toBe(value);
            if (value !== undefined) put(model, name, value);
          } else if (does === "delete") {
            values.delete(name);
            model.delete(name);
          } else {
            values.set(name, number);
            put(model, name, number);
            const [first = ""] = model.keys();
            if (model.size > limit) model.delete(first);
          }
          expect(values.size).toBe(model.size);
        }
        for (const [name, value] of model) expect(values.get(name)).toBe(value);
      }),
    );
  });
});

function put(model: Map<string, number>, key: string, value: number): void {
  model.delete(key);
  model.set(key, value);
}
