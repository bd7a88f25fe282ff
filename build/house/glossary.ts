import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Measure } from "./measure.ts";

const FILE = "docs/glossary.md";
const MOST_NOUNS = 12;

/**
 * The nouns that have to be learnt. docs/glossary.md has one table of three columns, and a row is
 * a noun:
 *
 *     | noun  | means             | why not a standard word |
 *     | ----- | ----------------- | ----------------------- |
 *     | hop   | …                 | …                       |
 */
export function glossary(root: string): Measure {
  const title = `nouns of ${FILE}`;
  const path = join(root, FILE);
  if (!existsSync(path)) {
    return { title, value: 0, most: MOST_NOUNS, findings: [], note: "there is no such file yet" };
  }
  const rows = readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) => line.split("|").map((cell) => cell.trim()));
  const findings = rows
    .filter(([, noun = ""]) => noun.toLowerCase() !== "noun" && !/^:?-+:?$/.test(noun))
    .map(([, name = "", detail = ""]) => ({ name, detail }));
  return { title, value: findings.length, most: MOST_NOUNS, findings };
}
