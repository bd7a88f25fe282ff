import { circles } from "./circles.ts";
import { type StandaloneFile, standaloneFiles, type KeptName, keptNames } from "./exceptions.ts";
import { glossary } from "./glossary.ts";
import { importsAmong } from "./imports.ts";
import { longLines } from "./long-lines.ts";
import type { Measure } from "./measure.ts";
import { siblings } from "./siblings.ts";
import { sizes } from "./size.ts";
import { readSources } from "./sources.ts";
import { typeEscapes } from "./type-escapes.ts";
import { engineWords, pictureNames } from "./words.ts";

/** Everything that is measured without running the code. @param root the folder with src/ */
export function measureSources(
  root: string,
  exceptions: Exceptions = { standaloneFiles, keptNames },
): readonly Measure[] {
  const sources = readSources(root, "src/**/*.ts");
  const others = readSources(root, "{src,test,bench,build}/**/*.{js,mjs,cjs}");
  const around = readSources(root, "{test,bench,build}/**/*.ts");
  const imports = importsAmong(sources);
  return [
    ...sizes(root, sources),
    ...siblings(sources, imports, exceptions.standaloneFiles),
    circles(imports),
    longLines([...sources, ...around, ...others]),
    ...typeEscapes(sources),
    ...pictureNames([...sources, ...around], exceptions.keptNames),
    engineWords(sources),
    glossary(root),
  ];
}

interface Exceptions {
  readonly standaloneFiles: readonly StandaloneFile[];
  readonly keptNames: readonly KeptName[];
}
