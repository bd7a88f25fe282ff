import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { createKeyedQueue, pause, waitAtMost, limitTime } from "../src/wait.ts";

const never = new Promise<string>(() => undefined);

test("gives the result or the failure of work that ends in time", async () => {
  await expect(limitTime(60_000, Promise.resolve("done"), () => "late")).resolves.toBe("done");
  await expect(limitTime(60_000, Promise.reject(new Error("no")), () => "late")).rejects.toThrow(
    "no",
  );
});

test("gives what is wanted of work that is late, be it an error", async () => {
  await expect(limitTime(1, never, () => "late")).resolves.toBe("late");
  const fails = limitTime(1, never, () => {
    throw new Error("no answer");
  });
  await expect(fails).rejects.toThrow("no answer");
});

test("waits for an end of either kind, and not beyond its time", async () => {
  await expect(waitAtMost(60_000, Promise.reject(new Error("no")))).resolves.toBeUndefined();
  await expect(waitAtMost(1, never)).resolves.toBeUndefined();
});

test("what concerns one key runs in the order it came, failures or not, and other keys don't wait", async () => {
  const inTurn = createKeyedQueue();
  const seen: string[] = [];
  const step =
    (name: string, fail = false) =>
    async (): Promise<string> => {
      seen.push(`${name} begins`);
      await setImmediate();
      seen.push(`${name} ends`);
      if (fail) throw new Error(name);
      return name;
    };
  const results = await Promise.allSettled([
    inTurn("a", step("first", true)),
    inTurn("a", step("second")),
    inTurn("b", step("other")),
  ]);
  expect(results.map(({ status }) => status)).toStrictEqual(["rejected", "fulfilled", "fulfilled"]);
  expect(seen.filter((line) => !line.startsWith("other"))).toStrictEqual([
    "first begins",
    "first ends",
    "second begins",
    "second ends",
  ]);
  expect(seen.indexOf("other begins")).toBeLessThan(seen.indexOf("first ends"));
});

test("a pause ends at once for a signal that is aborted, before it or during it", async () => {
  await pause(60_000, AbortSignal.abort());
  const during = new AbortController();
  const paused = pause(60_000, during.signal);
  during.abort();
  await paused;
});
