import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { toTextsDirectory } from "./read-directory.ts";
import { findDemoContent } from "../../config/load/embedded.ts";
import type { FileContent } from "../../config/edit/write-files.ts";
import { isYamlName } from "../../yaml/read-file.ts";

/** Lists the engine's texts of the package, with their paths in a content directory. */
export function listEngineTexts(directory: string): readonly FileContent[] {
  const shipped = toTextsDirectory(findDemoContent());
  const names = readdirSync(shipped).filter(isYamlName).toSorted();
  return names.map((name) => ({
    file: join(toTextsDirectory(directory), name),
    text: readFileSync(join(shipped, name), "utf8"),
  }));
}

/**
 * Lists the engine texts that a directory without English ones lacks; an owner who has those chose
 * the others. English comes last, so that the next start completes a directory if a process was
 * killed while it wrote them.
 */
export function listMissingEngineTexts(directory: string): readonly FileContent[] {
  const all = listEngineTexts(directory);
  const english = join(toTextsDirectory(directory), "en.yaml");
  if (existsSync(english) || existsSync(english.replace(/yaml$/u, "yml"))) return [];
  const missing = all.filter(({ file }) => !existsSync(file));
  return [
    ...missing.filter(({ file }) => file !== english),
    ...missing.filter(({ file }) => file === english),
  ];
}
