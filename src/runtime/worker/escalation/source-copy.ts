import { cp, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Config } from "../../../config/config.ts";
import { unusedParts } from "./unused-parts.ts";

/**
 * Copies the sources of a worker that hands over, without readers' words, which are fetched, and
 * without what the configuration has no use for. Runs at build time.
 */
export async function copySource(
  source: string,
  copy: string,
  config: Pick<Config, "instances">,
): Promise<void> {
  await cp(source, copy, {
    recursive: true,
    filter: (path) => !elsewhere.has(relative(source, path)),
  });
  for (const { file, source: instead } of [...fetchedParts, ...unusedParts(config)]) {
    await writeFile(join(copy, file), instead);
  }
}

/** Parts that no worker reaches. */
const elsewhere: ReadonlySet<string> = new Set([
  "backend",
  "cli",
  "testing",
  "runtime/node",
  "runtime/bun",
]);

const known = "../runtime/worker/escalation/known-words.ts";
const fetchedParts = [
  {
    file: "escalation/spoken-patterns.ts",
    source: `export { patternsIn } from ${JSON.stringify(known)};\n`,
  },
  {
    file: "locales/polar-meanings.ts",
    source: `export { meaningsIn } from ${JSON.stringify(known)};\n`,
  },
];
