import { readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { countOf, type Finding, largestFirst, type Measure } from "./measure.ts";
import type { Source } from "./sources.ts";

const MOST_FILES = 700;
/** What came after the house was made small, in lines. */
const SINCE = {
  /** The owner's console. */
  console: 4_870,
  /** Drafts, publications as one unit, and their history. */
  publishing: 2_000,
  /** The console on Bun and Workers, and the reference of its routes. */
  everywhere: 700,
  /** Adding and removing the texts of a line in the console, and its audit log. */
  wholeLines: 700,
  /** The console on Workers changes texts, in a KV namespace. */
  workers: 850,
  /** A talk with the embedded bot in the console. */
  talk: 170,
  /** What is typed in the console stays where the server is slow or fails. */
  typed: 150,
  /** The desk: tickets, notes, statuses, rooms, who is writing, who has left. */
  desk: 1_300,
  /** Korean stems, and words of other subjects. */
  matching: 300,
};
/** 9,000 fewer than there were at 52babbc. */
const MOST_LINES = 84_097 - 9_000 + Object.values(SINCE).reduce((sum, lines) => sum + lines, 0);
const MOST_ENTRIES = 25;
const LONGEST_FILE = 320;

/** How much source there is, and the folders and files that have become too large. */
export function sizes(root: string, sources: readonly Source[]): readonly Measure[] {
  const files = sources.map(({ file, lines }) => ({ name: file, size: lines.length }));
  const lines = files.reduce((sum, { size }) => sum + size, 0);
  const longFiles = files.filter(({ size }) => size > LONGEST_FILE);
  const wideFolders = entriesOf(join(root, "src"), root).filter(
    ({ size = 0 }) => size > MOST_ENTRIES,
  );
  return [
    { title: "source lines", value: lines, most: MOST_LINES, findings: [] },
    { title: "source files", value: files.length, most: MOST_FILES, findings: [] },
    countOf(`folders with more than ${MOST_ENTRIES} entries`, largestFirst(wideFolders)),
    countOf(`files with more than ${LONGEST_FILE} lines`, largestFirst(longFiles)),
  ];
}

/** Every folder, with the number of its files and folders. */
function entriesOf(folder: string, root: string): readonly Finding[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  const name = relative(root, folder).replaceAll(sep, "/");
  const inner = entries.filter((entry) => entry.isDirectory());
  return [
    { name, size: entries.length },
    ...inner.flatMap((entry) => entriesOf(join(folder, entry.name), root)),
  ];
}
