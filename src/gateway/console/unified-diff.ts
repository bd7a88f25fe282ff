import { createTwoFilesPatch, FILE_HEADERS_ONLY, formatPatch } from "diff";

/**
 * Writes the change of a file as `git apply` and `patch -p1` take it; empty where nothing changes.
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
      maxEditLength: MOST_EDITS,
    }) ?? replaceWhole(oldName, newName, old, fresh)
  );
}

/** The time that the search for the shortest diff takes grows with the square of this. */
const MOST_EDITS = 2000;

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

/** Lines with their ends, so that a missing one at the end of the file is seen. */
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
