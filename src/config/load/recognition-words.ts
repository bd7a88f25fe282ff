import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import type { RecognitionWords, WordsByLanguage } from "../../locales/recognition.ts";
import { packageRoot } from "./package-root.ts";

/** Beside this module when it is built: `npm run build` writes it, so that no start parses YAML. */
const built = new URL("./recognition.json", import.meta.url);

/** What readers type in each language, as locales/recognition of this package has it. */
export function shippedWords(): WordsByLanguage {
  try {
    return JSON.parse(readFileSync(built, "utf8"));
  } catch {
    return readWords(join(packageRoot(), "locales", "recognition"));
  }
}

/** Reads a directory with a file for each language. */
export function readWords(directory: string): WordsByLanguage {
  const files = readdirSync(directory).filter((name) => name.endsWith(".yaml"));
  return Object.fromEntries(
    files.map((name): [string, RecognitionWords] => [
      name.slice(0, -".yaml".length),
      parse(readFileSync(join(directory, name), "utf8")),
    ]),
  );
}
