import { Visitor } from "rolldown/utils";
import { type Measure, sumOf } from "./measure.ts";
import { lineAt, type Source } from "./sources.ts";

const WIDEST = 100;
const ADDRESS = /\bhttps?:\/\/\S+/g;

/**
 * Lines that the formatter cannot break and a person can: comments, and code that is long without
 * its literals.
 */
export function longLines(sources: readonly Source[]): Measure {
  const findings = sources.flatMap((source) => {
    const lines = longLinesOf(source);
    if (lines.length === 0) return [];
    return [{ name: source.file, size: lines.length, detail: `lines ${lines.join(", ")}` }];
  });
  return sumOf(`lines above ${WIDEST} columns`, findings);
}

function longLinesOf(source: Source): readonly number[] {
  if (!source.lines.some((line) => line.length > WIDEST)) return [];
  const { blanked, inTemplates } = withoutLiterals(source);
  return blanked.split("\n").flatMap((line, index) => {
    const rest = line.replaceAll("\0", "").replace(ADDRESS, "");
    return rest.length > WIDEST && !inTemplates.has(index + 1) ? [index + 1] : [];
  });
}

/**
 * The text with NUL in the place of strings, templates and patterns, and the lines that are inside
 * a template.
 */
function withoutLiterals(source: Source): {
  readonly blanked: string;
  readonly inTemplates: ReadonlySet<number>;
} {
  let blanked = source.text;
  const blank = ({ start, end }: { readonly start: number; readonly end: number }): void => {
    const hidden = blanked.slice(start, end).replace(/[^\n]/g, "\0");
    blanked = blanked.slice(0, start) + hidden + blanked.slice(end);
  };
  const inTemplates = new Set<number>();
  new Visitor({
    Literal(node) {
      if (typeof node.value === "string" || "regex" in node) blank(node);
    },
    TemplateElement: blank,
    TemplateLiteral({ start, end }) {
      const last = lineAt(source, end);
      for (let line = lineAt(source, start) + 1; line <= last; line++) inTemplates.add(line);
    },
  }).visit(source.program);
  return { blanked, inTemplates };
}
