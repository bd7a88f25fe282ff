import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createMemoryEscalations } from "../../../src/escalation/stores/memory.ts";
import { startRetention, sweepOnce } from "../../../src/escalation/stores/retention.ts";
import type { EscalationStore } from "../../../src/escalation/stores/store.ts";
import { intent, record } from "../suites/records.ts";

const day = 86_400_000;

describe("retention", () => {
  it("removes records that were not written for that long, by itself, and keeps those with a waiting reader", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const now = () => Date.now();
    const store = createMemoryEscalations({ now });
    const settled = await store.put(record({ updated: now() }));
    const waited = await store.put(record({ updated: now(), intents: [intent("sent")] }));
    const { stop } = startRetention({ store, retention: 30 * day, now, by: "a" });
    await vi.advanceTimersByTimeAsync(30 * day - 600_000);
    expect(await store.get(settled?.key ?? "")).not.toBeNull();
    await vi.advanceTimersByTimeAsync(1_200_000);
    expect(await store.get(settled?.key ?? "")).toBeNull();
    expect(await store.get(waited?.key ?? "")).not.toBeNull();
    stop();
    const later = await store.put(record({ updated: 1 }));
    await vi.advanceTimersByTimeAsync(day);
    expect(await store.get(later?.key ?? "")).not.toBeNull();
  });

  it("is done by one of several processes at a time, and by another when that one is gone", async () => {
    let time = 100 * day;
    const shared = createMemoryEscalations({ now: () => time });
    let sweeps = 0;
    const store: EscalationStore = {
      ...shared,
      sweep(before) {
        sweeps += 1;
        return shared.sweep(before);
      },
    };
    const round = (by: string) =>
      sweepOnce({ store, retention: day, now: () => time, by, every: 600_000 });
    expect(await Promise.all(["a", "b", "c"].map(round))).toEqual([0, null, null]);
    time += 600_000;
    await store.put(record({ updated: 1 }));
    expect(await Promise.all(["b", "c"].map(round))).toEqual([1, null]);
    expect(sweeps).toBe(2);
  });

  it("goes on after the store has failed", async () => {
    const shared = createMemoryEscalations({ now: () => 1 });
    const failing = { ...shared, sweep: () => Promise.reject(new Error("disk full")) };
    const options = { retention: 1, now: () => 10 * day, by: "a", every: 600_000 };
    expect(await sweepOnce({ store: failing, ...options })).toBeNull();
    await shared.put(record({ updated: 1 }));
    expect(await sweepOnce({ store: shared, ...options })).toBe(1);
  });
});
