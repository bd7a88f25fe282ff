import { basename, dirname } from "node:path/posix";
import { Visitor } from "rolldown/utils";
import type { KeptName } from "./exceptions.ts";
import { countOf, type Finding, type Measure, sumOf } from "./measure.ts";
import { lineAt, type Source } from "./sources.ts";

/** Pictures of our own for things that the field has a word for. */
const PICTURES: ReadonlySet<string> = new Set(
  [
    "apart",
    "carried",
    "door",
    "ears",
    "errand",
    "glance",
    "ground",
    "hands",
    "heard",
    "keeper",
    "leftovers",
    "manner",
    "rung",
    "scene",
    "shelf",
    "shelves",
    "soil",
    "together",
    "told",
    "visit",
    "wire",
  ].flatMap((word) => [word, `${word}s`]),
);

/** Talk about the engine that runs the code. It belongs to mechanisms for speed. */
const ENGINE =
  /\b(?:garbage|hidden[\s*/]+class(?:es)?|V8|(?:young|old)[\s*/]+generation|collectors?|deopt\w*|one[\s*/]+shape)\b/gi;
const SPEED = /^src\/(?:json|http|runtime)\//;

/** Files, folders and types, those of tests too, that are named after a picture. */
export function pictureNames(
  sources: readonly Source[],
  keptNames: readonly KeptName[],
): readonly Measure[] {
  const all = namesOf(sources).filter(({ name }) => hasPicture(lastPart(name)));
  const isKept = ({ name }: Finding): boolean => keptNames.some((one) => one.name === name);
  const names = new Set(all.map(({ name }) => name));
  const stale = keptNames.filter(({ name }) => !names.has(name));
  return [
    countOf(
      "names with a banned word",
      all.filter((one) => !isKept(one)),
    ),
    countOf("names with a banned word that others fixed", all.filter(isKept), null),
    countOf(
      "exceptions for names that are none",
      stale.map(({ name }) => ({ name })),
    ),
  ];
}

/** Places outside the parts for speed that talk about garbage collection or hidden classes. */
export function engineWords(sources: readonly Source[]): Measure {
  const findings = sources.flatMap((source) => {
    const places = [...source.text.matchAll(ENGINE)];
    if (places.length === 0 || SPEED.test(source.file)) return [];
    const lines = places.map(({ 0: words, index }) => {
      return `${lineAt(source, index)} (${words.replace(/[\s*/]+/g, " ")})`;
    });
    return [{ name: source.file, size: places.length, detail: `lines ${lines.join(", ")}` }];
  });
  return sumOf("words about the engine outside json/, http/, runtime/", findings);
}

function namesOf(sources: readonly Source[]): readonly Finding[] {
  const folders = new Set<string>();
  for (const { file } of sources) {
    for (let folder = dirname(file); folder !== "."; folder = dirname(folder)) folders.add(folder);
  }
  const files = sources.map(({ file }) => ({ name: file }));
  return [
    ...[...folders].sort().map((name) => ({ name, detail: "a folder" })),
    ...files,
    ...sources.flatMap(typesOf),
  ];
}

function typesOf(source: Source): readonly Finding[] {
  const found: Finding[] = [];
  const add = (id: { readonly name: string; readonly start: number } | null): void => {
    if (id === null) return;
    found.push({ name: id.name, detail: `${source.file}:${lineAt(source, id.start)}` });
  };
  new Visitor({
    TSInterfaceDeclaration: ({ id }) => add(id),
    TSTypeAliasDeclaration: ({ id }) => add(id),
    ClassDeclaration: ({ id }) => add(id),
    ClassExpression: ({ id }) => add(id),
  }).visit(source.program);
  return found;
}

function lastPart(name: string): string {
  return basename(name).replace(/(?:\.d)?\.ts$/, "");
}

function hasPicture(name: string): boolean {
  const words = name.replace(/([a-z\d])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g, "$1$2-").split(/[-_.]/);
  return words.some((word) => PICTURES.has(word.toLowerCase()));
}
