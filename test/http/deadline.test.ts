import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Deadline } from "../../src/http/deadline.ts";
import type { Timeouts } from "../../src/http/types.ts";

const none = { headers: 0, total: 0, idle: 0 };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (milliseconds: number): void => void vi.advanceTimersByTime(milliseconds);

function started(limits: Partial<typeof none>, expired: (name: keyof Timeouts) => void): Deadline {
  return new Deadline({ ...none, ...limits }, expired);
}

/** Starts deadlines that write down when, and by which limit, they passed. */
function watch() {
  const passed: { readonly who: string; readonly name: keyof Timeouts; readonly after: number }[] =
    [];
  return {
    passed,
    names: () => passed.map(({ who, name }) => `${who} ${name}`),
    start(who: string, limits: Partial<typeof none>) {
      const began = performance.now();
      return started(limits, (name) =>
        passed.push({ who, name, after: performance.now() - began }),
      );
    },
  };
}

describe("deadlines", () => {
  it("expire each at its own time, once, in any order of their start", () => {
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

  it("do not expire when they are stopped, at any position", () => {
    const { start, names } = watch();
    const three = ["first", "middle", "last"].map((who) => start(who, { total: 40 }));
    start("stays", { total: 60 });
    for (const place of [1, 0, 2]) three[place]?.stop();
    three[1]?.stop();
    pass(150);
    expect(names()).toEqual(["stays total"]);
  });

  it("are extended by activity and by a pause, and never beyond the whole", () => {
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

  it("may be stopped when another one passes", () => {
    const passed: string[] = [];
    const second = started({ total: 30 }, () => passed.push("second"));
    const first = started({ total: 29 }, () => {
      passed.push("first");
      second.stop();
    });
    pass(100);
    first.stop();
    expect(passed).toEqual(["first"]);
  });

  it("leave no timer behind when they are stopped", () => {
    const deadline = started({ headers: 30, total: 60 }, () => undefined);
    deadline.pause();
    deadline.stop();
    deadline.resume();
    deadline.touch();
    deadline.answered();
    expect(vi.getTimerCount()).toBe(0);
  });
});
