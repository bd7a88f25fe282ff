import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { FLAG_FACTS, type Flag } from "../../direct-answers/flags.ts";
import { languageOf } from "../../locales/tag.ts";
import { findPackageRoot } from "./package-root.ts";

type EngineTexts = { readonly [flag in Flag]?: string };

const known = new Map<string, EngineTexts>();

/**
 * Loads the lines of the engine's unedited default content in a language, as config/backend/texts
 * of this package has them. Returns an empty object for a language without a file.
 */
export function loadEngineTexts(language: string): EngineTexts {
  const base = languageOf(language);
  const before = known.get(base);
  if (before !== undefined) return before;
  const texts = base === "en" ? readSpecified() : readTexts(base);
  known.set(base, texts);
  return texts;
}

/** The English texts, which the specification quotes (seed.md, 8.2). */
function readSpecified(): EngineTexts {
  return Object.fromEntries(FLAG_FACTS.map(({ name, text }) => [name, text]));
}

function readTexts(language: string): EngineTexts {
  if (!/^[a-z]{2,8}$/.test(language)) return {};
  try {
    const file = join(findPackageRoot(), "config", "backend", "texts", `${language}.yaml`);
    return parse(readFileSync(file, "utf8"));
  } catch {
    return {};
  }
}
