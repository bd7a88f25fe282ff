import { join } from "node:path";
import type { TsdownPlugin } from "tsdown";
import { readYamlFiles } from "../src/config/load/recognition-words.ts";
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { AfterwordError } from "../src/errors.ts";
import { checkPlaceholders, checkPlurals } from "../src/config/load/check-lines.ts";
import { createReporter, diagnosticsAsText } from "../src/yaml/diagnostic.ts";
import { createFallbackChains } from "../src/config/compile/tables.ts";
import { MessagesLoader } from "../src/config/load/load-messages.ts";
import { nameChains, type PreparedTables } from "../src/config/load/prepared-tables.ts";

/** Writes the compiled shipped tables where src/config/load/prepared-tables.ts looks for them. */
export function shippedTables(directory: string): TsdownPlugin {
  return {
    name: "shipped-tables",
    async generateBundle() {
      const source = JSON.stringify(await prepareTables(directory));
      this.emitFile({ type: "asset", fileName: "config/load/tables.json", source });
      const words = JSON.stringify(readYamlFiles(join(directory, "recognition")));
      this.emitFile({ type: "asset", fileName: "config/load/recognition.json", source: words });
      for (const [language, read] of Object.entries(readYamlFiles(join(directory, "matching")))) {
        const fileName = `config/load/matching/${language}.json`;
        this.emitFile({ type: "asset", fileName, source: JSON.stringify(read) });
      }
    },
  };
}

/**
 * Reads a directory of shipped tables for
 * {@link import("../src/config/load/prepared-tables.ts").readPreparedTables}.
 *
 * @throws AfterwordError `config-invalid` when there is anything to report of them, or one has
 *   texts for single channels
 */
export async function prepareTables(directory: string): Promise<PreparedTables> {
  const reporter = createReporter();
  const loader = new MessagesLoader(reporter, null);
  const layer = loader.load(directory, "shipped", null);
  for (const { file, channels } of layer.values()) {
    checkPlaceholders(file, new Set(), reporter);
    checkPlurals(file, reporter);
    if (channels.size > 0) refuse(`${file.yaml.source.file} has texts for single channels`);
  }
  const found = reporter.diagnostics();
  if (found.length > 0) refuse(diagnosticsAsText(found).trimEnd());
  const files = [...layer.values()].map((compiled) => {
    const { file, digest } = compiled;
    const lines = Object.fromEntries(compiled.linesFor("", "html"));
    const content = hash("sha256", readFileSync(file.yaml.source.file));
    return [content, { locale: file.locale, digest, lines }] as const;
  });
  const locales = [...layer.keys()].sort();
  const chains = await createFallbackChains(locales, {}, "en");
  return {
    files: Object.fromEntries(files),
    chains: { [nameChains(locales, {}, "en")]: [...chains] },
  };
}

function refuse(why: string): never {
  throw new AfterwordError("config-invalid", `the shipped tables cannot be prepared: ${why}`);
}
