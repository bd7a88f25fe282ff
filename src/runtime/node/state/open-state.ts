import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Config } from "../../../config/config.ts";
import { readStateKeys } from "../../../config/schema/state-keys.ts";
import { createMemoryStore } from "../../../conversation/memory.ts";
import { createMemoryEscalations } from "../../../escalation/stores/memory.ts";
import { startRetention } from "../../../escalation/stores/retention.ts";
import { createSealing, type Sealing, unsealed } from "../../../escalation/stores/sealing.ts";
import { AfterwordError } from "../../../errors.ts";
import type { Logger } from "../../../gateway/exchange/platform.ts";
import { createStoreHealth } from "./store-health.ts";
import type { Damaged, StateStore } from "./state-store.ts";

export interface StateOptions {
  readonly config: Pick<Config, "data" | "state">;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly log: Logger;
  /** Called for every stored entry that cannot be read. */
  readonly damaged: Damaged;
}

/**
 * Opens the store that `state.store` names: `memory`, `file` (state.db in the data directory) or the
 * address of a Redis server. Only the code of this store is loaded. From then on, escalations older
 * than `state.retention` are deleted regularly.
 *
 * @throws AfterwordError `data-directory-unusable`, `config-invalid`
 */
export async function openState(options: StateOptions): Promise<StateStore> {
  const { config, now } = options;
  const store = await openStore(options);
  const { retention } = config.state;
  const removal = startRetention({ store: store.escalations, retention, now, by: randomUUID() });
  return {
    ...store,
    close() {
      removal.stop();
      return store.close();
    },
  };
}

async function openStore({ config, now, log, damaged }: StateOptions): Promise<StateStore> {
  const { store } = config.state;
  if (store === "memory") {
    const escalations = createMemoryEscalations({ now });
    return { ...createMemoryStore(now), escalations, close: async () => undefined };
  }
  const sealing = await createSealingFrom(config.state.key);
  if (store === "file") {
    const { openFileStore } = await import("./file-store.ts");
    const file = join(config.data, "state.db");
    return openFileStore({ file, now, damaged, sealing, health: createStoreHealth(log, file) });
  }
  const { openRedisStore } = await import("./redis-store.ts");
  const health = (name: string) => createStoreHealth(log, name);
  return openRedisStore({ address: store, damaged, sealing, health });
}

async function createSealingFrom(written: string | undefined): Promise<Sealing> {
  if (written === undefined) return unsealed;
  const keys = readStateKeys(written);
  if (keys === null) {
    throw new AfterwordError("config-invalid", "state.key is not made of keys of 32 bytes");
  }
  return createSealing(keys);
}
