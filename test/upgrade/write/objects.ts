import { registerHooks } from "node:module";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { compactWal, keysIn, type OldRecord, openOld } from "./records.ts";

/**
 * Puts the state into Durable Objects by the code of that version, over SQLite as workerd has it,
 * and writes their rows.
 */
export async function copyToObjects(
  checkout: string,
  from: string,
  to: string,
  now: number,
): Promise<void> {
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      specifier === "cloudflare:workers"
        ? { url: `data:text/javascript,${encodeURIComponent(cloudflare)}`, shortCircuit: true }
        : next(specifier, context),
  });
  const { escalatingConversation } = await import(
    join(checkout, "src", "runtime/worker/escalation/escalating-conversation.ts")
  );
  const { createObjectRows } = await import(
    join(checkout, "src", "runtime/worker/escalation/object-rows.ts")
  );
  const { createStoredEscalations } = await import(
    join(checkout, "src", "escalation/stores/stored.ts")
  );
  const { unsealed } = await import(join(checkout, "src", "escalation/stores/sealing.ts"));
  const { encodeMemory } = await import(join(checkout, "src", "conversation/stored-memory.ts"));
  hooks.deregister();

  const real = Date.now;
  Date.now = () => now;
  const objects = new Map<string, { readonly stub: Stub; readonly storage: Storage }>();
  const Conversation = escalatingConversation({
    retention: () => 30 * 86_400_000,
    round: async () => undefined,
  });
  const bindings = {
    AFTERWORD_CONVERSATIONS: {
      idFromName: (name: string) => name,
      get: (name: string) => stubOf(name),
    },
  };
  const stubOf = (name: string): Stub => {
    const known = objects.get(name);
    if (known !== undefined) return known.stub;
    const storage = createStorage();
    const stub: Stub = new Conversation(
      { storage, blockConcurrencyWhile: (work: () => unknown) => work() },
      bindings,
    );
    objects.set(name, { stub, storage });
    return stub;
  };
  const store = createStoredEscalations({
    rows: createObjectRows(stubOf),
    sealing: unsealed,
    damaged() {},
  });
  const source = await openOld(checkout, "file", from, now);
  const keys = keysIn(from);
  for (const key of keys.conversations) {
    const memory = await source.get(key);
    if (memory !== null) await stubOf(key).write(encodeMemory(memory));
  }
  for (const key of keys.escalations) {
    const record: OldRecord | null = await source.escalations.get(key);
    await store.put({ ...record, revision: 0 });
  }
  await source.close();
  compactWal(from);
  Date.now = real;
  const rows = Array.from(objects, ([name, { storage }]) => ({ name, ...storage.dump() }));
  await writeFile(to, `${JSON.stringify(rows, null, 1)}\n`);
}

interface Stub {
  write(text: string): Promise<void>;
}

const cloudflare = `export class DurableObject { constructor(ctx, env) { this.ctx = ctx; this.env = env; } }
export const waitUntil = () => undefined;`;

type Storage = ReturnType<typeof createStorage>;

/** As much of an object's storage as that version uses. */
function createStorage() {
  const database = new DatabaseSync(":memory:");
  let alarm: number | null = null;
  return {
    sql: {
      exec(query: string, ...values: SQLInputValue[]) {
        const statement = database.prepare(query);
        return /^\s*SELECT/iu.test(query)
          ? statement.all(...values)
          : (statement.run(...values), []);
      },
    },
    getAlarm: async () => alarm,
    setAlarm: async (time: number) => void (alarm = time),
    deleteAlarm: async () => void (alarm = null),
    deleteAll: async () => undefined,
    dump() {
      const made = database
        .prepare(
          "SELECT name, type, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type DESC, name",
        )
        .all();
      const tables = made.filter(({ type }) => type === "table").map(({ name }) => String(name));
      return {
        schema: made.map(({ sql }) => String(sql)),
        rows: Object.fromEntries(
          tables.map((name) => [
            name,
            database
              .prepare(`SELECT * FROM ${name}`)
              .all()
              .map((row) => ({ ...row })),
          ]),
        ),
        alarm,
      };
    },
  };
}
