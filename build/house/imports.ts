import { posix } from "node:path";
import { Visitor } from "rolldown/utils";
import type { Source } from "./sources.ts";

export interface Import {
  readonly from: string;
  readonly to: string;
  /** Nothing of it is left when the code runs. */
  readonly typesOnly: boolean;
}

/**
 * What the files import of each other, written at the top or called as `import()`. Packages and
 * other files are left out.
 */
export function importsAmong(sources: readonly Source[]): readonly Import[] {
  const files = new Set(sources.map(({ file }) => file));
  return sources.flatMap((source) => importsOf(source).filter(({ to }) => files.has(to)));
}

function importsOf({ file, program }: Source): readonly Import[] {
  const found: Import[] = [];
  const add = (specifier: unknown, typesOnly: boolean): void => {
    if (typeof specifier !== "string" || !specifier.startsWith(".")) return;
    found.push({ from: file, to: posix.join(posix.dirname(file), specifier), typesOnly });
  };
  new Visitor({
    ImportDeclaration({ source, importKind, specifiers }) {
      const each = specifiers.map((one) => one.type === "ImportSpecifier" && one.importKind);
      const types = each.length > 0 && each.every((kind) => kind === "type");
      add(source.value, importKind === "type" || types);
    },
    ExportNamedDeclaration({ source, exportKind, specifiers }) {
      const types = specifiers.length > 0 && specifiers.every((one) => one.exportKind === "type");
      add(source?.value, exportKind === "type" || types);
    },
    ExportAllDeclaration: ({ source, exportKind }) => add(source.value, exportKind === "type"),
    ImportExpression: ({ source }) => add(source.type === "Literal" && source.value, false),
    TSImportType: ({ source }) => add(source.value, true),
  }).visit(program);
  return found;
}
