/**
 * From one text of a file to another, as `git apply` and `patch -p1` take it; empty where nothing
 * changes. Null: there is no such file.
 */
export function unifiedDiff(file: string, before: string | null, after: string | null): string {
  if (before === after) return "";
  const steps = stepsOf(linesOf(before), linesOf(after));
  const names = [
    `--- ${before === null ? "/dev/null" : `a/${file}`}`,
    `+++ ${after === null ? "/dev/null" : `b/${file}`}`,
  ];
  return `${[...names, ...hunksOf(steps)].join("\n")}\n`;
}

/** ` `: the line stays, `-`: it goes, `+`: it comes. */
interface Step {
  readonly kind: " " | "-" | "+";
  readonly line: string;
}

/** Each with its end, so that a missing one at the file's end is seen. */
function linesOf(text: string | null): readonly string[] {
  return text?.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** The longest common lines stay; of very long parts that differ, none. */
function stepsOf(before: readonly string[], after: readonly string[]): readonly Step[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  const rest = Math.min(before.length, after.length) - start;
  while (end < rest && before.at(-1 - end) === after.at(-1 - end)) end++;
  const old = before.slice(start, before.length - end);
  const fresh = after.slice(start, after.length - end);
  return [
    ...before.slice(0, start).map(stays),
    ...(old.length * fresh.length > mostCells ? replaced(old, fresh) : compared(old, fresh)),
    ...before.slice(before.length - end).map(stays),
  ];
}

const mostCells = 250_000;

function stays(line: string): Step {
  return { kind: " ", line };
}

function replaced(old: readonly string[], fresh: readonly string[]): readonly Step[] {
  return [
    ...old.map((line) => ({ kind: "-" as const, line })),
    ...fresh.map((line) => ({ kind: "+" as const, line })),
  ];
}

function compared(old: readonly string[], fresh: readonly string[]): readonly Step[] {
  const width = fresh.length + 1;
  // How many lines the rests have in common.
  const common = new Uint32Array((old.length + 1) * width);
  const at = (row: number, column: number): number => common[row * width + column] ?? 0;
  for (let row = old.length - 1; row >= 0; row--) {
    for (let column = fresh.length - 1; column >= 0; column--) {
      common[row * width + column] =
        old[row] === fresh[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const steps: Step[] = [];
  let row = 0;
  let column = 0;
  while (row < old.length || column < fresh.length) {
    const [gone, come] = [old[row], fresh[column]];
    if (gone !== undefined && gone === come) {
      steps.push(stays(gone));
      row++;
      column++;
    } else if (
      gone !== undefined &&
      (come === undefined || at(row + 1, column) >= at(row, column + 1))
    ) {
      steps.push({ kind: "-", line: gone });
      row++;
    } else if (come !== undefined) {
      steps.push({ kind: "+", line: come });
      column++;
    }
  }
  return steps;
}

/** Lines around a change. */
const context = 3;

function hunksOf(steps: readonly Step[]): readonly string[] {
  const changed = steps.flatMap(({ kind }, index) => (kind === " " ? [] : [index]));
  const ranges: { from: number; to: number }[] = [];
  for (const index of changed) {
    const last = ranges.at(-1);
    if (last !== undefined && index - context <= last.to) last.to = index + context + 1;
    else ranges.push({ from: Math.max(0, index - context), to: index + context + 1 });
  }
  return ranges.flatMap(({ from, to }) => {
    const shown = steps.slice(from, to);
    const old = position(steps, from, shown, "+");
    const fresh = position(steps, from, shown, "-");
    return [`@@ -${old} +${fresh} @@`, ...shown.map(written)];
  });
}

/** Where a hunk begins in one of the two files, and how many of its lines it has. */
function position(
  steps: readonly Step[],
  from: number,
  shown: readonly Step[],
  without: Step["kind"],
): string {
  const count = shown.filter(({ kind }) => kind !== without).length;
  const earlier = steps.slice(0, from).filter(({ kind }) => kind !== without).length;
  return `${count === 0 ? earlier : earlier + 1},${count}`;
}

function written({ kind, line }: Step): string {
  return line.endsWith("\n")
    ? `${kind}${line.slice(0, -1)}`
    : `${kind}${line}\n\\ No newline at end of file`;
}
