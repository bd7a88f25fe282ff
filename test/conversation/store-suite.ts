import { createHash, randomUUID } from "node:crypto";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  type ConversationMemory,
  type ConversationStore,
  memoryLifetime,
  emptyMemory,
} from "../../src/conversation/memory.ts";

/** A store under test, and the test's direct access to it. */
export interface StoreBed {
  readonly store: ConversationStore;
  /** Advances the time of everything that is stored by this many milliseconds. */
  pass(milliseconds: number): void | Promise<void>;
  close(): void | Promise<void>;
  /** For stores that keep texts. */
  readonly stored?: {
    /** Writes a text under a conversation's key. */
    write(key: string, text: string): void | Promise<void>;
    /** How many stored texts were unreadable. */
    damaged(): number;
  };
}

export interface SuiteOptions {
  readonly name: string;
  open(limit: number): StoreBed | Promise<StoreBed>;
  /** False if something else limits the number of conversations. */
  readonly limited: boolean;
  /** False if they are stored as objects. */
  readonly texts: boolean;
}

/** A key as the gateway makes them. */
export function keyOf(text: string = randomUUID()): string {
  return createHash("sha256").update(text).digest("hex");
}

export const french: ConversationMemory = { ...emptyMemory, lang: "fr" };

const minute = 60_000;

/** Tests that apply to every store of conversations. */
export function describeConversationStore({ name, open, limited, texts }: SuiteOptions): void {
  const bed: OpenBed = async (limit = 100) => {
    const opened = await open(limit);
    onTestFinished(() => opened.close());
    return opened;
  };

  describe(`conversations in ${name}`, () => {
    if (limited) describeLimit(bed);
    if (texts) describeTexts(bed);

    it("come back as they were put, each under its own key", async () => {
      const { store } = await bed();
      const [one, other] = [keyOf(), keyOf()];
      const full: ConversationMemory = {
        lang: "zh-Hant",
        env: "production",
        userType: "3",
        source: "whatsapp-bot",
        variables: {
          name: 'Zoë "Z" \u2028 \u0000 \ud83d\ude00 O\'Neill',
          __proto__x: "",
          toString: "x",
        },
        shown: [
          ["Sorry, nothing found.", "لا شيء"],
          ["", "<b>…</b>"],
        ],
      };
      await store.put(one, full);
      await store.put(other, french);
      expect(await store.get(one)).toEqual(full);
      expect(await store.get(other)).toEqual(french);
    });

    it("are unknown until they are put", async () => {
      const { store } = await bed();
      expect(await store.get(keyOf())).toBeNull();
    });

    it("are replaced whole", async () => {
      const { store } = await bed();
      const key = keyOf();
      await store.put(key, { ...french, variables: { name: "Ada" } });
      await store.put(key, { ...emptyMemory, lang: "de" });
      expect(await store.get(key)).toEqual({ ...emptyMemory, lang: "de" });
    });

    it("live half an hour after the last write", async () => {
      const { store, pass } = await bed();
      const key = keyOf();
      await store.put(key, emptyMemory);
      await pass(20 * minute);
      await store.put(key, french);
      await pass(memoryLifetime - minute);
      expect(await store.get(key)).toEqual(french);
    });

    it("live half an hour after the last read", async () => {
      const { store, pass } = await bed();
      const key = keyOf();
      await store.put(key, french);
      for (let turn = 0; turn < 4; turn++) {
        await pass(memoryLifetime - 2000);
        expect(await store.get(key)).toEqual(french);
      }
    });

    it("live half an hour after a read that came soon after another", async () => {
      const { store, pass } = await bed();
      const key = keyOf();
      await store.put(key, french);
      await pass(50_000);
      expect(await store.get(key)).toEqual(french);
      await pass(memoryLifetime - 2000);
      expect(await store.get(key)).toEqual(french);
    });

    it("are forgotten after half an hour, and a minute at most, without a call", async () => {
      const { store, pass } = await bed();
      const key = keyOf();
      await store.put(key, french);
      await pass(10 * minute);
      expect(await store.get(key)).toEqual(french);
      await pass(memoryLifetime + minute);
      expect(await store.get(key)).toBeNull();
      expect(await store.get(key)).toBeNull();
    });

    it("may be asked for many at once", async () => {
      const { store } = await bed(1000);
      const keys = Array.from({ length: 200 }, () => keyOf());
      await Promise.all(
        keys.map(async (key, i) => await store.put(key, { ...emptyMemory, lang: `x-${i}` })),
      );
      const found = await Promise.all(keys.map(async (key) => await store.get(key)));
      expect(found.map((memory) => memory?.lang)).toEqual(keys.map((_, i) => `x-${i}`));
    });
  });
}

type OpenBed = (limit?: number) => Promise<StoreBed>;

function describeLimit(bed: OpenBed): void {
  it("are limited in number; the one unused for longest is removed first", async () => {
    const { store, pass } = await bed(3);
    const [a, b, c, d, e] = [keyOf(), keyOf(), keyOf(), keyOf(), keyOf()];
    for (const key of [a, b, c]) {
      await store.put(key, french);
      await pass(2 * minute);
    }
    await store.get(a);
    await pass(2 * minute);
    await store.put(d, french);
    const left = async (): Promise<boolean[]> =>
      await Promise.all([a, b, c, d, e].map(async (key) => (await store.get(key)) !== null));
    expect(await left()).toEqual([true, false, true, true, false]);
    await pass(2 * minute);
    for (const key of [a, d, c]) await store.put(key, emptyMemory);
    await pass(2 * minute);
    await store.put(e, french);
    expect((await left()).filter(Boolean)).toHaveLength(3);
    expect(await store.get(e)).toEqual(french);
  });

  it("make room by removing the expired before any other", async () => {
    const { store, pass } = await bed(3);
    const [old, older, young, newest] = [keyOf(), keyOf(), keyOf(), keyOf()];
    await store.put(older, french);
    await store.put(old, french);
    await pass(20 * minute);
    await store.put(young, french);
    await pass(15 * minute);
    await store.put(newest, french);
    expect(await store.get(young)).toEqual(french);
    expect(await store.get(newest)).toEqual(french);
  });
}

function describeTexts(bed: OpenBed): void {
  it.each([
    ["nothing", ""],
    ["no JSON", '{"v":1,"lang":'],
    ["another kind of JSON", "[]"],
    ["a version to come", '{"v":2,"lang":"fr"}'],
    ["a value of the wrong kind", JSON.stringify({ v: 1, ...french, lang: 7 })],
    ["a variable of the wrong kind", JSON.stringify({ v: 1, ...french, variables: { a: null } })],
  ])("that hold %s are a miss, counted, and can be put again", async (_, text) => {
    const { store, stored } = await bed();
    const key = keyOf();
    await store.put(key, french);
    await stored?.write(key, text);
    expect(await store.get(key)).toBeNull();
    expect(stored?.damaged()).toBe(1);
    await store.put(key, french);
    expect(await store.get(key)).toEqual(french);
    expect(stored?.damaged()).toBe(1);
  });

  it("that are too large lose the oldest of what was shown, nothing else", async () => {
    const { store } = await bed();
    const key = keyOf();
    const shown = Array.from({ length: 200 }, (_, i) => [`said ${i}`, "x".repeat(4000)] as const);
    await store.put(key, { ...french, variables: { name: "Ada" }, shown });
    const found = await store.get(key);
    expect(found).toMatchObject({ lang: "fr", variables: { name: "Ada" } });
    expect(found?.shown.length).toBeGreaterThan(30);
    expect(found?.shown).toEqual(shown.slice(-(found?.shown.length ?? 0)));
  });

  it("that are too large without that reject, and keep what was there", async () => {
    const { store } = await bed();
    const key = keyOf();
    await store.put(key, french);
    const huge = { ...emptyMemory, lang: "x".repeat(300_000) };
    await expect((async () => await store.put(key, huge))()).rejects.toThrow(RangeError);
    expect(await store.get(key)).toEqual(french);
  });
}
