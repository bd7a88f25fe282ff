import type { Config } from "../../config/config.ts";
import { withoutEscalation, withoutLate } from "./escalation/split-tables.ts";
import { type PackedTables, packTables, unpackTables } from "./packed-tables.ts";

/** A configuration as the bundle carries it: no secret, no path of the machine that built it. */
export interface BundledConfig {
  readonly config: Omit<Config, "tableSets">;
  readonly tables: PackedTables;
}

/** Whether any instance hands conversations over: otherwise nothing of it is in the bundle. */
export function handsOver({ instances }: Pick<Config, "instances">): boolean {
  return instances.some(({ escalation }) => escalation.mode !== "off");
}

export function bundleConfig({ tableSets, ...config }: Config): BundledConfig {
  return {
    config: {
      ...config,
      data: "",
      sources: [],
      listen: { ...config.listen, tls: null },
      backend: { ...config.backend, content: "", database: "" },
      // Conversations are kept in Durable Objects; the address of a store may hold a password.
      state: { store: "memory", retention: config.state.retention },
    },
    tables: packTables(tableSets.map(handsOver(config) ? withoutLate : withoutEscalation)),
  };
}

export function unbundleConfig({ config, tables }: BundledConfig): Config {
  return { ...config, tableSets: unpackTables(tables) };
}
