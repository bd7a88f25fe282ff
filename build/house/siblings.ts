import { dirname } from "node:path/posix";
import type { StandaloneFile } from "./exceptions.ts";
import type { Import } from "./imports.ts";
import { countOf, type Finding, type Measure } from "./measure.ts";
import type { Source } from "./sources.ts";

const MOST_TOGETHER = 250;

/** Files that only one file of their own folder imports, and that would fit into it. */
export function siblings(
  sources: readonly Source[],
  imports: readonly Import[],
  standaloneFiles: readonly StandaloneFile[],
): readonly Measure[] {
  const all = oneSiblings(sources, imports);
  const isKept = ({ name }: Finding): boolean => standaloneFiles.some(({ file }) => file === name);
  const names = new Set(all.map(({ name }) => name));
  const stale = standaloneFiles.filter(({ file }) => !names.has(file));
  return [
    countOf(
      `one-sibling files (at most ${MOST_TOGETHER} lines with it)`,
      all.filter((one) => !isKept(one)),
    ),
    countOf("one-sibling files with a reason", all.filter(isKept), null),
    countOf(
      "exceptions for files that are none",
      stale.map(({ file }) => ({ name: file })),
    ),
  ];
}

/** The smallest first: they are the easiest to move. */
function oneSiblings(sources: readonly Source[], imports: readonly Import[]): readonly Finding[] {
  const lines = new Map(sources.map((source) => [source.file, source.lines.length]));
  const importers = Map.groupBy(imports, ({ to }) => to);
  return sources
    .flatMap(({ file }) => {
      const from = new Set(importers.get(file)?.map((one) => one.from));
      const [only] = from;
      if (only === undefined || from.size > 1 || dirname(only) !== dirname(file)) return [];
      const size = (lines.get(file) ?? 0) + (lines.get(only) ?? 0);
      if (size > MOST_TOGETHER) return [];
      return [{ name: file, size, detail: `with ${only.slice(dirname(only).length + 1)}` }];
    })
    .sort((one, other) => one.size - other.size);
}
