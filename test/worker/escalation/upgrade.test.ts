import { env, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { unsealed } from "../../../src/escalation/stores/sealing.ts";
import { createStoredEscalations } from "../../../src/escalation/stores/stored.ts";
import { createObjectStore } from "../../../src/runtime/worker/conversation-store.ts";
import { createObjectRows, objectsIn } from "../../../src/runtime/worker/escalation/object-rows.ts";
import type { ObjectState } from "../../../src/runtime/worker/platform.ts";
import kept from "../../fixtures/upgrade-788c09d/conversations.json" with { type: "json" };
import objects from "../../fixtures/upgrade-788c09d/stores/objects.json" with { type: "json" };

const namespace = env.AFTERWORD_CONVERSATIONS;
const conversations: Readonly<
  Record<string, { readonly key: string; readonly events: string | null }>
> = kept.conversations;
const all: readonly ObjectRows[] = objects;
const { now } = Date;

interface ObjectRows {
  readonly name: string;
  readonly schema: readonly string[];
  readonly rows: Readonly<
    Record<string, readonly Readonly<Record<string, string | number | null>>[]>
  >;
  readonly alarm: number | null;
}

beforeAll(async () => {
  Date.now = () => kept.killed + 1000;
  for (const { name, schema, rows, alarm } of all) {
    await within(name, async ({ storage }) => {
      for (const statement of schema) storage.sql.exec(statement);
      for (const [table, found] of Object.entries(rows)) {
        for (const row of found) {
          const columns = Object.keys(row);
          const marks = columns.map(() => "?").join(", ");
          storage.sql.exec(
            `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${marks})`,
            ...Object.values(row),
          );
        }
      }
      if (alarm !== null) await storage.setAlarm(now() + 3_600_000);
    });
  }
});
afterAll(() => {
  Date.now = now;
});

describe("objects that 788c09d has written", () => {
  let damages = 0;
  const store = createStoredEscalations({
    rows: createObjectRows(objectsIn(namespace)),
    sealing: unsealed,
    damaged: () => (damages += 1),
  });

  it("are read: every record, by its conversation and by its reader's stream", async () => {
    for (const { key, events } of Object.values(conversations)) {
      const record = await store.get(key);
      expect(record?.key).toBe(key);
      if (events === null) continue;
      expect(await store.byEventId(events.split("/").at(-2) ?? "")).toEqual(record);
    }
    expect(damages).toBe(0);
  });

  it("are listed where something is under way", async () => {
    const open = (await store.open(1000)).map(({ key }) => key);
    expect(open).toContain(conversations["ticket-sent"]?.key);
    expect(open).toContain(conversations["chat-talking"]?.key);
    expect(open).not.toContain(conversations["ticket-made"]?.key);
  });

  it("know how their conversation began", async () => {
    const memories = createObjectStore(namespace, () => (damages += 1));
    const name = all.find(
      ({ rows }) => "conversation" in rows && JSON.stringify(rows).includes('\\"lang\\":\\"es\\"'),
    )?.name;
    expect(await memories.get(name ?? "")).toMatchObject({ lang: "es" });
    expect(damages).toBe(0);
  });

  it("are written on, and their alarm comes again while something is under way", async () => {
    const key = conversations["ticket-sent"]?.key ?? "";
    const record = await store.get(key);
    if (record === null) throw new Error("no record");
    const written = await store.put({ ...record, wake: kept.killed - 1 });
    expect(written?.revision).toBe(record.revision + 1);
    await runDurableObjectAlarm(namespace.get(namespace.idFromName(key)));
    expect((await store.get(key))?.intents).toEqual(record.intents);
    expect(await within(key, ({ storage }) => storage.getAlarm())).not.toBeNull();
  });
});

function within<Value>(
  name: string,
  work: (state: ObjectState) => Value | Promise<Value>,
): Promise<Value> {
  const stub = namespace.get(namespace.idFromName(name));
  return runInDurableObject(stub, (_: object, state: ObjectState) => work(state));
}
