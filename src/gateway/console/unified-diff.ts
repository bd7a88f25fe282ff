import { createTwoFilesPatch, FILE_HEADERS_ONLY, formatPatch } from "diff";

/**
 * Formats the change of a file for `git apply` and `patch -p1`; empty if nothing changes.
 * Null stands for a file that does not exist.
 */
export function formatUnifiedDiff(
  file: string,
  before: string | null,
  after: string | null,
): string {
  if (before === after) return "";
  const oldName = before === null ? "/dev/null" : `a/${file}`;
  const newName = after === null ? "/dev/null" : `b/${file}`;
  const [old, fresh] = [before ?? "", after ?? ""];
  return (
    createTwoFilesPatch(oldName, newName, old, fresh, undefined, undefined, {
      context: 3,
      headerOptions: FILE_HEADERS_ONLY,
      maxEditLength: MAX_EDITS,
    }) ?? replaceWhole(oldName, newName, old, fresh)
  );
}

/**
 * Finds the line of the present file that corresponds to a line of the changed file, by their unified
 * diff. A changed line corresponds to the line that it replaces; 0 for an added line.
 */
export function findOldLine(diff: string, line: number): number {
  let [old, fresh, removed, shift] = [0, 0, 0, 0];
  for (const text of diff.split("\n")) {
    const [, oldStart, freshStart] = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(text) ?? [];
    if (freshStart !== undefined) {
      if (line < Number(freshStart)) break;
      [old, fresh, removed] = [Number(oldStart), Number(freshStart), 0];
    } else if (fresh === 0) {
      continue;
    } else if (text.startsWith("-")) {
      old += 1;
      removed += 1;
    } else if (text.startsWith("+")) {
      if (fresh === line) return removed > 0 ? old - removed : 0;
      fresh += 1;
      removed = Math.max(0, removed - 1);
    } else if (text.startsWith(" ")) {
      if (fresh === line) return old;
      old += 1;
      fresh += 1;
      removed = 0;
    }
    shift = old - fresh;
  }
  return line + shift;
}

/** The most edits of a diff. The search for the shortest one takes time in proportion to its square. */
const MAX_EDITS = 2000;

function replaceWhole(oldName: string, newName: string, old: string, fresh: string): string {
  const [gone, come] = [linesOf(old), linesOf(fresh)];
  const hunk = {
    oldStart: 1,
    oldLines: gone.length,
    newStart: 1,
    newLines: come.length,
    lines: [...mark("-", gone), ...mark("+", come)],
  };
  const patch = { oldFileName: oldName, newFileName: newName, hunks: [hunk] };
  return formatPatch({ ...patch, oldHeader: undefined, newHeader: undefined }, FILE_HEADERS_ONLY);
}

/** Splits a text into lines with their line breaks, so that a missing one at the end is noticed. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function mark(sign: "-" | "+", lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) =>
    line.endsWith("\n")
      ? [`${sign}${line.slice(0, -1)}`]
      : [`${sign}${line}`, "\\ No newline at end of file"],
  );
}
