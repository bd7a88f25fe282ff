import { randomUUID } from "node:crypto";
import { describe, expect, it, onTestFinished } from "vitest";
import type { EscalationRecord } from "../../../src/escalation/stores/record.ts";
import type { EscalationStore } from "../../../src/escalation/stores/store.ts";
import { bot, fullRecord, intent, keyOf, record, talking, waiting } from "./records.ts";

/** A store under test, and functions with which the test changes its content. */
export interface EscalationBed {
  readonly store: EscalationStore;
  /** Another store with the same records, as another process would have; null if there is none. */
  readonly other: EscalationStore | null;
  /** The clock that the store uses. */
  now(): number;
  /** Advances the clock. */
  pass(milliseconds: number): void | Promise<void>;
  close(): void | Promise<void>;
  /** For stores that keep text. */
  readonly stored: {
    read(key: string): Promise<string>;
    /** Replaces a stored text. */
    write(key: string, text: string): void | Promise<void>;
    /** How many stored texts the store has reported as unreadable. */
    damaged(): number;
  } | null;
}

export interface EscalationSuite {
  readonly name: string;
  /** True if the store wakes records itself, so that `due` returns none. */
  readonly wakes?: true;
  open(): EscalationBed | Promise<EscalationBed>;
}

/** The tests that every store of escalations has to pass. */
export function describeEscalationStore({ name, open, wakes }: EscalationSuite): void {
  const bed = async (): Promise<EscalationBed> => {
    const opened = await open();
    onTestFinished(() => opened.close());
    return opened;
  };

  describe(`escalations in ${name}`, () => {
    it("come back as they were put, by key and by event id", async () => {
      const { store, other } = await bed();
      const full = fullRecord();
      expect(await store.get(full.key)).toBeNull();
      expect(await store.findByEventId(full.eventId)).toBeNull();
      const written = await store.put(full);
      expect(written).toEqual({ ...full, revision: 1 });
      for (const reading of [store, other ?? store]) {
        expect(await reading.get(full.key)).toEqual(written);
        expect(await reading.findByEventId(full.eventId)).toEqual(written);
      }
      expect(await store.get(keyOf())).toBeNull();
      expect(await store.findByEventId(randomUUID())).toBeNull();
      expect(await store.findByEventId("")).toBeNull();
    });

    it("are written only if unchanged since they were read", async () => {
      const { store } = await bed();
      const first = await put(store, record());
      expect(await store.put({ ...first, revision: 0 })).toBeNull();
      expect(await store.put({ ...first, revision: 7 })).toBeNull();
      expect(await store.put({ ...record(), revision: 1 })).toBeNull();
      const second = await put(store, { ...first, locale: "de" });
      expect(second.revision).toBe(2);
      expect(await store.put(first)).toBeNull();
      expect(await store.get(first.key)).toEqual(second);
    });

    it("are written by one of a hundred at once, round after round", async () => {
      const { store, other } = await bed();
      const { key } = record();
      const first = record({ key });
      let written: EscalationRecord | null = null;
      for (let round = 0; round < 4; round++) {
        const base: EscalationRecord = written ?? first;
        const tries = await Promise.all(
          Array.from({ length: 100 }, (_, i) =>
            (i % 2 === 0 ? store : (other ?? store)).put({ ...base, locale: `x-${round}-${i}` }),
          ),
        );
        const winners = tries.filter((one) => one !== null);
        expect(winners).toHaveLength(1);
        written = winners[0] ?? null;
        expect(await store.get(key)).toEqual(written);
      }
      expect(written?.revision).toBe(4);
    });

    it("are found by their last event id, and by no former one", async () => {
      const { store } = await bed();
      const first = await put(store, record({ eventId: randomUUID() }));
      const second = await put(store, { ...first, eventId: randomUUID() });
      expect(await store.findByEventId(first.eventId)).toBeNull();
      expect(await store.findByEventId(second.eventId)).toEqual(second);
      await put(store, { ...second, eventId: "" });
      expect(await store.findByEventId(second.eventId)).toBeNull();
    });

    it("are gone with everything that found them once they are deleted", async () => {
      const { store, now } = await bed();
      const one = await put(store, fullRecord({ wake: now() - 1 }));
      await store.delete(one.key);
      await store.delete(one.key);
      expect(await store.get(one.key)).toBeNull();
      expect(await store.findByEventId(one.eventId)).toBeNull();
      expect(keysOf(await store.leaseDue(now(), 100, 1000))).not.toContain(one.key);
      expect(keysOf(await store.listOpen(1000))).not.toContain(one.key);
      expect((await store.put(fullRecord({ key: one.key })))?.revision).toBe(1);
    });

    it("have keys and texts of any kind", async () => {
      const { store, now } = await bed();
      const hostile = [
        "__proto__",
        "constructor",
        "a'; DROP TABLE escalations; --",
        "key with \u0000 and \n and \ud83d\ude00 \u2028",
        "%s*?[a]:record:",
        "k".repeat(2000),
      ];
      for (const odd of hostile) {
        const key = `${odd}${randomUUID()}`;
        const line = { who: "reader", said: odd, at: 1 } as const;
        const written = await put(
          store,
          record({ key, eventId: odd + key, lines: [line], wake: now() - 1, phase: waiting }),
        );
        expect(await store.get(key)).toEqual(written);
        expect(await store.findByEventId(odd + key)).toEqual(written);
        expect(keysOf(await store.listOpen(1000))).toContain(key);
        if (wakes === undefined) {
          expect(keysOf(await store.leaseDue(now(), 1000, 60_000))).toContain(key);
        }
        expect(await store.claim(key, odd, 60_000)).toBe(true);
        expect(await store.claim(key, `${odd}!`, 60_000)).toBe(false);
        await store.release(key, odd);
        await store.delete(key);
        expect(await store.get(key)).toBeNull();
      }
    });

    it("lose their oldest lines when they are too large, and count them", async () => {
      const { store } = await bed();
      const lines = Array.from({ length: 300 }, (_, i) => ({
        who: "bot" as const,
        said: `${i} ${"x".repeat(4000)}`,
        at: i,
      }));
      const written = await put(store, record({ lines, dropped: 2 }));
      expect(written.lines.length).toBeGreaterThan(50);
      expect(written.lines).toEqual(lines.slice(-written.lines.length));
      expect(written.dropped).toBe(2 + 300 - written.lines.length);
      expect(await store.get(written.key)).toEqual(written);
    });

    it("reject when they are too large without lines, and stay as they were", async () => {
      const { store } = await bed();
      const first = await put(store, record());
      const huge = { ...first, locale: "x".repeat(600_000) };
      await expect((async () => await store.put(huge))()).rejects.toThrow(RangeError);
      expect(await store.get(first.key)).toEqual(first);
    });

    if (wakes === undefined) describeDue(bed);
    describeClaims(bed);
    describeListing(bed);
    describeDamage(bed, wakes === undefined);
  });
}

type OpenBed = () => Promise<EscalationBed>;

function describeDue(bed: OpenBed): void {
  it("are due when their time has come, the longest first, each for one process", async () => {
    const { store, other, now } = await bed();
    const at = now();
    const [never, later, second, first] = await Promise.all([
      put(store, record()),
      put(store, record({ wake: at + 60_000 })),
      put(store, record({ wake: at - 10 })),
      put(store, record({ wake: at - 20 })),
    ]);
    const found = await store.leaseDue(at, 1, 60_000);
    expect(found).toEqual([first]);
    expect(await (other ?? store).leaseDue(at, 100, 60_000)).toEqual([second]);
    expect(await store.leaseDue(at, 100, 60_000)).toEqual([]);
    expect(await store.leaseDue(at + 60_000, 0, 60_000)).toEqual([]);
    expect(keysOf(await store.leaseDue(at + 59_999, 100, 60_000))).not.toContain(later.key);
    expect(await store.get(never.key)).toEqual(never);
  });

  it("are due for another process when a lease is over, and not before", async () => {
    const { store, other, now, pass } = await bed();
    const one = await put(store, record({ wake: now() - 1 }));
    expect(await store.leaseDue(now(), 10, 3000)).toEqual([one]);
    expect(await (other ?? store).leaseDue(now(), 10, 3000)).toEqual([]);
    await expect
      .poll(async () => {
        await pass(100);
        return (other ?? store).leaseDue(now(), 10, 3000);
      })
      .toEqual([one]);
  });

  it("are due again at the time that a write says, whatever the lease", async () => {
    const { store, now } = await bed();
    const one = await put(store, record({ wake: now() - 5 }));
    await store.leaseDue(now(), 10, 3_600_000);
    const next = await put(store, { ...one, wake: now() - 1 });
    expect(await store.leaseDue(now(), 10, 3_600_000)).toEqual([next]);
    await put(store, { ...next, wake: null });
    expect(await store.leaseDue(now() + 7_200_000, 10, 1000)).toEqual([]);
  });

  it("are each given out once to many concurrent processes", async () => {
    const { store, other, now } = await bed();
    const wanted = await Promise.all(
      Array.from({ length: 30 }, (_, i) => put(store, record({ wake: now() - 1 - i }))),
    );
    const asked = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        (i % 2 === 0 ? store : (other ?? store)).leaseDue(now(), 3, 60_000),
      ),
    );
    const found = keysOf(asked.flat());
    expect(found).toHaveLength(30);
    expect(new Set(found)).toEqual(new Set(keysOf(wanted)));
  });
}

function describeClaims(bed: OpenBed): void {
  it("are claimed by one process, which may keep the claim, until it is released or over", async () => {
    const { store, other, pass } = await bed();
    const otherStore = other ?? store;
    const name = keyOf();
    expect(await store.claim(name, "a", 3000)).toBe(true);
    expect(await otherStore.claim(name, "b", 3000)).toBe(false);
    await otherStore.release(name, "b");
    expect(await otherStore.claim(name, "b", 3000)).toBe(false);
    expect(await store.claim(name, "a", 3000)).toBe(true);
    expect(await otherStore.claim(keyOf(), "b", 3000)).toBe(true);
    await expect
      .poll(async () => {
        await pass(100);
        return otherStore.claim(name, "b", 60_000);
      })
      .toBe(true);
    await otherStore.release(name, "b");
    expect(await store.claim(name, "a", 60_000)).toBe(true);
    await store.release(name, "a");
    await store.release(name, "a");
  });

  it("are claimed by one of many at once", async () => {
    const { store, other } = await bed();
    const name = keyOf();
    const tries = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        (i % 2 === 0 ? store : (other ?? store)).claim(name, `by ${i}`, 60_000),
      ),
    );
    expect(tries.filter(Boolean)).toHaveLength(1);
  });
}

function describeListing(bed: OpenBed): void {
  it("are listed while they are open, the latest first", async () => {
    const { store, now } = await bed();
    const at = now() + 1_000_000;
    const open = [
      record({ phase: talking, updated: at + 4 }),
      record({ intents: [intent("unknown")], updated: at + 3 }),
      record({ intents: [intent("done"), intent("sent")], updated: at + 2 }),
      record({ phase: { name: "offered", reason: "no-results", at }, updated: at + 1 }),
    ];
    const shut = [record({ updated: at + 5 }), record({ intents: [intent("done")] })];
    for (const one of [...open, ...shut]) await put(store, one);
    expect(keysOf(await store.listOpen(3))).toEqual(keysOf(open.slice(0, 3)));
    expect(keysOf(await store.listOpen(4))).toEqual(keysOf(open));
    expect(await store.listOpen(0)).toEqual([]);
    const first = await store.get(open[0]?.key ?? "");
    if (first === null) throw new Error("it is there");
    await put(store, { ...first, phase: { name: "bot", quietUntil: 0 } });
    expect(keysOf(await store.listOpen(100))).not.toContain(first.key);
  });

  it("are swept when they are old and no reader waits for them", async () => {
    const { store, now } = await bed();
    const at = now();
    const before = at - 1000;
    const old = { updated: before - 1, wake: at - 1 };
    const swept = [
      fullRecord({ ...old, phase: { name: "bot", quietUntil: 0 }, intents: [] }),
      record({ ...old, phase: { name: "offered", reason: "flag", at: 1 } }),
      record({ ...old, phase: { name: "identity", field: "email", tries: 1 } }),
      record({ ...old, intents: [intent("done"), intent("refused"), intent("unknown")] }),
    ];
    const kept = [
      record({ ...old, updated: before }),
      record({ ...old, phase: waiting }),
      record({ ...old, phase: talking }),
      record({ ...old, phase: { name: "reaching", step: 0, since: 1, why: "" } }),
      record({ ...old, intents: [intent("planned")] }),
      record({ ...old, intents: [intent("sent")] }),
    ];
    for (const one of [...swept, ...kept]) await put(store, one);
    expect(await store.sweep(before)).toBe(swept.length);
    expect(await store.sweep(before)).toBe(0);
    for (const { key } of kept) expect(await store.get(key)).not.toBeNull();
    for (const { key } of swept) expect(await store.get(key)).toBeNull();
    expect(await store.findByEventId(swept[0]?.eventId ?? "")).toBeNull();
    const rest = new Set(
      keysOf([...(await store.leaseDue(at, 100, 1000)), ...(await store.listOpen(100))]),
    );
    expect(swept.filter(({ key }) => rest.has(key))).toEqual([]);
  });

  it("are swept also when they are more than one step takes", async () => {
    const { store, now } = await bed();
    const old = { updated: now() - 10_000 };
    await Promise.all(Array.from({ length: 450 }, () => put(store, record(old))));
    expect(await store.sweep(now() - 5000)).toBe(450);
  });
}

function describeDamage(bed: OpenBed, dealsOut: boolean): void {
  it.each([
    ["nothing", () => ""],
    ["no JSON", (text: string) => text.slice(0, -3)],
    ["another kind of JSON", () => "[]"],
    ["a version to come", (text: string) => text.replace('"v":1', '"v":2')],
    ["another record", (text: string) => text.replace('"key":"', '"key":"x')],
    ["another revision", (text: string) => text.replace('"revision":1', '"revision":2')],
    ["an unknown phase", (text: string) => text.replace('"name":"bot"', '"name":"away"')],
    ["a line of the wrong kind", (text: string) => text.replace('"said":"', '"said":1,"was":"')],
  ])("that hold %s are as good as none, counted, and can be put again", async (_, damage) => {
    const { store, stored, now } = await bed();
    if (stored === null) return;
    const one = await put(store, fullRecord({ wake: now() - 2, phase: bot, intents: [] }));
    const sound = await put(store, record({ wake: now() - 1, phase: waiting }));
    await stored.write(one.key, damage(await stored.read(one.key)));
    expect(await store.get(one.key)).toBeNull();
    expect(await store.findByEventId(one.eventId)).toBeNull();
    expect(stored.damaged()).toBe(2);
    if (dealsOut) {
      expect(await store.leaseDue(now(), 1, 60_000)).toEqual([sound]);
      expect(stored.damaged()).toBe(3);
    }
    expect(await store.listOpen(10)).toEqual([sound]);
    expect(await store.put({ ...one, revision: 7 })).toBeNull();
    const again = await put(store, record({ key: one.key, eventId: one.eventId }));
    expect(again.revision).toBe(2);
    expect(await store.get(one.key)).toEqual(again);
    expect(await store.findByEventId(one.eventId)).toEqual(again);
  });
}

async function put(store: EscalationStore, one: EscalationRecord): Promise<EscalationRecord> {
  const written = await store.put(one);
  if (written === null) throw new Error("somebody else wrote");
  return written;
}

function keysOf(records: readonly EscalationRecord[]): readonly string[] {
  return records.map(({ key }) => key);
}
