// Run by wrangler before it bundles (wrangler.toml, [build]): compiles configuration and texts into
// plain JSON, so that nothing that reads YAML reaches the edge. Secrets stay behind.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isAfterwordError } from "../../errors.ts";
import { toCompiled } from "./compiled.ts";
import { loadForWorker } from "./load-config.ts";
import { writePages } from "./write-pages.ts";

const root = join(import.meta.dirname, "../../..");
const out = process.env["AFTERWORD_WORKER_OUT"] || join(root, "dist/worker/compiled.json");
const file = process.env["AFTERWORD_CONFIG"] || join(root, "config/examples/edge.yaml");

try {
  const { config, secrets } = await loadForWorker(file, process.env);
  const manifest: { readonly version: string } = JSON.parse(
    await readFile(join(root, "package.json"), "utf8"),
  );
  await mkdir(dirname(out), { recursive: true });
  await writeFile(out, JSON.stringify(toCompiled(config, manifest.version)));
  await writePages(join(dirname(out), "pages"), manifest.version);
  const needed = ["AFTERWORD_ROUTE_KEYS", ...secrets].join(", ");
  process.stdout.write(`${file} compiled; secrets that the worker needs: ${needed}\n`);
} catch (error) {
  if (!isAfterwordError(error)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
