import type { EscalationRows, Row } from "../../../escalation/stores/rows.ts";
import type { RedisClient } from "./redis-connection.ts";

/** The beginning of every key of an escalation. */
export const escalationPrefix = "afterword:escalation:";

export type RunScript = (
  name: keyof typeof redisScripts,
  ...values: readonly (string | number)[]
) => Promise<unknown>;

/** Runs scripts by their text: Redis keeps what it has compiled. */
export function createScriptRunner(
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
    findByEvent: async (event) => rowsOf(await run("findByEvent", event))[0] ?? null,
    async put({ key, revision, value, event, wake, open, pending, updated }, expected) {
      const found = [event, wake ?? "", Number(open), Number(pending), updated];
      return Number(await run("put", key, expected, revision, value, ...found)) === 1;
    },
    async delete(key) {
      await run("delete", key);
    },
    leaseDue: async (now, limit, lease) => rowsOf(await run("leaseDue", now, limit, lease)),
    listOpen: async (limit) => (limit < 1 ? [] : rowsOf(await run("listOpen", limit))),
    async sweep(before) {
      let swept = 0;
      for (;;) {
        const some = Number(await run("sweep", before));
        swept += some;
        // Deletes in several steps, because each step blocks all other clients.
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

/**
 * The scripts for escalation records in Redis, each one atomic step, so that a record and what it
 * is found by never disagree. `ARGV[1]` is always the prefix of all keys:
 *
 * - `record:<key>`, a hash: `r` revision, `v` text, `e` digest of the event id
 * - `event:<digest>`: the key of the record
 * - `wake`, `open`, `idle`: sorted sets of keys, by time of waking (or the end of a lease) and of
 *   the last write
 * - `claim:<name>`: who holds it
 *
 * For one server, not for a cluster: keys are found out within the scripts.
 */
const redisScripts = {
  /** prefix, key → revision and text, or nothing */
  get: `
    local row = redis.call('HMGET', ARGV[1] .. 'record:' .. ARGV[2], 'r', 'v')
    if not row[1] then return {} end
    return { ARGV[2], row[1], row[2] or '' }`,

  /** prefix, digest of an event id → key, revision and text, or nothing */
  findByEvent: `
    local key = redis.call('GET', ARGV[1] .. 'event:' .. ARGV[2])
    if not key then return {} end
    local row = redis.call('HMGET', ARGV[1] .. 'record:' .. key, 'r', 'v')
    if not row[1] then return {} end
    return { key, row[1], row[2] or '' }`,

  /**
   * prefix, key, expected revision, revision, text, event, wake, open, pending, updated → 1 when
   * written
   */
  put: `
    local p, key, event = ARGV[1], ARGV[2], ARGV[6]
    local record = p .. 'record:' .. key
    local former = redis.call('HMGET', record, 'r', 'e')
    if (former[1] or '0') ~= ARGV[3] then return 0 end
    if former[2] and former[2] ~= '' and former[2] ~= event
      and redis.call('GET', p .. 'event:' .. former[2]) == key then
      redis.call('DEL', p .. 'event:' .. former[2])
    end
    redis.call('HSET', record, 'r', ARGV[4], 'v', ARGV[5], 'e', event)
    if event ~= '' then redis.call('SET', p .. 'event:' .. event, key) end
    local function listed(name, score)
      if score == '' then redis.call('ZREM', p .. name, key)
      else redis.call('ZADD', p .. name, score, key) end
    end
    listed('wake', ARGV[7])
    listed('open', ARGV[8] == '1' and ARGV[10] or '')
    listed('idle', ARGV[9] == '1' and '' or ARGV[10])
    return 1`,

  /** prefix, key */
  delete: `
    local p, key = ARGV[1], ARGV[2]
    local event = redis.call('HGET', p .. 'record:' .. key, 'e')
    if event and event ~= '' and redis.call('GET', p .. 'event:' .. event) == key then
      redis.call('DEL', p .. 'event:' .. event)
    end
    redis.call('DEL', p .. 'record:' .. key)
    for _, name in ipairs({ 'wake', 'open', 'idle' }) do redis.call('ZREM', p .. name, key) end
    return 0`,

  /**
   * prefix, now, limit, lease → key, revision and text of each. A lease puts the time of waking
   * off, by the server's clock: that of a node which is wrong must not keep the others from a
   * record. What has no record any more leaves the list.
   */
  leaseDue: `
    local p = ARGV[1]
    local clock = redis.call('TIME')
    local ends = clock[1] * 1000 + math.floor(clock[2] / 1000) + ARGV[4]
    local found = {}
    for _, key in ipairs(redis.call('ZRANGEBYSCORE', p .. 'wake', '-inf', ARGV[2], 'LIMIT', 0, ARGV[3])) do
      local row = redis.pcall('HMGET', p .. 'record:' .. key, 'r', 'v')
      if row.err or row[1] then
        redis.call('ZADD', p .. 'wake', string.format('%.0f', ends), key)
        for _, part in ipairs({ key, row[1] or '0', row[2] or '' }) do table.insert(found, part) end
      else
        redis.call('ZREM', p .. 'wake', key)
      end
    end
    return found`,

  /** prefix, limit → key, revision and text of each */
  listOpen: `
    local p = ARGV[1]
    local found = {}
    for _, key in ipairs(redis.call('ZREVRANGE', p .. 'open', 0, ARGV[2] - 1)) do
      local row = redis.pcall('HMGET', p .. 'record:' .. key, 'r', 'v')
      if row.err or row[1] then
        for _, part in ipairs({ key, row[1] or '0', row[2] or '' }) do table.insert(found, part) end
      end
    end
    return found`,

  /** prefix, before → how many were deleted, some hundreds at most */
  sweep: `
    local p = ARGV[1]
    local old = redis.call('ZRANGEBYSCORE', p .. 'idle', '-inf', '(' .. ARGV[2], 'LIMIT', 0, 200)
    for _, key in ipairs(old) do
      local event = redis.pcall('HGET', p .. 'record:' .. key, 'e')
      if type(event) == 'string' and event ~= '' and redis.call('GET', p .. 'event:' .. event) == key then
        redis.call('DEL', p .. 'event:' .. event)
      end
      redis.call('DEL', p .. 'record:' .. key)
      for _, name in ipairs({ 'wake', 'open', 'idle' }) do redis.call('ZREM', p .. name, key) end
    end
    return #old`,

  /** prefix, name, by, lease → 1 when it is theirs */
  claim: `
    local claim = ARGV[1] .. 'claim:' .. ARGV[2]
    local holder = redis.call('GET', claim)
    if holder and holder ~= ARGV[3] then return 0 end
    redis.call('SET', claim, ARGV[3], 'PX', ARGV[4])
    return 1`,

  /** prefix, name, by */
  release: `
    local claim = ARGV[1] .. 'claim:' .. ARGV[2]
    if redis.call('GET', claim) == ARGV[3] then redis.call('DEL', claim) end
    return 0`,
} as const;
