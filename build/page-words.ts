import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { findPackageRoot } from "../src/config/load/package-root.ts";

/** The names of the words of desk and console as types, so that the compiler knows each. */
export function pageWordTypes(): string {
  const file = join(findPackageRoot(), "locales", "pages", "en.yaml");
  const { desk, console } = parse(readFileSync(file, "utf8"));
  const heading = "// `npm run schemas` writes these names, which locales/pages/en.yaml has.\n";
  return heading + unionOf("DeskWord", desk) + unionOf("ConsoleWord", console);
}

function unionOf(type: string, words: object): string {
  const names = Object.keys(words).map((name) => `  | "${name}"`);
  return `export type ${type} =\n${names.join("\n")};\n`;
}

// A test fails while the file is out of date.
if (import.meta.main) {
  writeFileSync(join(findPackageRoot(), "locales", "page-words.d.ts"), pageWordTypes());
}
