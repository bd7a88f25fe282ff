// Which test files each command runs. A file that takes long says so in its first line, and `npm run test:all` runs every file:
//
// - `// Suite: slow`: more than a second or two. `npm run test:fast` leaves it out.
// - `// Suite: long`: processes, another runtime or many inputs. `npm test` leaves it out too.
// - `// Suite: all`: another suite covers most of it. `.ci/run` leaves it out too.
import { closeSync, globSync, openSync, readSync } from "node:fs";
import { join } from "node:path";

const TAGS = ["slow", "long", "all"] as const;
export type Tag = (typeof TAGS)[number];

/** Gives the paths of the test files with each tag, relative to the repository. */
export function findTagged(): Readonly<Record<Tag, readonly string[]>> {
  const root = join(import.meta.dirname, "..");
  const tagged: Record<Tag, string[]> = { slow: [], long: [], all: [] };
  for (const file of globSync("test/**/*.test.ts", { cwd: root })) {
    const tag = tagOf(readStart(join(root, file)));
    if (tag !== null) tagged[tag].push(file);
  }
  return tagged;
}

/** @throws Error for a tag that no command knows */
export function tagOf(text: string): Tag | null {
  const word = /^\/\/ Suite: (.*)$/m.exec(text)?.[1];
  if (word === undefined) return null;
  const tag = TAGS.find((one) => one === word);
  if (tag === undefined)
    throw new Error(`a test file has the tag "${word}", not ${TAGS.join(", ")}`);
  return tag;
}

/** Reads the first line of a file alone: there are hundreds. */
function readStart(file: string): string {
  const bytes = Buffer.alloc(40);
  const open = openSync(file, "r");
  try {
    return bytes.toString("utf8", 0, readSync(open, bytes)).split("\n")[0] ?? "";
  } finally {
    closeSync(open);
  }
}
