import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { setImmediate } from "node:timers/promises";
import { createTurns } from "../../src/storage/sqlite/turns.ts";

const tired = (): Error => new Error("tired");

describe("turns at a shared connection", () => {
  test("begin in the same tick while there is no transaction", () => {
    const turns = createTurns(1000, tired);
    const seen: string[] = [];
    void turns.pass(async () => void seen.push("a"));
    void turns.pass(async () => void seen.push("b"));
    expect(seen).toStrictEqual(["a", "b"]);
  });

  test("keep their order, and none begins during a transaction", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 30 }), async (kinds) => {
        const turns = createTurns(1000, tired);
        const seen: number[] = [];
        let open = false;
        await Promise.all(
          kinds.map(async (alone, index) => {
            if (!alone) {
              await turns.pass(async () => {
                expect(open).toBe(false);
                seen.push(index);
              });
              return;
            }
            await turns.take(async () => {
              expect(open).toBe(false);
              open = true;
              seen.push(index);
            });
            await setImmediate();
            open = false;
            turns.leave();
          }),
        );
        expect(seen).toStrictEqual(kinds.map((_, index) => index));
      }),
    );
  });

  test("time out, and the turns behind them still begin", async () => {
    const turns = createTurns(20, tired);
    await turns.take(() => Promise.resolve());
    await expect(turns.pass(() => Promise.resolve())).rejects.toThrow("tired");
    const next = turns.pass(() => Promise.resolve("next"));
    turns.leave();
    expect(await next).toBe("next");
  });

  test("go to the next caller when work fails", async () => {
    const turns = createTurns(1000, tired);
    await turns.take(() => Promise.resolve());
    const failing = turns.pass(() => Promise.reject(new Error("no")));
    const next = turns.pass(() => Promise.resolve("next"));
    turns.leave();
    await expect(failing).rejects.toThrow("no");
    expect(await next).toBe("next");
  });
});
