import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Config } from "../../src/config/config.ts";
import { loadConfig } from "../../src/config/load/load.ts";
import type { Line, TableSet } from "../../src/locales/types.ts";
import { createFolder, type Later } from "../fixtures/folder.ts";

/** A directory with these files, gone after the test. */
export async function workspace(
  files: Record<string, string | Uint8Array>,
  later?: Later,
): Promise<string> {
  const directory = createFolder(later);
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(directory, name)), { recursive: true });
    await writeFile(join(directory, name), content);
  }
  return directory;
}

/** The shortest valid configuration, to which a test adds what it is about. */
export const MINIMAL = "version: 1\nupstream: embedded\n";

/**
 * Loads a configuration from files; `locales/` among them are the shipped tables, else one English
 * and one French.
 */
export async function load(
  files: Record<string, string>,
  env: Record<string, string> = {},
): Promise<Config> {
  const shipped = Object.keys(files).some((name) => name.startsWith("locales/")) ? {} : LOCALES;
  const directory = await workspace({ ...shipped, ...files });
  return loadConfig(join(directory, "afterword.yaml"), {
    env,
    shipped: join(directory, "locales"),
  });
}

const LOCALES = {
  "locales/en.yaml": "welcome: Hello\nno-results: Nothing\n",
  "locales/fr.yaml": "welcome: Bonjour\n",
};

/** Lists the candidate texts in order, as `origin locale text` with slots as {{name}}. */
export function spoken(
  set: TableSet | undefined,
  locale: string,
  key: string,
  channel = "",
): string[] {
  const lines = set?.channels[channel]?.[locale]?.lines[key] ?? [];
  return lines.map((line) => `${line.origin} ${line.locale} ${textOf(line)}`);
}

function textOf({ say }: Line): string {
  const template = say?.text ?? say?.variants?.[0] ?? say?.plural?.other;
  return (template?.parts ?? [])
    .map((part) => (typeof part === "string" ? part : `{{${part.slot}}}`))
    .join("");
}
