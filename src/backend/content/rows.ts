import { createReporter } from "../../yaml/diagnostic.ts";
import { createSource, type Source, type Span, START } from "../../yaml/source.ts";
import { parseYaml, type YamlFile } from "../../yaml/yaml.ts";
import type { ContentScope, StoredContents } from "../storage/types.ts";
import type { LanguageRows } from "./parse.ts";

/** The project of contents that all projects share; a project's own come later. */
export const SHARED_PROJECT = "*";

/** Groups the contents of a database by language. Mistakes are shown in the document's JSON. */
export function readStoredRows(
  stored: Pick<StoredContents, "sources" | "rows">,
): readonly LanguageRows[] {
  const languages = new Set([...stored.sources, ...stored.rows].filter(isShared).map(languageOf));
  return [...languages].map((language) => ({
    language,
    parts: stored.sources
      .filter((source) => isShared(source) && source.language === language)
      .map(({ document }) => createJsonFile(document, `database (${language})`)),
    rows: stored.rows
      .filter((row) => isShared(row) && row.language === language)
      .map(({ id, document, modified }) =>
        createJsonFile(withModified(document, modified), `database (${language}, content ${id})`),
      ),
  }));
}

/** Wraps a content that is a value. Its JSON is parsed for positions only to show a mistake. */
export function createRowFile(value: unknown, textOf: () => Source): YamlFile {
  let source: Source | null = null;
  let parsed: YamlFile | null | undefined;
  const sourceOf = (): Source => (source ??= textOf());
  const parseOnce = (): YamlFile | null => {
    if (parsed === undefined) parsed = parseYaml(sourceOf(), createReporter());
    return parsed;
  };
  return {
    get source() {
      return sourceOf();
    },
    value,
    locate: (path, part) => parseOnce()?.locate(path, part) ?? firstOf(sourceOf()),
    written: (path) => parseOnce()?.written(path) ?? null,
    findUnquotedNo: () => [],
  };
}

function createJsonFile(value: unknown, name: string): YamlFile {
  return createRowFile(value, () => createSource(name, JSON.stringify(value, null, 2)));
}

function isShared({ project }: ContentScope): boolean {
  return project === SHARED_PROJECT;
}

function languageOf({ language }: ContentScope): string {
  return language;
}

/** Fills in the row's time of change if the document has none. */
function withModified(document: unknown, modified: number | null): unknown {
  return modified === null || typeof document !== "object" || Array.isArray(document)
    ? document
    : { modified: new Date(modified).toISOString(), ...document };
}

/** The span of a text's first token, for a value whose JSON is not valid YAML. */
function firstOf({ text }: Source): Span {
  const start = text.search(/\S/);
  return start === -1 ? START : { start, end: start + 1 };
}
