// Run by wrangler before it bundles (wrangler.toml, [build]): compiles configuration and texts into
// plain data, so that nothing that reads YAML reaches the edge. Secrets stay behind.
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import type { Config } from "../../config/config.ts";
import { isAfterwordError } from "../../errors.ts";
import { handsOver } from "./bundle.ts";
import { compileForWorker } from "./compile-config.ts";
import { languageFiles, wordsInScript } from "./escalation/language-file.ts";
import { copySource } from "./escalation/source-copy.ts";
import { writeLines } from "./escalation/write-lines.ts";

const root = join(import.meta.dirname, "../../..");
const out = resolve(root, process.env["AFTERWORD_WORKER_OUT"] || "dist/worker");
const file = process.env["AFTERWORD_CONFIG"] || join(root, "config/examples/edge.yaml");

try {
  const { bundled, config, secrets } = await compileForWorker(file, process.env);
  const manifest: unknown = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const version =
    typeof manifest === "object" && manifest !== null
      ? String(Reflect.get(manifest, "version"))
      : "";
  await mkdir(out, { recursive: true });
  // A text module: what a bundler makes of JSON is escaped to ASCII, and larger by a tenth even
  // when compressed.
  await writeFile(join(out, "config.txt"), JSON.stringify(bundled));
  const files = handsOver(config) ? languageFiles(config) : new Map<string, never>();
  const folder = await writeLines(join(out, "lines"), files);
  const lines = [folder, [...files.keys()], wordsInScript(config)];
  await writeFile(join(out, "main.js"), entry(version, config, lines));
  await rm(join(out, "src"), { recursive: true, force: true });
  if (handsOver(config)) await copySource(join(root, "src"), join(out, "src"), config);
  const needed = ["AFTERWORD_ROUTE_KEYS", ...secrets].join(", ");
  process.stdout.write(`${file} compiled; secrets that the worker needs: ${needed}\n`);
} catch (error) {
  if (!isAfterwordError(error)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

/**
 * What only some configurations need is brought in by name, so that other bundles do not carry it.
 */
function entry(version: string, config: Config, lines: readonly unknown[]): string {
  const { callers } = config;
  const here = handsOver(config) ? "./src/runtime/worker" : relative(out, import.meta.dirname);
  const jwt = callers.some((caller) => caller.jwt !== null) ? "loadJwtCheck" : "";
  const imports = [
    ...(callers.length === 0
      ? []
      : [`import { withCallers } from "${here}/../../gateway/callers/create-callers.ts";`]),
    ...(jwt === ""
      ? []
      : [`import { loadJwtCheck } from "${here}/../../gateway/callers/load-jwt-check.ts";`]),
  ];
  const given = [callers.length === 0 ? "undefined" : `withCallers(${jwt})`];
  if (handsOver(config)) {
    given.push("edgeEscalations(lines)");
    imports.push(
      `import { edgeEscalations } from "${here}/escalation/edge-escalations.ts";`,
      `import { conversationClass } from "${here}/escalation/conversation-class.ts";`,
      `import { createFetchedLines } from "${here}/escalation/fetched-lines.ts";`,
    );
  }
  const parts = `() => JSON.parse(bundled), ${JSON.stringify(version)}`;
  return [
    `import { createWorker } from "${here}/worker.ts";`,
    'import bundled from "./config.txt";',
    ...imports,
    "",
    ...(handsOver(config)
      ? [
          `const lines = createFetchedLines(${lines.map((part) => JSON.stringify(part)).join(", ")});`,
          `export const Conversation = conversationClass(${parts}, lines);`,
        ]
      : [`export { Conversation } from "${here}/conversation-object.ts";`]),
    `export default createWorker(${[parts, ...given].join(", ")});`,
    "",
  ].join("\n");
}
