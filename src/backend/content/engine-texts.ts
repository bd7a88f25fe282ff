import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { toTextsDirectory } from "./read-directory.ts";
import { findDemoContent } from "../../config/load/embedded.ts";
import type { FileContent } from "../../config/edit/write-files.ts";
import { isYamlName } from "../../yaml/read-file.ts";

/** The engine's texts as they come with the package, at their places in a content directory. */
export function listEngineTexts(directory: string): readonly FileContent[] {
  const shipped = toTextsDirectory(findDemoContent());
  const names = readdirSync(shipped).filter(isYamlName).toSorted();
  return names.map((name) => ({
    file: join(toTextsDirectory(directory), name),
    text: readFileSync(join(shipped, name), "utf8"),
  }));
}

/** Those that a directory lacks: all when it has none, else none, as the owner chose them. */
export function listMissingEngineTexts(directory: string): readonly FileContent[] {
  return existsSync(toTextsDirectory(directory)) ? [] : listEngineTexts(directory);
}
