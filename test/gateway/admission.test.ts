import { describe, expect, it } from "vitest";
import { createAdmission, type Ticket } from "../../src/gateway/admission.ts";

const limits =
  (inFlight: number, queue: number, streams = 2) =>
  () => ({
    transformBytes: 1,
    requestBytes: 1,
    inFlight,
    queue,
    streams,
  });
const never = (): (() => void) => () => {};

function taken(value: Ticket | null | Promise<Ticket | null>): Ticket {
  if (value === null || value instanceof Promise) throw new Error("no ticket at once");
  return value;
}

describe("admission", () => {
  it("keeps places free for authentication", () => {
    const admission = createAdmission(limits(100, 0), never);
    for (let i = 0; i < 68; i++) taken(admission.enter(false));
    expect(admission.enter(false)).toBeNull();
    for (let i = 0; i < 32; i++) taken(admission.enter(true));
    expect(admission.enter(true)).toBeNull();
  });

  it("lets the queue in, in order, as places become free", async () => {
    const admission = createAdmission(limits(2, 2), never);
    const first = taken(admission.enter(false));
    const second = admission.enter(false);
    const third = admission.enter(false);
    expect(admission.queued).toBe(2);
    expect(admission.enter(false)).toBeNull();
    first.leave();
    const ticket = await second;
    expect(ticket).not.toBeNull();
    expect(admission.queued).toBe(1);
    ticket?.leave();
    expect(await third).not.toBeNull();
  });

  it("tells who waited too long that there is no place", async () => {
    const timers: (() => void)[] = [];
    const admission = createAdmission(limits(2, 2), (_milliseconds, callback) => {
      timers.push(callback);
      return () => {};
    });
    taken(admission.enter(false));
    const waiting = admission.enter(false);
    timers[0]?.();
    expect(await waiting).toBeNull();
    expect(admission.queued).toBe(0);
  });

  it("counts streams apart, frees the place they came from, and counts a leaving once", () => {
    const admission = createAdmission(limits(2, 0, 1), never);
    const a = taken(admission.enter(true));
    const b = taken(admission.enter(true));
    expect(a.becomeStream()).toBe(true);
    expect(a.becomeStream()).toBe(true);
    expect(b.becomeStream()).toBe(false);
    expect([admission.inFlight, admission.streams]).toEqual([1, 1]);
    a.leave();
    a.leave();
    b.leave();
    expect([admission.inFlight, admission.streams]).toEqual([0, 0]);
  });
});
