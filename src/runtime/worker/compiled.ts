import type { Config } from "../../config/config.ts";
import { type CompiledTables, compileTables, readTables } from "./compiled-tables.ts";

/** The build's configuration and texts: JSON without secrets or the build machine's paths. */
export interface Compiled {
  /** Of Afterword. */
  readonly version: string;
  readonly config: Omit<Config, "tableSets">;
  readonly tables: CompiledTables;
}

/** For the build. */
export function toCompiled({ tableSets, ...config }: Config, version: string): Compiled {
  return {
    version,
    config: {
      ...config,
      data: "",
      sources: [],
      listen: { ...config.listen, tls: null },
      backend: { ...config.backend, content: "", database: "" },
      // Conversations are kept in Durable Objects; the address of a store may hold a password.
      state: { store: "memory", retention: config.state.retention },
    },
    tables: compileTables(tableSets),
  };
}

export function fromCompiled({ config, tables }: Pick<Compiled, "config" | "tables">): Config {
  return { ...config, tableSets: readTables(tables) };
}
