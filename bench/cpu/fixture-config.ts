import { fileURLToPath } from "node:url";
import type { Config } from "../../src/config/config.ts";
import { loadConfig } from "../../src/config/load/load.ts";

/** Loads the gateway's configuration for measurements without an upstream. */
export function loadFixtureConfig(): Promise<Config> {
  process.env["BENCH_UPSTREAM"] ??= "http://127.0.0.1:9";
  process.env["BENCH_DATA"] ??= "/nowhere";
  return loadConfig(fileURLToPath(new URL("../fixtures/afterword.yaml", import.meta.url)));
}
