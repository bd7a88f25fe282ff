import { posix } from "node:path";
import { Visitor } from "rolldown/utils";
import type { Source } from "./sources.ts";

export interface Import {
  readonly from: string;
  readonly to: string;
}

/**
 * What the files import of each other, values or types, written at the top or called as `import()`.
 * Packages and other files are left out.
 */
export function importsAmong(sources: readonly Source[]): readonly Import[] {
  const files = new Set(sources.map(({ file }) => file));
  return sources.flatMap((source) => importsOf(source).filter(({ to }) => files.has(to)));
}

function importsOf({ file, program }: Source): readonly Import[] {
  const found: Import[] = [];
  const add = (specifier: unknown): void => {
    if (typeof specifier !== "string" || !specifier.startsWith(".")) return;
    found.push({ from: file, to: posix.join(posix.dirname(file), specifier) });
  };
  new Visitor({
    ImportDeclaration: ({ source }) => add(source.value),
    ExportNamedDeclaration: ({ source }) => add(source?.value),
    ExportAllDeclaration: ({ source }) => add(source.value),
    ImportExpression: ({ source }) => add(source.type === "Literal" && source.value),
    TSImportType: ({ source }) => add(source.value),
  }).visit(program);
  return found;
}
