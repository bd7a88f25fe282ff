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

/** Lists all engine texts if the directory has none; an owner who has some chose them. */
export function listMissingEngineTexts(directory: string): readonly FileContent[] {
  return existsSync(toTextsDirectory(directory)) ? [] : listEngineTexts(directory);
}
