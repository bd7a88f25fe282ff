// Run by wrangler before it bundles (wrangler.toml, [build]): compiles configuration and texts into plain data, so that nothing
// that reads YAML reaches the edge. Secrets stay behind.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../../config/config.ts";
import { loadConfig } from "../../config/load.ts";
import { isAfterwordError } from "../../errors.ts";

const root = join(import.meta.dirname, "../../..");
const out = join(root, "dist/worker");

try {
  const config = await loadConfig(
    process.env["AFTERWORD_CONFIG"] ?? join(root, "config/examples/edge.yaml"),
  );
  const manifest: unknown = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const version =
    typeof manifest === "object" && manifest !== null
      ? String(Reflect.get(manifest, "version"))
      : "";
  await mkdir(out, { recursive: true });
  await writeFile(join(out, "config.json"), JSON.stringify(withoutSecrets(config)));
  await writeFile(join(out, "main.js"), entry(version));
} catch (error) {
  if (!isAfterwordError(error)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

function withoutSecrets(config: Config): Config {
  return {
    ...config,
    data: "",
    callers: [],
    sources: [],
    backend: { ...config.backend, content: "", database: "" },
    instances: config.instances.map((instance) => ({ ...instance, credentials: null })),
  };
}

function entry(version: string): string {
  return [
    'import { createWorker } from "../../src/runtime/worker/worker.ts";',
    'import config from "./config.json";',
    "",
    `export default createWorker(config, ${JSON.stringify(version)});`,
    "",
  ].join("\n");
}
