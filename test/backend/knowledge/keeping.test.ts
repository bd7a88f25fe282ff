import { describe, expect, it } from "vitest";
import { createKeeping } from "../../../src/backend/knowledge/keeping.ts";
import { createSearchCache } from "../../../src/backend/knowledge/search-cache.ts";

describe("what is kept as long as there is room", () => {
  it("goes when nobody has asked for it since the last time that room was made", () => {
    const kept = createKeeping<number>(3);
    for (const [at, key] of ["a", "b", "c"].entries()) kept.set(key, at, 1);
    kept.get("a");
    kept.set("d", 3, 1);
    expect(["a", "b", "c", "d"].map((key) => kept.get(key))).toEqual([0, undefined, 2, 3]);
    kept.set("e", 4, 1);
    kept.set("f", 5, 1);
    kept.set("g", 6, 1);
    expect(["e", "f", "g"].map((key) => kept.get(key))).toEqual([4, 5, 6]);
    expect(["a", "c", "d"].map((key) => kept.get(key))).toEqual([undefined, undefined, undefined]);
  });

  it("never takes more than the room, also when all of it was asked for", () => {
    const kept = createKeeping<string>(10);
    for (let at = 0; at < 100; at += 1) {
      kept.set(`${at}`, "it", 1 + (at % 4));
      for (let key = 0; key <= at; key += 1) kept.get(`${key}`);
      let size = 0;
      for (let key = 0; key <= at; key += 1) {
        if (kept.get(`${key}`) !== undefined) size += 1 + (key % 4);
      }
      expect(size).toBeLessThanOrEqual(10);
      expect(kept.get(`${at}`)).toBe("it");
    }
  });

  it("is not what has no room even alone, and another value takes the place of the one before", () => {
    const kept = createKeeping<number>(2);
    kept.set("a", 1, 1);
    kept.set("b", 2, 3);
    expect([kept.get("a"), kept.get("b")]).toEqual([1, undefined]);
    kept.set("a", 3, 2);
    expect(kept.get("a")).toBe(3);
    kept.clear();
    expect(kept.get("a")).toBeUndefined();
  });
});

describe("results of searches", () => {
  const base = {};
  const open = { sources: [base], now: 0, until: Infinity };

  it("are made once, as long as they are good and made of the same", () => {
    const cache = createSearchCache<number>(10);
    let made = 0;
    const ask = (key: string, state = open): number => cache.get(key, state, () => (made += 1));
    expect([ask("a"), ask("a"), ask("a"), ask("b"), ask("b")]).toEqual([1, 1, 1, 2, 2]);
    // Another base, and a time at which they are good no more.
    const other = { ...open, sources: [{}] };
    expect([ask("a", other), ask("a", other), ask("a")]).toEqual([3, 3, 4]);
    expect(ask("c", { ...open, until: 5 })).toBe(5);
    expect(ask("c", { ...open, now: 4 })).toBe(5);
    expect(ask("c", { ...open, now: 5 })).toBe(6);
    expect(ask("c", { ...open, now: 6 })).toBe(6);
  });

  it("are kept from the second asking on, when some others came in between", () => {
    const cache = createSearchCache<number>(2_000);
    let made = 0;
    const ask = (key: string): number => cache.get(key, open, () => (made += 1));
    const others = (name: string): void => {
      for (let at = 0; at < 400; at += 1) ask(`${name} ${at}`);
    };
    ask("a");
    others("some");
    const second = ask("a");
    expect(second).toBe(402);
    others("more");
    others("yet more");
    expect(ask("a")).toBe(second);
  });

  it("are not kept of questions that come again only after very many others", () => {
    const cache = createSearchCache<number>(2_000);
    let made = 0;
    for (let round = 0; round < 3; round += 1) {
      for (let at = 0; at < 1_000; at += 1) cache.get(`question ${at}`, open, () => (made += 1));
    }
    expect(made).toBe(3_000);
  });
});
