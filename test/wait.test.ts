import { expect, test } from "vitest";
import { waitAtMost, limitTime } from "../src/wait.ts";

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
