import {
  env,
  evictDurableObject,
  listDurableObjectIds,
  runDurableObjectAlarm,
  runInDurableObject,
} from "cloudflare:test";
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { EscalationRecord } from "../../../../src/escalation/stores/record.ts";
import { unsealed } from "../../../../src/escalation/stores/sealing.ts";
import { createStoredEscalations } from "../../../../src/escalation/stores/stored.ts";
import type { EscalationStore } from "../../../../src/escalation/stores/store.ts";
import { createObjectStore } from "../../../../src/runtime/worker/conversation-store.ts";
import {
  createObjectRows,
  toEventObject,
  objectsIn,
  openObject,
} from "../../../../src/runtime/worker/object-rows.ts";
import { maxPointers } from "../../../../src/runtime/worker/object-tables.ts";
import type { ObjectState } from "../../../../src/runtime/worker/platform.ts";
import { french, keyOf as conversationKey } from "../../../conversation/store-suite.ts";
import { bot, intent, record, talking, waiting } from "../../../escalation/suites/records.ts";
import { describeEscalationStore } from "../../../escalation/suites/store.ts";

const namespace = env.AFTERWORD_CONVERSATIONS;
/** Later than now, so that no alarm disturbs the suite. */
const now = (): number => Date.now() + 3_600_000;

describeEscalationStore({
  name: "Durable Objects",
  wakes: true,
  async open() {
    await within(openObject, ({ storage }) => storage.sql.exec("DROP TABLE IF EXISTS pointers"));
    const keys = new Set<string>();
    let damages = 0;
    const store = openStore(() => (damages += 1));
    return {
      store: {
        ...store,
        put(one) {
          keys.add(one.key);
          return store.put(one);
        },
        async sweep(before) {
          const swept = await Promise.all(
            Array.from(keys, (key) =>
              runInDurableObject(stubOf(key), (object) =>
                Reflect.apply(Reflect.get(object, "sweep"), object, [before]),
              ),
            ),
          );
          return swept.filter(Boolean).length;
        },
      },
      other: openStore(() => {}),
      now,
      pass: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
      close() {},
      stored: {
        read: async (key) => (await stubOf(key).record(null))?.value ?? "",
        write: (key, text) =>
          within(key, ({ storage }) => {
            storage.sql.exec("UPDATE escalation SET value = ?", text);
          }),
        damaged: () => damages,
      },
    };
  },
});

describe("the Durable Object of a conversation that is handed over", () => {
  it("holds the conversation's memory beside the escalation record", async () => {
    const before = (await listDurableObjectIds(namespace)).length;
    const key = conversationKey();
    await createObjectStore(namespace, () => {}).put(key, french);
    await put(record({ key }));
    expect(await listDurableObjectIds(namespace)).toHaveLength(before + 1);
    expect(await createObjectStore(namespace, () => {}).get(key)).toEqual(french);
  });

  it("has its record after an eviction, and is found by its event id", async () => {
    const written = await put(record({ eventId: randomUUID(), phase: waiting }));
    await evictDurableObject(stubOf(written.key));
    const store = openStore(() => {});
    expect(await store.get(written.key)).toEqual(written);
    expect(await store.findByEventId(written.eventId)).toEqual(written);
    expect(await store.put({ ...written, revision: 0 })).toBeNull();
  });

  it("keeps a claim through an eviction", async () => {
    const { key } = await put(record());
    const rows = openStore(() => {});
    expect(await rows.claim(`attend:${key}`, "a", 60_000)).toBe(true);
    await evictDurableObject(stubOf(key));
    expect(await rows.claim(`attend:${key}`, "b", 60_000)).toBe(false);
  });

  it("sets its alarm to the time when the record wakes, and moves it with that time", async () => {
    const wake = Date.now() + 7_200_000;
    const written = await put(record({ wake, phase: talking }));
    expect(await alarmOf(written.key)).toBe(wake);
    await put({ ...written, wake: wake - 3_600_000 });
    expect(await alarmOf(written.key)).toBe(wake - 3_600_000);
  });

  it("retries a ticket when its alarm rings, and sets the next alarm if that fails", async () => {
    const planned = { ...intent("planned"), result: "", next: Date.now() - 1, first: Date.now() };
    const written = await put(
      record({ epoch: 1, intents: [planned], wake: Date.now() + 60_000, updated: Date.now() }),
    );
    await within(written.key, ({ storage }) => {
      storage.sql.exec("UPDATE escalation SET wake = ?", Date.now() - 1);
    });
    await evictDurableObject(stubOf(written.key));
    expect(await runDurableObjectAlarm(stubOf(written.key))).toBe(true);
    const after = await openStore(() => {}).get(written.key);
    expect(after?.revision).toBeGreaterThan(written.revision);
    expect(after?.intents[0]).toMatchObject({ state: "planned", attempts: 2 });
    expect(after?.intents[0]?.next).toBeGreaterThan(Date.now());
    expect(await alarmOf(written.key)).toBe(after?.wake);
  });

  it("deletes its storage and its pointers when its record is too old and no reader waits", async () => {
    const written = await put(
      record({ eventId: randomUUID(), phase: bot, intents: [intent("unknown")] }),
    );
    const event = await digest(written.eventId);
    expect(await stubOf(toEventObject(event)).pointers(9)).toEqual([written.key]);
    expect(await stubOf(openObject).pointers(999)).toContain(written.key);
    await within(written.key, ({ storage }) => {
      storage.sql.exec("UPDATE escalation SET updated = -3153600000000");
    });
    await runDurableObjectAlarm(stubOf(written.key));
    expect(await tablesOf(written.key)).not.toContain("escalation");
    expect(await alarmOf(written.key)).toBeNull();
    expect(await stubOf(toEventObject(event)).pointers(9)).toEqual([]);
    expect(await stubOf(openObject).pointers(999)).not.toContain(written.key);
    await runDurableObjectAlarm(stubOf(toEventObject(event)));
    expect(await tablesOf(toEventObject(event))).not.toContain("pointers");
  });

  it("deletes the memory when that expires, and keeps the record", async () => {
    const key = conversationKey();
    const memories = createObjectStore(namespace, () => {});
    await put(record({ key, phase: talking, wake: Date.now() + 7_200_000 }));
    await memories.put(key, french);
    expect(await alarmOf(key)).toBeLessThan(Date.now() + 3_600_000);
    await within(key, ({ storage }) => {
      storage.sql.exec("UPDATE conversation SET expires = 1");
    });
    await runDurableObjectAlarm(stubOf(key));
    const left = await within(key, ({ storage }) => [
      ...storage.sql.exec("SELECT * FROM conversation"),
    ]);
    expect(left).toEqual([]);
    expect((await openStore(() => {}).get(key))?.phase).toEqual(talking);
  });

  it("stores nothing when it is only read", async () => {
    const [key, event] = [randomUUID(), randomUUID()];
    const store = openStore(() => {});
    expect(await store.get(key)).toBeNull();
    expect(await store.findByEventId(event)).toBeNull();
    expect(await tablesOf(key)).not.toContain("escalation");
    expect(await tablesOf(toEventObject(await digest(event)))).not.toContain("pointers");
  });
});

describe("the list of open escalations", () => {
  it("drops its oldest entry when it is full", async () => {
    const list = stubOf("a list of its own");
    await within("a list of its own", ({ storage }) => {
      storage.sql.exec("CREATE TABLE pointers (key TEXT PRIMARY KEY, updated INTEGER NOT NULL)");
      storage.sql.exec(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${maxPointers})
         INSERT INTO pointers SELECT 'key ' || i, i FROM n`,
      );
    });
    await list.point("the latest", maxPointers + 1);
    const found = await list.pointers(maxPointers + 9);
    expect(found).toHaveLength(maxPointers);
    expect(found[0]).toBe("the latest");
    expect(found).not.toContain("key 1");
  });
});

function openStore(damaged: () => void): EscalationStore {
  return createStoredEscalations({
    rows: createObjectRows(objectsIn(namespace)),
    sealing: unsealed,
    damaged,
  });
}

async function put(one: EscalationRecord): Promise<EscalationRecord> {
  return (await openStore(() => {}).put(one)) ?? expect.fail("somebody else wrote");
}

function stubOf(name: string) {
  return namespace.get(namespace.idFromName(name));
}

function within<Value>(
  name: string,
  work: (state: ObjectState) => Value | Promise<Value>,
): Promise<Value> {
  return runInDurableObject(stubOf(name), (_: object, state: ObjectState) => work(state));
}

function tablesOf(name: string): Promise<readonly unknown[]> {
  return within(name, ({ storage }) =>
    Array.from(storage.sql.exec("SELECT name FROM sqlite_master"), (row) => row["name"]),
  );
}

async function alarmOf(name: string): Promise<number | null> {
  return within(name, ({ storage }) => storage.getAlarm());
}

async function digest(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
