import { describe, expect, it } from "vitest";
import { createAdmission, type Place } from "../../src/gateway/admission.ts";

const limits =
  (inFlight: number, queue: number, streams = 2, inFlightPerClient = inFlight) =>
  () => ({
    transformBytes: 1,
    requestBytes: 1,
    heldBytes: 1,
    inFlight,
    inFlightPerClient,
    queue,
    streams,
  });
const never = (): (() => void) => () => {};

function taken(value: Place | null | Promise<Place | null>): Place {
  if (value === null || value instanceof Promise) throw new Error("no ticket at once");
  return value;
}

describe("admission", () => {
  it("keeps places free for authentication", () => {
    const admission = createAdmission(limits(100, 0), never);
    for (let i = 0; i < 68; i++) taken(admission.enter(false, null));
    expect(admission.enter(false, null)).toBeNull();
    for (let i = 0; i < 32; i++) taken(admission.enter(true, null));
    expect(admission.enter(true, null)).toBeNull();
  });

  it("lets the queue in, in order, as places become free", async () => {
    const admission = createAdmission(limits(2, 2), never);
    const first = taken(admission.enter(false, null));
    const second = admission.enter(false, null);
    const third = admission.enter(false, null);
    expect(admission.queued).toBe(2);
    expect(admission.enter(false, null)).toBeNull();
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
    taken(admission.enter(false, null));
    const waiting = admission.enter(false, null);
    timers[0]?.();
    expect(await waiting).toBeNull();
    expect(admission.queued).toBe(0);
  });

  it("counts streams apart, frees the place they came from, and counts a leaving once", () => {
    const admission = createAdmission(limits(2, 0, 1), never);
    const a = taken(admission.enter(true, null));
    const b = taken(admission.enter(true, null));
    expect(a.becomeStream()).toBe(true);
    expect(a.becomeStream()).toBe(true);
    expect(b.becomeStream()).toBe(false);
    expect([admission.inFlight, admission.streams]).toEqual([1, 1]);
    a.leave();
    a.leave();
    b.leave();
    expect([admission.inFlight, admission.streams]).toEqual([0, 0]);
  });

  it("gives a client its share of the places and of the queue, and no more", async () => {
    let refused = 0;
    const admission = createAdmission(limits(6, 4, 1, 2), never, () => refused++);
    const first = taken(admission.enter(false, "a"));
    const second = taken(admission.enter(true, "a"));
    expect(admission.enter(false, "a")).toBeNull();
    expect(admission.enter(true, "a")).toBeNull();
    expect(refused).toBe(2);
    taken(admission.enter(false, "b"));
    const queued = [admission.enter(false, "b"), admission.enter(false, "b")];
    expect(queued[1]).toBeNull();
    for (let i = 0; i < 3; i++) void admission.enter(false, null);
    expect([admission.inFlight, admission.queued]).toEqual([3, 4]);
    first.leave();
    expect(await queued[0]).not.toBeNull();
    expect(second.becomeStream()).toBe(true);
    void admission.enter(false, "a");
    expect(refused).toBe(3);
  });

  it("gives a share back to a client that waited too long", async () => {
    const timers: (() => void)[] = [];
    const admission = createAdmission(limits(2, 2, 2, 1), (_milliseconds, callback) => {
      timers.push(callback);
      return () => {};
    });
    taken(admission.enter(false, null));
    const waiting = admission.enter(false, "a");
    expect(admission.enter(false, "a")).toBeNull();
    timers[0]?.();
    expect(await waiting).toBeNull();
    expect(admission.enter(false, "a")).toBeInstanceOf(Promise);
  });
});
