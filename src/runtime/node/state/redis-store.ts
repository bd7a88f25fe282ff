import { memoryLifetime } from "../../../conversation/memory.ts";
import { checkSeal } from "../../../escalation/stores/seal-check.ts";
import { type Sealing, unsealed } from "../../../escalation/stores/sealing.ts";
import { createStoredEscalations } from "../../../escalation/stores/stored.ts";
import { isAfterwordError } from "../../../errors.ts";
import { readRedisAddress } from "../../../config/schema/redis-address.ts";
import { createStoredConversations } from "./conversations.ts";
import { toOutage, keepRedisConnection, type RedisClient } from "./redis-connection.ts";
import { createRedisRows, createScriptRunner } from "./redis-rows.ts";
import type { StoreHealth } from "./store-health.ts";
import type { Damaged, StateStore } from "./state-store.ts";

export interface RedisStoreOptions {
  /** `redis://…` or `rediss://…` */
  readonly address: string;
  /** @param name the address without user and password */
  readonly health: (name: string) => StoreHealth;
  /** Called for every stored entry that cannot be read, which counts as missing. */
  readonly damaged: Damaged;
  /** Encrypts stored texts. Default: no encryption. */
  readonly sealing?: Sealing;
}

/** The beginning of every key of a conversation. */
export const redisPrefix = "afterword:conversation:";

/** Checks a key with an entry beside the conversations, so it needs no further rights. */
const sealMark = `${redisPrefix}seal`;

/**
 * Conversations and escalations in Redis 6.2 or newer, for gateways on several machines. Opens
 * whether or not the server can be reached, after the first attempt; where it can't, the key is
 * held against what is stored before the first use.
 *
 * @throws AfterwordError `config-invalid` for an address that is none, or where the key does not
 *   fit to what is stored
 */
export async function openRedisStore(options: RedisStoreOptions): Promise<StateStore> {
  const { sealing = unsealed, damaged } = options;
  const address = readRedisAddress(options.address);
  const health = options.health(address.name);
  const connection = keepRedisConnection({ address, health });
  const checked = shareRun(() =>
    checkSeal(
      {
        read: () => connection.use((client) => client.getEx(sealMark, { type: "PERSIST" })),
        write: async (text) => void (await connection.use((client) => client.set(sealMark, text))),
      },
      sealing,
      { where: address.name, hasKeys: sealing !== unsealed },
    ),
  );
  await connection.tried;
  try {
    await checked();
  } catch (error) {
    if (isAfterwordError(error)) {
      await connection.close();
      throw error;
    }
  }
  const expiry = { type: "PX", value: memoryLifetime } as const;

  return {
    ...createStoredConversations({
      texts: {
        get: (key) => use((client) => client.getEx(redisPrefix + key, expiry)),
        put: async (key, text) =>
          void (await use((client) => client.set(redisPrefix + key, text, { expiration: expiry }))),
      },
      sealing,
      damaged,
    }),
    escalations: createStoredEscalations({
      rows: createRedisRows(createScriptRunner(use)),
      sealing,
      damaged: () => damaged("escalation"),
    }),
    close: () => connection.close(),
  };

  async function use<Value>(work: (client: RedisClient) => Promise<Value>): Promise<Value> {
    try {
      await checked();
      return await connection.use(work);
    } catch (error) {
      if (!isAfterwordError(error)) throw toOutage(error, address.name);
      health.failed(error.message);
      throw error;
    }
  }
}

/** Records that it was done. Until then, concurrent callers share an attempt. */
function shareRun(work: () => Promise<void>): () => Promise<void> {
  let doing: Promise<void> | null = null;
  return () => {
    doing ??= work().catch((error: unknown) => {
      doing = null;
      throw error;
    });
    return doing;
  };
}
