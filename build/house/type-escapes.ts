import { type ESTree, Visitor } from "rolldown/utils";
import { countOf, type Finding, type Measure } from "./measure.ts";
import { lineAt, type Source } from "./sources.ts";

/** As many as there were at 52babbc: each stands where a parser has just proved it. */
const MOST_AS = 17;

/** Where the types are told instead of proved. */
export function typeEscapes(sources: readonly Source[]): readonly Measure[] {
  const anys: Finding[] = [];
  const nonNulls: Finding[] = [];
  const casts: Finding[] = [];
  for (const source of sources) {
    const at = ({ start }: { readonly start: number }): Finding => {
      const line = lineAt(source, start);
      return { name: `${source.file}:${line}`, detail: source.lines[line - 1]?.trim() ?? "" };
    };
    new Visitor({
      TSAnyKeyword: (node) => void anys.push(at(node)),
      TSNonNullExpression: (node) => void nonNulls.push(at(node)),
      TSTypeAssertion: (node) => void casts.push(at(node)),
      TSAsExpression(node) {
        if (!isConst(node)) casts.push(at(node));
      },
    }).visit(source.program);
  }
  return [
    countOf("`any` types", anys),
    countOf("`!` non-null assertions", nonNulls),
    countOf("`as`, without `as const`", casts, MOST_AS),
  ];
}

function isConst({ typeAnnotation }: ESTree.TSAsExpression): boolean {
  if (typeAnnotation.type !== "TSTypeReference") return false;
  const { typeName } = typeAnnotation;
  return typeName.type === "Identifier" && typeName.name === "const";
}
