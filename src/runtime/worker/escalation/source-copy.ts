import { cp, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Config } from "../../../config/config.ts";
import { PERSON_WORDS } from "../../../escalation/person-words.ts";
import { POLAR_PHRASES } from "../../../locales/polar-phrases.ts";
import { spokenLanguage } from "../../../locales/spoken-form.ts";

/**
 * Copies the sources of a worker that hands over, with the words of some languages alone: how people of thirty languages ask for
 * a person, and say yes and no, weighs more than all the rest of escalation. Runs at build time.
 *
 * @param languages null: all
 * @returns the languages whose words are in it
 */
export async function copySource(
  source: string,
  copy: string,
  languages: ReadonlySet<string> | null,
): Promise<readonly string[]> {
  await cp(source, copy, {
    recursive: true,
    filter: (path) => !elsewhere.has(relative(source, path)),
  });
  const wanted = (language: string): boolean => languages?.has(language) ?? true;
  await writeMap(join(copy, "escalation/person-words.ts"), "PERSON_WORDS", PERSON_WORDS, wanted);
  await writeMap(join(copy, "locales/polar-phrases.ts"), "POLAR_PHRASES", POLAR_PHRASES, wanted);
  return [...new Set([...PERSON_WORDS.keys(), ...POLAR_PHRASES.keys()])].filter(wanted).toSorted();
}

/**
 * Languages whose words a worker understands: those that `wanted` names; without it English, the instances' own, and those that
 * the owner wrote texts in.
 *
 * @param wanted AFTERWORD_WORDS: `all`, or tags with commas between
 */
export function wordLanguages(config: Config, wanted: string): ReadonlySet<string> | null {
  if (wanted === "all") return null;
  const own = config.tableSets.flatMap(({ channels }) =>
    Object.values(channels).flatMap((tables) =>
      Object.values(tables)
        .filter(({ lines }) => Object.values(lines).some((said) => said.some(isOwn)))
        .map(({ locale }) => locale),
    ),
  );
  const named = wanted.split(",").map((tag) => tag.trim());
  const tags =
    wanted === "" ? [...config.instances.map(({ language }) => language), ...own] : named;
  return new Set(["en", ...tags.filter((tag) => tag !== "").map(spokenLanguage)]);
}

/** Parts that no worker reaches. */
const elsewhere: ReadonlySet<string> = new Set([
  "backend",
  "cli",
  "testing",
  "runtime/node",
  "runtime/bun",
]);

function isOwn({ origin }: { readonly origin: string }): boolean {
  return origin === "own";
}

async function writeMap(
  file: string,
  name: string,
  map: ReadonlyMap<string, unknown>,
  wanted: (language: string) => boolean,
): Promise<void> {
  const some = [...map].filter(([language]) => wanted(language));
  await writeFile(file, `export const ${name} = new Map(${JSON.stringify(some)});\n`);
}
