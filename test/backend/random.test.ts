import { expect, test } from "vitest";
import { randomFromPool } from "../../src/backend/node/random.ts";

test("bytes from the pool are as many as were asked for, and none is given out twice", () => {
  const random = randomFromPool();
  const seen = new Set<string>();
  for (let round = 0; round < 2000; round += 1) {
    const length = [12, 16, 32, 5000][round % 4] ?? 12;
    const bytes = random(length);
    expect(bytes).toHaveLength(length);
    seen.add(Buffer.from(bytes.subarray(0, 12)).toString("hex"));
  }
  expect(seen.size).toBe(2000);
});

test("bytes that were given out are their owner's: changing them changes no others", () => {
  const random = randomFromPool();
  const first = random(16);
  const kept = first.slice();
  random(16).fill(0);
  expect(first).toEqual(kept);
  expect(first.buffer.byteLength).toBe(16);
});
