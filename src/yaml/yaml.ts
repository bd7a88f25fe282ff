import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Node,
  type Scalar,
  visit,
} from "yaml";
import type { Reporter } from "./diagnostic.ts";
import { substituteEnvironment } from "./environment.ts";
import { parseDocumentWithin } from "./parse-document.ts";
import type { Environment } from "./source.ts";
import { reportMistakes, reportUnquoted, toSentence } from "./mistakes.ts";
import { START, type Source, type Span } from "./source.ts";

/** Keys and indexes from the root to a value. */
export type Path = readonly PropertyKey[];

/** A parsed YAML file with the positions of its values. */
export interface YamlFile {
  readonly source: Source;
  /** Plain data; null for a file of comments only. */
  readonly value: unknown;
  /** Locates a path's value or key, or its nearest existing parent. */
  locate(path: Path, part?: "key" | "value"): Span;
  /** Returns a scalar as the file has it, before `${NAME}` was replaced; null for other nodes. */
  written(path: Path): string | null;
  /** Locates each unquoted `no`, which YAML 1.1 readers (editors, deployment tools) read as false. */
  findUnquotedNo(): readonly Span[];
}

/** Limits the values that the aliases of a file expand to ("billion laughs"). */
const MAX_ALIASES = 100;

/**
 * Parses YAML 1.2 (core schema: `no` and `2018-06-01` are strings). Duplicate keys, tabs, several
 * documents, keys other than strings, alias bombs and too deep nesting are reported with their
 * positions. The result is then null.
 */
export function parseYaml(
  source: Source,
  reporter: Reporter,
  environment: Environment | null = null,
): YamlFile | null {
  let document: Document.Parsed | null = null;
  try {
    document = parseDocumentWithin(source.text);
    if (reportMistakes(document, source, reporter)) return null;
    const hasReference = environment !== null && source.text.includes("${");
    if (hasReference && !substituteEnvironment(document, source, environment, reporter))
      return null;
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
    return createYamlFile(source, value, environment === null ? null : document);
  } catch (error) {
    const lone = isUnresolved(error) ? findAlias(document, (node, of) => !node.resolve(of)) : null;
    if (lone !== null) reportUnquoted(source, lone, reporter);
    else {
      const alias = findAlias(document, () => true) ?? START;
      reporter.error(source, alias, "yaml", explainFailure(error));
    }
    return null;
  }
}

const TOO_DEEP = "this is nested too deeply";

/**
 * @param kept null if the document is parsed again when the first position is needed. Few files
 *   need one, and ten thousand documents would take a hundred megabytes while a configuration
 *   loads.
 */
function createYamlFile(source: Source, value: unknown, kept: Document.Parsed | null): YamlFile {
  let known = kept;
  const documentOf = (): Document.Parsed => (known ??= parseDocumentWithin(source.text));
  return {
    source,
    value,
    locate(path, part = "value") {
      return spanOf(findNode(documentOf(), path, part));
    },
    written(path) {
      const node = findNode(documentOf(), path, "value");
      const written = isScalar(node) ? spanOf(node) : null;
      return written === null ? null : source.text.slice(written.start, written.end);
    },
    findUnquotedNo() {
      const found: Span[] = [];
      if (!LONE_NO.test(source.text)) return found;
      visit(documentOf(), {
        Pair(_, { key }) {
          // Readers type these words, so `no` is a word here and not Norwegian.
          return toKeyText(key) === "words" ? visit.SKIP : undefined;
        },
        Scalar(_, node) {
          const span = spanOf(node);
          if (/^no$/i.test(source.text.slice(span.start, span.end))) found.push(span);
        },
      });
      return found;
    },
  };
}

/** Matches the word `no`, but not the `no` of `no-results`. */
const LONE_NO = /(?<![\w-])no(?![\w-])/i;

/** Finds the deepest existing node along the path; for `key`, the last key itself. */
function findNode(document: Document.Parsed, path: Path, part: "key" | "value"): Node | null {
  let node: Node | null = document.contents;
  for (const [index, step] of path.entries()) {
    const holder: Node | null = isAlias(node) ? (node.resolve(document) ?? null) : node;
    let next: unknown;
    if (isMap(holder)) {
      const pair = holder.items.find(
        (item) => isPair(item) && toKeyText(item.key) === String(step),
      );
      next = index === path.length - 1 && part === "key" ? pair?.key : (pair?.value ?? pair?.key);
    } else if (isSeq(holder)) {
      next = holder.items[Number(step)];
    }
    if (!isNode(next)) return node;
    node = next;
  }
  return node;
}

function isNode(value: unknown): value is Node {
  return isScalar(value) || isMap(value) || isSeq(value) || isAlias(value);
}

function toKeyText(key: unknown): string | null {
  return isScalar(key) ? String((key satisfies Scalar).value) : null;
}

function spanOf(node: Node | null): Span {
  const range = node?.range;
  return range === null || range === undefined ? START : { start: range[0], end: range[1] };
}

/** Finds the first alias that the filter accepts. */
function findAlias(
  document: Document.Parsed | null,
  filter: (alias: Alias, document: Document.Parsed) => boolean,
): Span | null {
  let span: Span | null = null;
  if (document === null) return span;
  visit(document, {
    Alias(_, node) {
      if (!filter(node, document)) return undefined;
      span = spanOf(node);
      return visit.BREAK;
    },
  });
  return span;
}

/** True for an alias without an anchor, which is mostly a text such as `*.example.com`. */
function isUnresolved(error: unknown): boolean {
  return error instanceof ReferenceError && error.message.startsWith("Unresolved alias");
}

function explainFailure(error: unknown): string {
  if (error instanceof RangeError) return TOO_DEEP;
  const message = error instanceof Error ? error.message : "";
  return message.includes("alias")
    ? "anchors and aliases would grow to an enormous document"
    : `this can't be read as YAML${message === "" ? "" : `: ${toSentence(message)}`}`;
}
