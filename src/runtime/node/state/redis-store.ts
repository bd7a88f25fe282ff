import { memoryLifetime } from "../../../conversation/memory.ts";
import { decodeMemory, encodeMemory } from "../../../conversation/stored-memory.ts";
import { readRedisAddress } from "./redis-address.ts";
import { keepRedisConnection } from "./redis-connection.ts";
import type { Standing } from "./standing.ts";
import type { StateStore } from "./state-store.ts";

export interface RedisStoreOptions {
  /** `redis://…` or `rediss://…` */
  readonly address: string;
  /** @param name the address without user and password */
  readonly standing: (name: string) => Standing;
  /** Told of every stored conversation that cannot be read; its reader gets null. */
  readonly damaged: () => void;
}

/** What every key begins with. */
export const redisPrefix = "afterword:conversation:";

/**
 * Conversations in Redis 6.2 or newer, for gateways on several machines. Needs GETEX, SET and PING, and SELECT for a
 * database other than 0. Opens whether or not the server can be reached, after the first attempt.
 *
 * @throws AfterwordError `config-invalid` for an address that is none
 */
export async function openRedisStore(options: RedisStoreOptions): Promise<StateStore> {
  const address = readRedisAddress(options.address);
  const connection = keepRedisConnection({ address, standing: options.standing(address.name) });
  await connection.tried;
  const expiry = { type: "PX", value: memoryLifetime } as const;

  return {
    async get(key) {
      const text = await connection.use((client) => client.getEx(redisPrefix + key, expiry));
      if (text === null) return null;
      const memory = decodeMemory(text);
      if (memory === null) options.damaged();
      return memory;
    },
    async put(key, memory) {
      const text = encodeMemory(memory);
      await connection.use((client) => client.set(redisPrefix + key, text, { expiration: expiry }));
    },
    close: () => connection.close(),
  };
}
