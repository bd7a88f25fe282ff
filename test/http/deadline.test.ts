import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createDeadlines, type TimeoutName } from "../../src/http/deadline.ts";

const none = { connect: 0, headers: 0, total: 0, idle: 0 };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (milliseconds: number): void => void vi.advanceTimersByTime(milliseconds);

/** Starts deadlines that write down when, and by which limit, they passed. */
function watch() {
  const start = createDeadlines();
  const passed: { readonly who: string; readonly name: TimeoutName; readonly after: number }[] = [];
  return {
    passed,
    names: () => passed.map(({ who, name }) => `${who} ${name}`),
    start(who: string, limits: Partial<typeof none>) {
      const began = performance.now();
      return start(
        { ...none, ...limits },
        { expired: (name) => passed.push({ who, name, after: performance.now() - began }) },
      );
    },
  };
}

describe("deadlines on one timer", () => {
  it("pass each in its own time, whichever was started first, and once", () => {
    const { start, names, passed } = watch();
    start("late", { total: 120 });
    start("soon", { headers: 40 });
    start("middle", { headers: 80, total: 200 });
    pass(300);
    expect(names()).toEqual(["soon headers", "middle headers", "late total"]);
    for (const [i, due] of [40, 80, 120].entries()) {
      expect(passed[i]?.after).toBeGreaterThanOrEqual(due);
      expect(passed[i]?.after).toBeLessThanOrEqual(due + 10);
    }
  });

  it("do not pass when they are stopped, at whatever place they stand", () => {
    const { start, names } = watch();
    const three = ["first", "middle", "last"].map((who) => start(who, { total: 40 }));
    start("stays", { total: 60 });
    for (const place of [1, 0, 2]) three[place]?.stop();
    three[1]?.stop();
    pass(150);
    expect(names()).toEqual(["stays total"]);
  });

  it("are put off by activity, by a pause, and never beyond the whole", () => {
    const { start, names } = watch();
    const moving = start("moving", { headers: 60, total: 250 });
    const paused = start("paused", { headers: 60 });
    paused.pause();
    for (let i = 0; i < 10; i++) {
      pass(20);
      moving.touch();
    }
    expect(names()).toEqual([]);
    paused.resume();
    pass(150);
    expect(names().sort()).toEqual(["moving total", "paused headers"].sort());
  });

  it("count idle time once the answer is there", () => {
    const { start, names } = watch();
    const answered = start("answered", { headers: 30, idle: 80 });
    start("open", { headers: 30, idle: 0 }).answered();
    answered.answered();
    pass(60);
    expect(names()).toEqual([]);
    pass(100);
    expect(names()).toEqual(["answered idle"]);
  });

  it("may be stopped by whom another one tells", () => {
    const start = createDeadlines();
    const told: string[] = [];
    const second = start({ ...none, total: 30 }, { expired: () => told.push("second") });
    const first = start(
      { ...none, total: 30 },
      {
        expired() {
          told.push("first");
          second.stop();
        },
      },
    );
    pass(100);
    first.stop();
    expect(told).toEqual(["first"]);
  });
});
