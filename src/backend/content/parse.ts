import { AfterwordError } from "../../errors.ts";
import { formatDiagnostics, parseFile } from "./document.ts";
import type { Diagnostic, ParsedFile } from "./document.ts";
import { contentFile, textsFile } from "./schema.ts";
import type { ContentFile } from "./schema.ts";
import type { AppDatum, Content, ContentItem, EngineTexts, SourceFile } from "./types.ts";

/** What a content directory holds: content files, and one file of engine texts per language (`texts/<locale>.yaml`). */
export interface ContentSources {
  readonly contents: readonly SourceFile[];
  readonly texts: readonly (SourceFile & { readonly locale: string })[];
}

/**
 * Validates content files and puts them together. Several files may add contents to one language. Throws `content-invalid`
 * with every mistake found, one `file:line:column: message` per line.
 */
export function parseContent(sources: ContentSources): Content {
  const diagnostics: Diagnostic[] = [];
  const accept = <T>(parsed: ParsedFile<T>): T | null => {
    diagnostics.push(...parsed.diagnostics);
    return parsed.value;
  };

  const texts = new Map<string, EngineTexts>();
  for (const file of sources.texts) {
    const value = accept(parseFile(file, textsFile));
    if (value !== null) texts.set(file.locale.toLowerCase(), value);
  }

  const items = new Map<string, Placed[]>();
  const appData = new Map<string, readonly AppDatum[]>();
  for (const file of sources.contents) {
    const parsed = parseFile(file, contentFile);
    const value = accept(parsed);
    if (value === null) continue;
    collectItems(parsed, value, items, diagnostics);
    collectAppData(parsed, value, appData, diagnostics);
  }
  for (const placed of items.values()) diagnostics.push(...checkReferences(placed));

  if (diagnostics.length === 0 && !texts.has("en")) {
    throw new AfterwordError(
      "content-invalid",
      "The engine's English texts (texts/en.yaml) are missing.",
    );
  }
  if (diagnostics.length > 0) {
    throw new AfterwordError("content-invalid", formatDiagnostics(diagnostics));
  }
  return { items: mapValues(items, (placed) => placed.map(({ item }) => item)), appData, texts };
}

/** A content and a way to complain about a part of it. */
interface Placed {
  readonly item: ContentItem;
  readonly at: (path: readonly PropertyKey[], message: string) => Diagnostic;
}

function collectItems(
  parsed: ParsedFile<ContentFile>,
  file: ContentFile,
  items: Map<string, Placed[]>,
  diagnostics: Diagnostic[],
): void {
  if (file.contents.length === 0) return;
  if (file.language === undefined) {
    diagnostics.push(parsed.at(["contents"], "contents need a language: at the top of the file"));
    return;
  }
  const placed = items.get(file.language) ?? [];
  items.set(file.language, placed);
  for (const [index, item] of file.contents.entries()) {
    placed.push({ item, at: (path, message) => parsed.at(["contents", index, ...path], message) });
  }
}

function collectAppData(
  parsed: ParsedFile<ContentFile>,
  file: ContentFile,
  appData: Map<string, readonly AppDatum[]>,
  diagnostics: Diagnostic[],
): void {
  for (const [id, values] of Object.entries(file.appData)) {
    if (appData.has(id)) {
      diagnostics.push(parsed.at(["appData", id], `app data "${id}" is defined twice`));
    }
    appData.set(
      id,
      Object.entries(values).map(([name, value]) => ({ name, value })),
    );
  }
}

/** What one content can't see alone: ids and direct-call names are used once, and related contents exist. */
function checkReferences(placed: readonly Placed[]): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  const ids = new Set(placed.map(({ item }) => item.id));
  const seen = new Set<number | string>();
  const once = (value: number | string | null, { at }: Placed, key: string): void => {
    if (value === null) return;
    if (seen.has(value)) diagnostics.push(at([key], `${key} ${value} is used twice`));
    seen.add(value);
  };
  for (const one of placed) {
    once(one.item.id, one, "id");
    once(one.item.directCall, one, "directCall");
    for (const [index, id] of one.item.related.entries()) {
      if (!ids.has(id)) {
        diagnostics.push(one.at(["related", index], `there is no content ${id} in this language`));
      } else if (id === one.item.id) {
        diagnostics.push(one.at(["related", index], "a content cannot be related to itself"));
      }
    }
  }
  return diagnostics;
}

function mapValues<A, B>(map: ReadonlyMap<string, A>, change: (value: A) => B): Map<string, B> {
  return new Map([...map].map(([key, value]) => [key, change(value)]));
}
