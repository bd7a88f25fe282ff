import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { openStorage } from "../../../../src/backend/storage/open-storage.ts";
import type { StorageOptions } from "../../../../src/backend/storage/open-storage.ts";
import type { Session, Storage } from "../../../../src/backend/storage/types.ts";
import { STORAGE_LIMITS } from "../../../../src/backend/storage/types.ts";
import { event, hostile, toItem, session } from "./samples.ts";
import { anyText } from "../../../fixtures/runs.ts";

/** Tests conversations and events in a database. `newAddress` creates an empty one each time. */
export function conversationsIn(name: string, newAddress: () => Promise<string | null>): void {
  const limits = { ...STORAGE_LIMITS, sessions: 3, history: 4, events: 2 };

  async function open(options: StorageOptions = { limits }): Promise<Storage> {
    const storage = await openStorage(await newAddress(), options);
    onTestFinished(() => storage.close());
    return storage;
  }

  describe(`conversations in ${name}`, () => {
    test("come back until they expire", async () => {
      const { sessions } = await open();
      await sessions.create(session("a"));
      expect(await sessions.read("a", 999)).toStrictEqual(session("a"));
      expect(await sessions.read("a", 1000)).toBeNull();
      expect(await sessions.read("b", 0)).toBeNull();
    });

    test("keep what was written last, and the newest of what was said", async () => {
      const { sessions } = await open();
      await sessions.create(session("a"));
      await sessions.create(session("b"));
      const changed = { ...session("a", 5000), turns: 1, offered: [] };
      await sessions.write(changed, ["1", "2", "3"].map(toItem));
      await sessions.write(changed, ["4", "5", "6"].map(toItem));
      await sessions.write(changed, []);
      const { revision, ...kept } = (await sessions.read("a", 4999)) ?? session("none");
      expect({ ...kept, revision: "" }).toStrictEqual(changed);
      expect(revision).not.toBe("");
      expect(await sessions.history("a")).toStrictEqual(["3", "4", "5", "6"].map(toItem));
      expect(await sessions.history("b")).toStrictEqual([]);
    });

    test("keep the order of many things said at once", async () => {
      const { sessions } = await open({});
      await sessions.create(session("a"));
      const many = Array.from({ length: 120 }, (_, index) => toItem(String(index)));
      await sessions.write(session("a"), many);
      expect(await sessions.history("a")).toStrictEqual(many);
    });

    test("that were deleted stay deleted", async () => {
      const { sessions } = await open();
      await sessions.write(session("a"), [toItem("1")]);
      await sessions.write(session("a"), []);
      expect(await sessions.read("a", 0)).toBeNull();
      expect(await sessions.history("a")).toStrictEqual([]);
    });

    test("are replaced by one of several concurrent writers, and the others are refused", async () => {
      const { sessions } = await open();
      await sessions.create(session("a"));
      const read = async (): Promise<Session> => (await sessions.read("a", 0)) ?? session("none");
      const same = await read();
      const turn = (turns: number, from: Session): Promise<boolean> =>
        sessions.replace({ ...from, turns }, [toItem(String(turns))]);
      const first = await Promise.all([1, 2, 3].map((turns) => turn(turns, same)));
      expect(first.filter(Boolean)).toHaveLength(1);
      const winner = first.indexOf(true) + 1;
      expect(await sessions.read("a", 0)).toMatchObject({ turns: winner });
      expect(await sessions.history("a")).toStrictEqual([toItem(String(winner))]);

      expect(await turn(7, await read())).toBe(true);
      expect(await sessions.replace({ ...session("a"), turns: 8 }, [])).toBe(false);
      await sessions.write({ ...session("a"), turns: 9 }, []);
      expect(await sessions.read("a", 0)).toMatchObject({ turns: 9 });
      expect(await sessions.replace(session("b"), [toItem("1")])).toBe(false);
    });

    test("are extended when nothing about them changes", async () => {
      const { sessions } = await open();
      await sessions.create(session("a"));
      const before = await sessions.read("a", 0);
      await sessions.prolong("a", 5000);
      await sessions.prolong("b", 5000);
      expect(await sessions.read("a", 4999)).toStrictEqual({ ...before, expires: 5000 });
      expect(await sessions.replace({ ...session("a"), turns: 1 }, [])).toBe(true);
    });

    test("make room for a new one by removing the one that would expire first", async () => {
      const { sessions } = await open();
      for (const [index, key] of ["a", "b", "c"].entries()) {
        await sessions.create(session(key, 1000 + index));
      }
      await sessions.write(session("b", 1001), [toItem("1")]);
      await sessions.write(session("a", 2000), [toItem("1")]);
      await sessions.create(session("d", 2001));
      const kept = (): Promise<boolean[]> =>
        Promise.all(
          ["a", "b", "c", "d"].map(async (key) => (await sessions.read(key, 0)) !== null),
        );
      expect(await kept()).toStrictEqual([true, false, true, true]);
      await sessions.create(session("e", 2002));
      expect(await kept()).toStrictEqual([true, false, false, true]);
      expect(await sessions.history("b")).toStrictEqual([]);
    });

    test("make room by removing expired ones before any other", async () => {
      const { sessions } = await open();
      for (const [key, expires] of Object.entries({ a: 10, b: 20, c: 1000 })) {
        await sessions.create(session(key, expires));
      }
      await sessions.create(session("d"));
      await sessions.create(session("e"));
      const kept = await Promise.all(["c", "d", "e"].map((key) => sessions.read(key, 30)));
      expect(kept).not.toContain(null);
    });

    test("stay within the limit, also with many concurrent starts", async () => {
      const { sessions, database } = await open();
      await Promise.all(
        Array.from({ length: 40 }, (_, index) =>
          sessions.create(session(`${index}`, 1000 + index)),
        ),
      );
      const rows = await database.kysely.selectFrom("sessions").select("key").execute();
      expect(rows.length).toBeGreaterThan(0);
      expect(rows.length).toBeLessThanOrEqual(limits.sessions);
    });

    test("are deleted by the clock once they have expired, with their messages", async () => {
      let time = 0;
      const { sessions, database } = await open({ limits, now: () => time, sweepEvery: 10 });
      await sessions.create(session("old", 1000));
      await sessions.create(session("new", 3000));
      await sessions.write(session("old", 1000), [toItem("1")]);
      time = 2000;
      const left = async (): Promise<readonly string[]> =>
        (await database.kysely.selectFrom("sessions").select("key").execute()).map(
          ({ key }) => key,
        );
      await expect.poll(left).toStrictEqual(["new"]);
      expect(await sessions.history("old")).toStrictEqual([]);
    });

    test("hold whatever a reader types", async () => {
      const { sessions } = await open({});
      await sessions.create(session("a"));
      const variables = hostile.map((text, index) => [`v${index}`, text] as const);
      await sessions.write({ ...session("a"), variables }, hostile.map(toItem));
      expect((await sessions.read("a", 0))?.variables).toStrictEqual(variables);
      expect(await sessions.history("a")).toStrictEqual(hostile.map(toItem));
    });

    test("hold any text at all", async () => {
      const { sessions } = await open({});
      await sessions.create(session("a"));
      await fc.assert(
        fc.asyncProperty(anyText(), async (text) => {
          await sessions.write({ ...session("a"), language: text }, [toItem(text)]);
          expect((await sessions.read("a", 0))?.language).toBe(text);
          expect((await sessions.history("a")).at(-1)).toStrictEqual(toItem(text));
        }),
        { numRuns: 50 },
      );
    });

    test("with an impossible key are not found, and break nothing", async () => {
      const { sessions } = await open();
      for (const key of hostile) expect(await sessions.read(key, 0)).toBeNull();
    });

    test("in two engines keep the last write, and the history of both", async () => {
      const address = await newAddress();
      if (address === null) return;
      const [one, other] = await Promise.all([openStorage(address), openStorage(address)]);
      await one.sessions.create(session("a"));
      const speak = async ({ sessions }: Storage, engine: string): Promise<void> => {
        for (let turns = 0; turns < 20; turns++) {
          await sessions.write({ ...session("a"), turns }, [toItem(`${engine} ${turns}`)]);
        }
      };
      await Promise.all([speak(one, "one"), speak(other, "two")]);
      expect((await other.sessions.read("a", 0))?.turns).toBe(19);
      const messages = (await one.sessions.history("a")).map(({ message }) => message);
      for (const engine of ["one", "two"]) {
        const own = messages.filter((message) => message.startsWith(engine));
        expect(own).toStrictEqual(Array.from({ length: 20 }, (_, turns) => `${engine} ${turns}`));
      }
      await Promise.all([one.close(), other.close()]);
    });
  });

  describe(`events in ${name}`, () => {
    test("are the newest, in order", async () => {
      const { events } = await open();
      for (const at of [1, 2, 3]) await events.append(event(at));
      expect(await events.latest(10)).toStrictEqual([event(2), event(3)]);
      expect(await events.latest(1)).toStrictEqual([event(3)]);
      expect(await events.latest(0)).toStrictEqual([]);
    });

    test("take any type and any data, and lose no more than a text column can't hold", async () => {
      const { events } = await open({});
      for (const text of hostile) {
        const data = JSON.stringify({ text });
        await events.append({ ...event(1), type: text, data });
        const [last] = await events.latest(1);
        expect(last?.data).toBe(data);
        expect(last?.type).toBe(text.toWellFormed().replaceAll("\0", "\ufffd"));
      }
    });
  });
}
