// Checks every text that Afterword ships, a language at a time: how it is set, its words, its spelling.
import { fileURLToPath } from "node:url";
import { loadContent } from "../../src/backend/content/load.ts";
import { findPackageRoot } from "../../src/config/load/package-root.ts";
import { LANGUAGES } from "../../test/locales/tables/languages.ts";
import { FOR_PAGES, readPages } from "../../test/locales/tables/pages.ts";
import { readTables, type Tables } from "../../test/locales/tables/read.ts";
import { proseOf, type References, type Rule } from "../../test/locales/tables/rule.ts";
import { TYPOGRAPHY } from "../../test/locales/tables/typography.ts";
import { WORDING } from "../../test/locales/tables/wording.ts";
import { spellingOf, wordsOf } from "./spelling.ts";

const help = `npm run languages [-- LANGUAGE…]
Checks lines and pages of all languages, or of those named: typography, wording, spelling.
Exit code 0: nothing found; 1: something found; 2: no such language.`;

/** Names, and words of computers that are the same everywhere. */
const TECHNICAL = new Set("Afterword afterword serve CSV JSON UTF MB ID App App-ID".split(" "));

const asked = process.argv.slice(2);
if (asked.includes("--help")) {
  console.log(help);
  process.exit(0);
}
const unknown = asked.filter((locale) => !LANGUAGES.has(locale));
if (unknown.length > 0) {
  console.error(
    `There is no language ${unknown.join(", ")}. There are: ${[...LANGUAGES.keys()].join(" ")}.`,
  );
  process.exit(2);
}

const shipped = fileURLToPath(new URL("../../locales/", import.meta.url));
const lines = readTables(shipped);
const pages = readPages(`${shipped}pages`);
const references: References = {
  engine: (await loadContent(`${findPackageRoot()}/config/backend`)).texts,
  longer: new Map([...LANGUAGES].map(([locale, { longer }]) => [locale, longer])),
};
const rules = [...WORDING, ...TYPOGRAPHY];
const found = new Map<string, string[]>();
judge(rules, lines, "");
judge(
  rules.filter(({ name }) => FOR_PAGES.has(name)),
  pages,
  "pages/",
);

let faults = 0;
for (const [locale, { spelled }] of LANGUAGES) {
  if (asked.length > 0 && !asked.includes(locale)) continue;
  const spelling = await spellingOf(locale);
  const of = (tables: Tables): readonly string[] =>
    [...(tables.get(locale)?.texts.values() ?? [])].flat();
  const words = new Set([...of(lines), ...of(pages)].flatMap((text) => wordsOf(proseOf(text))));
  const right = new Set(spelled.split(" "));
  const known = (word: string): boolean => right.has(word) || TECHNICAL.has(word);
  const wrong = (spelling?.([...words]) ?? []).filter((word) => !known(word));
  const idle = [...right].filter((word) => word !== "" && !words.has(word));
  const said = [
    ...(found.get(locale) ?? []),
    ...(wrong.length > 0 ? [`no dictionary has: ${wrong.join(" ")}`] : []),
    ...(idle.length > 0 ? [`spelled, but nowhere said: ${idle.join(" ")}`] : []),
  ];
  faults += said.length;
  const spelt = spelling === null ? "no dictionary" : `${words.size} words spelled`;
  console.log(`${locale.padEnd(8)} ${said.length === 0 ? "ok" : `${said.length} found`}, ${spelt}`);
  for (const one of said) console.log(`         ${one}`);
}
if (faults > 0) {
  console.log(
    `\n${faults} found. A word that is right goes into \`spelled\` of test/locales/languages/LANGUAGE.yaml.`,
  );
  process.exitCode = 1;
}

function judge(by: readonly Rule[], tables: Tables, folder: string): void {
  for (const rule of by) {
    for (const { file, key, why } of rule.find(tables, references)) {
      const locale = file.replace(/\.yaml$/u, "");
      const said = `locales/${folder}${file}${key === null ? "" : ` ${key}`}: ${why}`;
      found.set(locale, [...(found.get(locale) ?? []), said]);
    }
  }
}
