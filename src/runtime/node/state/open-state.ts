import { join } from "node:path";
import type { Config } from "../../../config/config.ts";
import { createMemoryStore } from "../../../conversation/memory-store.ts";
import type { Logger } from "../../../gateway/platform.ts";
import { createStanding } from "./standing.ts";
import type { StateStore } from "./state-store.ts";

export interface StateOptions {
  readonly config: Pick<Config, "data" | "state">;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly log: Logger;
  /** Told of every stored conversation that cannot be read. */
  readonly damaged: () => void;
}

/**
 * Opens what `state.store` names: `memory`, `file` (state.db in the data directory) or a Redis address. Only what is chosen
 * is loaded.
 *
 * @throws AfterwordError `data-directory-unusable`, `config-invalid`
 */
export async function openState(options: StateOptions): Promise<StateStore> {
  const { config, now, log, damaged } = options;
  const { store } = config.state;
  if (store === "memory") return { ...createMemoryStore(now), close: async () => undefined };
  if (store === "file") {
    const { openFileStore } = await import("./file-store.ts");
    const file = join(config.data, "state.db");
    return openFileStore({ file, now, damaged, standing: createStanding(log, file) });
  }
  const { openRedisStore } = await import("./redis-store.ts");
  const standing = (name: string) => createStanding(log, name);
  return openRedisStore({ address: store, damaged, standing });
}
