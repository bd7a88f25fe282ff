import type { Config } from "../../config/config.ts";
import type { TableSet } from "../../locales/types.ts";
import { withReachableLines } from "./escalation/reachable-lines.ts";
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
  const carried = (set: TableSet, index: number): TableSet =>
    withReachableLines(
      set,
      config.instances.filter(({ tableSet }) => tableSet === index),
    );
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
    tables: packTables(tableSets.map(handsOver(config) ? carried : withoutEscalation)),
  };
}

export function unbundleConfig({ config, tables }: BundledConfig): Config {
  return { ...config, tableSets: unpackTables(tables) };
}

/** The same set without the lines that only escalation says. */
function withoutEscalation(set: TableSet): TableSet {
  const channels = Object.entries(set.channels).map(([channel, tables]) => {
    const kept = Object.entries(tables).map(([tag, { locale, lines }]) => {
      const said = Object.entries(lines).filter(([key]) => !key.startsWith("escalation."));
      return [tag, { locale, lines: Object.fromEntries(said) }] as const;
    });
    return [channel, Object.fromEntries(kept)] as const;
  });
  return { ...set, channels: Object.fromEntries(channels) };
}
