/** A span of a text, and its replacement. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly by: string;
}

/** Replaces spans of a text; insertions at the same position keep the given order. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  let edited = text;
  const order = splices.map((splice, index) => ({ ...splice, index }));
  // Splices are applied from the end. At the same position, the first in the list comes first.
  for (const { start, end, by } of order.toSorted(
    (a, b) => b.start - a.start || b.index - a.index,
  )) {
    edited = edited.slice(0, start) + by + edited.slice(end);
  }
  return edited;
}

/** Finds lines in a text, and puts YAML of several lines into it. */
export function createLines(text: string) {
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const from = (offset: number): number => text.lastIndexOf("\n", offset - 1) + 1;
  const columnOf = (offset: number): number => offset - from(offset);
  const indent = (yaml: string, column: number): string =>
    yaml
      .split("\n")
      .map((line) => (line === "" ? "" : " ".repeat(column) + line))
      .join(newline);
  return {
    from,
    columnOf,
    indent,
    /** The start of the next line after an offset. */
    after(offset: number): number {
      if (text[offset - 1] === "\n") return offset;
      const end = text.indexOf("\n", offset);
      return end === -1 ? text.length : end + 1;
    },
    /** The column of the dash of an item that begins here. */
    dashOf: (offset: number): number => text.slice(from(offset)).search(/-/),
    startsItem: (offset: number): boolean => /-/.test(text.slice(from(offset), offset)),
    /** Indents YAML and writes it as whole lines, since the text may end without a line break. */
    toLines(yaml: string, column: number, at: number): string {
      const gap = at === 0 || text[at - 1] === "\n" ? "" : newline;
      return gap + indent(yaml, column);
    },
  };
}
