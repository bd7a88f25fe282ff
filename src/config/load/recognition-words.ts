import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import type { WordsByLanguage } from "../../locales/recognition.ts";
import { freezeDeep } from "../json.ts";
import { findPackageRoot } from "./package-root.ts";

/** Beside this module when it is built: `npm run build` writes it, so that no start parses YAML. */
const built = new URL("./recognition.json", import.meta.url);

let shipped: WordsByLanguage | null = null;

/**
 * Loads the words that readers type in each language, as locales/recognition of this package has
 * them.
 */
export function loadShippedWords(): WordsByLanguage {
  // Cached, because every reload needs this megabyte and it does not change while the process runs.
  shipped ??= freezeDeep(readShipped());
  return shipped;
}

function readShipped(): WordsByLanguage {
  try {
    return JSON.parse(readFileSync(built, "utf8"));
  } catch {
    return readYamlFiles(join(findPackageRoot(), "locales", "recognition"));
  }
}

/** Reads a directory with a file for each language. */
export function readYamlFiles<T>(directory: string): Readonly<Record<string, T>> {
  const files = readdirSync(directory).filter((name) => name.endsWith(".yaml"));
  return Object.fromEntries(
    files.map((name): [string, T] => [
      name.slice(0, -".yaml".length),
      parse(readFileSync(join(directory, name), "utf8")),
    ]),
  );
}
