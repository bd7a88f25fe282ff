import { describe, expect, it } from "vitest";
import { Admission, type Place } from "../../../src/gateway/exchange/admission.ts";

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

async function taken(entering: Promise<Place | null>): Promise<Place> {
  return (await entering) ?? expect.fail("no place");
}

describe("admission", () => {
  it("always has room for authentication", async () => {
    const admission = new Admission(limits(100, 0), undefined, never);
    for (let i = 0; i < 68; i++) await taken(admission.enter(false, null));
    expect(await admission.enter(false, null)).toBeNull();
    for (let i = 0; i < 32; i++) await taken(admission.enter(true, null));
    expect(await admission.enter(true, null)).toBeNull();
  });

  it("lets the queue in, in order, as requests end", async () => {
    const admission = new Admission(limits(2, 2), undefined, never);
    const first = await taken(admission.enter(false, null));
    const second = admission.enter(false, null);
    const third = admission.enter(false, null);
    expect(admission.queued).toBe(2);
    expect(await admission.enter(false, null)).toBeNull();
    first.leave();
    const place = await second;
    expect(place).not.toBeNull();
    expect(admission.queued).toBe(1);
    place?.leave();
    expect(await third).not.toBeNull();
  });

  it("refuses a request that waited too long as busy", async () => {
    const timers: (() => void)[] = [];
    const admission = new Admission(limits(2, 2), undefined, (_milliseconds, callback) => {
      timers.push(callback);
      return () => {};
    });
    await taken(admission.enter(false, null));
    const waiting = admission.enter(false, null);
    timers[0]?.();
    expect(await waiting).toBeNull();
    expect(admission.queued).toBe(0);
  });

  it("counts streams by themselves, frees the request's permit when one begins, and counts an end once", async () => {
    const admission = new Admission(limits(2, 0, 1), undefined, never);
    const a = await taken(admission.enter(true, null));
    const b = await taken(admission.enter(true, null));
    expect(a.becomeStream()).toBe(true);
    expect(a.becomeStream()).toBe(true);
    expect(b.becomeStream()).toBe(false);
    expect([admission.inFlight, admission.streams]).toEqual([1, 1]);
    a.leave();
    a.leave();
    b.leave();
    expect([admission.inFlight, admission.streams]).toEqual([0, 0]);
  });

  it("gives a client its share of the requests and of the queue, and no more", async () => {
    let refused = 0;
    const admission = new Admission(limits(6, 4, 1, 2), () => refused++, never);
    const first = await taken(admission.enter(false, "a"));
    const second = await taken(admission.enter(true, "a"));
    expect(await admission.enter(false, "a")).toBeNull();
    expect(await admission.enter(true, "a")).toBeNull();
    expect(refused).toBe(2);
    await taken(admission.enter(false, "b"));
    const queued = [admission.enter(false, "b"), admission.enter(false, "b")];
    expect(await queued[1]).toBeNull();
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
    const admission = new Admission(limits(2, 2, 2, 1), undefined, (_milliseconds, callback) => {
      timers.push(callback);
      return () => {};
    });
    await taken(admission.enter(false, null));
    const waiting = admission.enter(false, "a");
    expect(await admission.enter(false, "a")).toBeNull();
    timers[0]?.();
    expect(await waiting).toBeNull();
    void admission.enter(false, "a");
    expect(admission.queued).toBe(1);
  });
});
