import { createHash } from "node:crypto";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { LanguageFile } from "./language-file.ts";

/**
 * Writes the assets of a deployment into a folder that is named for what is in them, and removes
 * what was there. For the build.
 *
 * @param files by locale; where there are none a file is written that nobody asks for, so that
 *   there is something to deploy
 * @returns the folder's name
 */
export async function writeLines(
  directory: string,
  files: ReadonlyMap<string, LanguageFile>,
): Promise<string> {
  const texts: [name: string, text: string][] = [...files].map(([locale, file]) => [
    locale,
    JSON.stringify(file),
  ]);
  if (texts.length === 0) texts.push(["none", "{}"]);
  const hash = createHash("sha256");
  for (const [locale, text] of texts) hash.update(`${locale}\n${text}\n`);
  const name = hash.digest("hex").slice(0, 16);
  const folder = join(directory, name);
  await mkdir(folder, { recursive: true });
  for (const [locale, text] of texts) await writeFile(join(folder, `${locale}.json`), text);
  for (const other of await readdir(directory)) {
    if (other !== name) await rm(join(directory, other), { recursive: true });
  }
  return name;
}
