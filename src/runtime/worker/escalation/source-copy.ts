import { cp, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Config } from "../../../config/config.ts";
import { PERSON_WORDS } from "../../../escalation/person-words.ts";
import { POLAR_PHRASES } from "../../../locales/polar-phrases.ts";
import { spokenLanguage } from "../../../locales/spoken-form.ts";
import { spokenPerson, spokenPolar } from "./spoken-words.ts";
import { unusedParts } from "./unused-parts.ts";

/**
 * Copies the sources of a worker that hands over, with the words of some languages alone: how people of thirty languages ask for
 * a person, and say yes and no, weighs more than all the rest of escalation. What the configuration has no use for stays behind,
 * too. Runs at build time.
 *
 * @param languages null: all
 * @returns the languages whose words are in it
 */
export async function copySource(
  source: string,
  copy: string,
  languages: ReadonlySet<string> | null,
  config: Pick<Config, "instances">,
): Promise<readonly string[]> {
  await cp(source, copy, {
    recursive: true,
    filter: (path) => !elsewhere.has(relative(source, path)),
  });
  const known = [...new Set([...PERSON_WORDS.keys(), ...POLAR_PHRASES.keys()])];
  const wanted = known.filter((language) => languages?.has(language) ?? true);
  const words = wanted.map((language) => {
    const [person, polar] = [PERSON_WORDS.get(language), POLAR_PHRASES.get(language)];
    return [
      language,
      person === undefined ? null : spokenPerson(person, language),
      polar === undefined ? null : spokenPolar(polar, language),
    ];
  });
  // A text module, as the configuration is: in a script every letter beyond ASCII takes six.
  await writeFile(join(copy, "words.txt"), JSON.stringify(words));
  await writeFile(join(copy, "words.ts"), wordsModule);
  await writeFile(join(copy, "escalation/person-words.ts"), mapModule("PERSON_WORDS", 1));
  await writeFile(join(copy, "locales/polar-phrases.ts"), mapModule("POLAR_PHRASES", 2));
  for (const { file, source: instead } of unusedParts(config)) {
    await writeFile(join(copy, file), instead);
  }
  return wanted.toSorted();
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

const wordsModule = `import text from "./words.txt";
export const words = JSON.parse(text);
`;

/** A map of those languages that have such words. */
function mapModule(name: string, place: number): string {
  return `import { words } from "../words.ts";
export const ${name} = new Map(words.flatMap((row) => row[${place}] ? [[row[0], row[${place}]]] : []));
`;
}
