import {
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Node,
  type Scalar,
  visit,
  type YAMLError,
} from "yaml";
import type { Reporter } from "./diagnostic.ts";
import { substituteEnvironment } from "./environment.ts";
import { parseDocumentWithin } from "./parse-document.ts";
import type { Environment } from "./source.ts";
import { nameOfBlank, findStrayBlank } from "./stray-blanks.ts";
import { positionAt, START, type Source, type Span } from "./source.ts";

/** Keys and indexes from the root to a value. */
export type Path = readonly PropertyKey[];

/** A parsed YAML file that still knows where everything stood. */
export interface YamlFile {
  readonly source: Source;
  /** Plain data; null for a file of comments only. */
  readonly value: unknown;
  /** The place of a path's value or key; the nearest existing part when it leads nowhere. */
  locate(path: Path, part?: "key" | "value"): Span;
  /** A scalar as written, before `${NAME}` was filled in; null for anything else. */
  written(path: Path): string | null;
  /** Place of an unquoted `no`: YAML 1.1 readers (editors, deployment tools) take it for false. */
  plainNo(): readonly Span[];
}

/** Limit of values that aliases expand to ("billion laughs"). */
const MAX_ALIASES = 100;

/**
 * Parses YAML 1.2 (core schema: `no` and `2018-06-01` are strings). Duplicate keys, tabs, several
 * documents, keys that are no strings, alias bombs and hopeless nesting are reported with their
 * place, and give null.
 */
export function parseYaml(
  source: Source,
  reporter: Reporter,
  environment: Environment | null = null,
): YamlFile | null {
  try {
    const document = parseDocumentWithin(source.text);
    const blank = findStrayBlank(document, source);
    if (blank !== null) {
      const name = nameOfBlank(source.text.charAt(blank.start));
      const message = `${name} stands here, where YAML wants plain spaces`;
      reporter.error(
        source,
        blank,
        "yaml",
        message,
        "Put spaces in place of every such character.",
      );
      return null;
    }
    if (document.errors.length > 0) {
      reportErrors(document, source, reporter);
      return null;
    }
    const refers = environment !== null && source.text.includes("${");
    if (refers && !substituteEnvironment(document, source, environment, reporter)) return null;
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
    return createYamlFile(source, value, environment === null ? null : document);
  } catch (error) {
    reporter.error(source, findFirstAlias(source), "yaml", giveUp(error));
    return null;
  }
}

/** Errors after the first few are mostly their echo. */
const MAX_ERRORS = 5;

function reportErrors(document: Document.Parsed, source: Source, reporter: Reporter): void {
  const { errors } = document;
  const excess = errors.find(({ code }) => code === "RESOURCE_EXHAUSTION");
  if (excess !== undefined) {
    const [start, end] = excess.pos;
    reporter.error(source, { start, end }, "yaml", excess.message);
    return;
  }
  const tab = errors.find(({ code }) => code === "TAB_AS_INDENT");
  if (tab !== undefined) {
    const message = "a tab stands at the beginning of a line, where YAML wants spaces";
    const span = { start: tab.pos[0], end: tab.pos[1] };
    reporter.error(source, span, "yaml", message, "Put spaces in place of every such tab.");
    return;
  }
  let unquoted = -1;
  for (const { code, message, pos } of errors.slice(0, MAX_ERRORS)) {
    const [start, end] = pos;
    const open = leftOpenAt(document, code, message, start);
    if (open !== null) {
      const sign = source.text.charAt(open);
      const hint = `Put ${CLOSED_BY[sign] ?? `${sign} where the text ends`}.`;
      const text = `${sign} opens here and is not closed`;
      reporter.error(source, { start: open, end: open + 1 }, "yaml", text, hint);
      // It takes in what was meant to follow, and the rest is its echo.
      return;
    }
    const { line } = positionAt(source, start);
    // Errors in the same line are this mistake's echo.
    if (line === unquoted) continue;
    const unquotedText = findUnquotedFault(code, message, source, start);
    if (unquotedText !== null) {
      reporter.error(source, { start, end }, "yaml", unquotedText, "Put the text in quotes.");
      unquoted = line;
      continue;
    }
    if (code === "MULTIPLE_DOCS") {
      const hint = "Put each into a file of its own, or leave out the line ---.";
      const text = "a second document begins here, and a file holds one";
      reporter.error(source, { start, end }, "yaml", text, hint);
      return;
    }
    if (code === "DUPLICATE_KEY") {
      const [key = ""] = /^[^\s:]*/.exec(source.text.slice(start)) ?? [];
      const span = { start, end: start + Math.max(1, key.length) };
      const text = `the key ${key} stands here twice`;
      reporter.error(source, span, "duplicate", text, null, { name: key });
      continue;
    }
    const [text, hint] = PLAINER.get(message.split("\n", 1)[0] ?? "") ?? [toSentence(message)];
    reporter.error(source, { start, end }, "yaml", text, hint);
  }
}

/** Messages of the parser in the words of its grammar, each with one in authors' words and the cure. */
const PLAINER: ReadonlyMap<string, readonly [message: string, hint: string]> = new Map([
  [
    "Implicit map keys need to be followed by map values",
    ["this line has no colon", "Write KEY: VALUE, or put quotes around the whole text before it."],
  ],
  [
    "Implicit keys need to be on a single line",
    ["a key and its colon stand in one line", "Write KEY: VALUE, with one key a line."],
  ],
  [
    "All mapping items must start at the same column",
    [
      "this line begins further left or right than its neighbours",
      "Give lines that belong together the same indentation.",
    ],
  ],
  [
    "All sequence items must start at the same column",
    [
      "this line begins further left or right than its neighbours",
      "Give lines that belong together the same indentation.",
    ],
  ],
  [
    "Sequence item without - indicator",
    ["this line stands in a list and has no hyphen", 'Begin every item of the list with "- ".'],
  ],
] as const);

const CLOSED_BY: Readonly<Record<string, string>> = {
  "[": "] where the list ends",
  "{": "} where the mapping ends",
};

/** The parser complains where it gave up: the place of the quote or bracket left open, or null. */
function leftOpenAt(
  document: Document.Parsed,
  code: YAMLError["code"],
  message: string,
  end: number,
): number | null {
  const quote = code === "MISSING_CHAR" && message.startsWith("Missing closing");
  const bracket = message.startsWith("Flow ") && /and end with a [\]}]/.test(message);
  if (!quote && !bracket) return null;
  let open: number | null = null;
  // The innermost of those that end there.
  visit(document, {
    Node(_, node) {
      if (isAlias(node) || node.range?.[1] !== end) return;
      const opens = isScalar(node) ? quote && node.type !== "PLAIN" : bracket && node.flow === true;
      if (opens) open = node.range[0];
    },
  });
  return open;
}

/** How the parser reads an unquoted text, in authors' words; null for any other mistake. */
function findUnquotedFault(
  code: YAMLError["code"],
  message: string,
  source: Source,
  start: number,
): string | null {
  const from = source.text.lastIndexOf("\n", start - 1) + 1;
  const behindKey = /^[ \t]*(?:- +)?["']?[\w.-]+["']?: +\S/.test(
    source.text.slice(from, start + 1),
  );
  if (!behindKey) return null;
  if (code === "BLOCK_AS_IMPLICIT_KEY") {
    return "this text has a colon and a space, which begin a mapping where there are no quotes";
  }
  const [first = ""] = source.text.slice(start);
  if (code === "BAD_SCALAR_START") {
    return `a text without quotes cannot begin with ${first}`;
  }
  if (code === "NON_STRING_KEY") return "a text without quotes cannot begin with {";
  return message.startsWith("Unexpected scalar at node end")
    ? "quotes or brackets end here, and the text goes on"
    : null;
}

const TOO_DEEP = "this is nested too deeply";

/**
 * @param kept null: the document is parsed once more when the first place is asked for. Few files
 *   are ever asked, and ten
 *   thousand documents would be a hundred megabytes to carry through a load.
 */
function createYamlFile(source: Source, value: unknown, kept: Document.Parsed | null): YamlFile {
  let known = kept;
  const documentOf = (): Document.Parsed => (known ??= parseDocumentWithin(source.text));
  return {
    source,
    value,
    locate(path, part = "value") {
      return spanOf(walk(documentOf(), path, part));
    },
    written(path) {
      const node = walk(documentOf(), path, "value");
      const written = isScalar(node) ? spanOf(node) : null;
      return written === null ? null : source.text.slice(written.start, written.end);
    },
    plainNo() {
      const found: Span[] = [];
      if (!LONE_NO.test(source.text)) return found;
      visit(documentOf(), {
        Pair(_, { key }) {
          // Words that readers type: Norwegian is not meant there.
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

/** A scalar `no` has no letter, digit or hyphen beside it, as `no-results` has. */
const LONE_NO = /(?<![\w-])no(?![\w-])/i;

/** The deepest node along the path. For `key`, the last step ends at the key's node. */
function walk(document: Document.Parsed, path: Path, part: "key" | "value"): Node | null {
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

function findFirstAlias(source: Source): Span {
  const start = source.text.search(/[&*][A-Za-z0-9_-]+/);
  return start === -1 ? START : { start, end: start + 2 };
}

function giveUp(error: unknown): string {
  if (error instanceof RangeError) return TOO_DEEP;
  const message = error instanceof Error ? error.message : "";
  return message.includes("alias")
    ? "anchors and aliases would grow to an enormous document"
    : `this can't be read as YAML${message === "" ? "" : `: ${toSentence(message)}`}`;
}

function toSentence(message: string): string {
  return (message.split("\n", 1)[0] ?? "").replace(/ at line \d+, column \d+:?$/, "");
}
