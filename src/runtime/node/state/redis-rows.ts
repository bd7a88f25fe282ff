import type { EscalationRows, Row } from "../../../escalation/stores/rows.ts";
import type { RedisClient } from "./redis-connection.ts";
import { redisScripts } from "./redis-scripts.ts";

/** What every key of an escalation begins with. */
export const escalationPrefix = "afterword:escalation:";

export type RunScript = (
  name: keyof typeof redisScripts,
  ...values: readonly (string | number)[]
) => Promise<unknown>;

/** Runs scripts by their text: Redis keeps what it has compiled. */
export function scriptRunner(
  use: <Value>(work: (client: RedisClient) => Promise<Value>) => Promise<Value>,
): RunScript {
  return (name, ...values) =>
    use((client) =>
      client.eval(redisScripts[name], { arguments: [escalationPrefix, ...values.map(String)] }),
    );
}

/** Escalation rows in Redis. */
export function createRedisRows(run: RunScript): EscalationRows {
  return {
    get: async (key) => rowsOf(await run("get", key))[0] ?? null,
    byEvent: async (event) => rowsOf(await run("byEvent", event))[0] ?? null,
    async put({ key, revision, value, event, wake, open, pending, updated }, expected) {
      const found = [event, wake ?? "", Number(open), Number(pending), updated];
      return Number(await run("put", key, expected, revision, value, ...found)) === 1;
    },
    async delete(key) {
      await run("delete", key);
    },
    due: async (now, limit, lease) => rowsOf(await run("due", now, limit, lease)),
    open: async (limit) => (limit < 1 ? [] : rowsOf(await run("open", limit))),
    async sweep(before) {
      let swept = 0;
      for (;;) {
        const some = Number(await run("sweep", before));
        swept += some;
        // In several steps: each holds up everybody else.
        if (some === 0) return swept;
      }
    },
    claim: async (name, by, lease) => Number(await run("claim", name, by, lease)) === 1,
    async release(name, by) {
      await run("release", name, by);
    },
  };
}

/** Key, revision and text of each, one after the other. */
function rowsOf(answer: unknown): readonly Row[] {
  const parts: readonly unknown[] = Array.isArray(answer) ? answer : [];
  return Array.from({ length: Math.floor(parts.length / 3) }, (_, i) => ({
    key: String(parts[i * 3]),
    revision: Number(parts[i * 3 + 1]),
    value: String(parts[i * 3 + 2]),
  }));
}
