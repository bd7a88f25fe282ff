import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { languageOf } from "../../locales/tag.ts";
import type { LanguageWords } from "../../matching/types.ts";
import { findPackageRoot } from "./package-root.ts";

/** Written by `npm run build`, so that no start parses YAML. */
const built = new URL("./matching/", import.meta.url);

const known = new Map<string, LanguageWords | null>();

/**
 * Loads the words of a language for the matching, from this package's `locales/matching`; null for a
 * language without a file. Each file is read once, on first use.
 */
export function loadMatchingWords(language: string): LanguageWords | null {
  const base = languageOf(language);
  const before = known.get(base);
  if (before !== undefined || !/^[a-z]{2,8}$/.test(base)) return before ?? null;
  const words = readBuilt(base) ?? readYaml(base);
  known.set(base, words);
  return words;
}

function readBuilt(language: string): LanguageWords | null {
  const text = textOf(new URL(`${language}.json`, built));
  return text === null ? null : JSON.parse(text);
}

function readYaml(language: string): LanguageWords | null {
  const text = textOf(join(findPackageRoot(), "locales", "matching", `${language}.yaml`));
  return text === null ? null : parse(text);
}

function textOf(file: string | URL): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}
