import type { Import } from "./imports.ts";
import { countOf, largestFirst, type Measure } from "./measure.ts";

/** Files that import each other, directly or through others: values, types, or both. */
export function circles(imports: readonly Import[]): Measure {
  const findings = circlesOf(imports).map((files) => ({
    name: files.toSorted().join(" "),
    size: files.length,
  }));
  return countOf("circles of imports", largestFirst(findings));
}

interface Seen {
  readonly index: number;
  /** The earliest file that can be reached from this one and leads back to it. */
  low: number;
  onStack: boolean;
}

/**
 * Strongly connected components of more than one file (Tarjan 1972). A file that imports itself is
 * one as well.
 */
function circlesOf(imports: readonly Import[]): readonly (readonly string[])[] {
  const next = Map.groupBy(imports, ({ from }) => from);
  const seen = new Map<string, Seen>();
  const stack: string[] = [];
  const found: string[][] = [];
  const enter = (file: string): Seen => {
    const here: Seen = { index: seen.size, low: seen.size, onStack: true };
    seen.set(file, here);
    stack.push(file);
    for (const { to } of next.get(file) ?? []) {
      const known = seen.get(to);
      if (known === undefined) here.low = Math.min(here.low, enter(to).low);
      else if (known.onStack) here.low = Math.min(here.low, known.index);
    }
    if (here.low === here.index) close(file);
    return here;
  };
  const close = (file: string): void => {
    const circle = stack.splice(stack.lastIndexOf(file));
    for (const one of circle) {
      const left = seen.get(one);
      if (left !== undefined) left.onStack = false;
    }
    const itself = next.get(file)?.some(({ to }) => to === file) === true;
    if (circle.length > 1 || itself) found.push(circle);
  };
  for (const file of next.keys()) if (!seen.has(file)) enter(file);
  return found;
}
