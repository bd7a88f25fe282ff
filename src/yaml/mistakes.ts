import { type Document, isAlias, isScalar, visit, type YAMLError } from "yaml";
import type { Reporter } from "./diagnostic.ts";
import { positionAt, type Source, type Span } from "./source.ts";
import { codeOfBlank, findStrayBlank, nameOfBlank } from "./stray-blanks.ts";

/**
 * Reports mistakes in YAML in authors' words. `mistake` names the sentence of a page, where it has
 * one. Returns true if there were any.
 */
export function reportMistakes(
  document: Document.Parsed,
  source: Source,
  reporter: Reporter,
): boolean {
  const blank = findStrayBlank(document, source);
  if (blank !== null) {
    const sign = source.text.charAt(blank.start);
    const message = `${nameOfBlank(sign)} stands here, where YAML wants plain spaces`;
    const hint = "Put spaces in place of every such character.";
    const params = { mistake: "blank", character: codeOfBlank(sign) };
    reporter.error(source, blank, "yaml", message, hint, params);
    return true;
  }
  if (document.errors.length === 0) return false;
  reportErrors(document, source, reporter);
  return true;
}

/** Shortens a message of the parser to its first sentence. */
export function toSentence(message: string): string {
  return (message.split("\n", 1)[0] ?? "").replace(/ at line \d+, column \d+:?$/, "");
}

/** Later errors are mostly consequences of the first ones. */
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
    const hint = "Put spaces in place of every such tab.";
    reporter.error(source, span, "yaml", message, hint, { mistake: "tab" });
    return;
  }
  let explained = -1;
  for (const { code, message, pos } of errors.slice(0, MAX_ERRORS)) {
    const [start, end] = pos;
    const open = findUnclosed(document, code, message, start);
    if (open !== null) {
      const sign = source.text.charAt(open);
      const hint = `Put ${CLOSED_BY[sign] ?? `${sign} where the text ends`}.`;
      const text = `${sign} opens here and is not closed`;
      const span = { start: open, end: open + 1 };
      reporter.error(source, span, "yaml", text, hint, { mistake: "open", sign });
      // The open text contains the rest of the file, so later errors only follow from it.
      return;
    }
    const { line } = positionAt(source, start);
    // Further errors in this line follow from the same mistake.
    if (line === explained) continue;
    const unquotedText = findUnquotedFault(code, message, source, start);
    if (unquotedText !== null) {
      reportUnquoted(source, { start, end }, reporter, unquotedText);
      explained = line;
      continue;
    }
    if (code === "MULTIPLE_DOCS") {
      const hint = "Put each into a file of its own, or leave out the line ---.";
      const text = "a second document begins here, and a file holds one";
      const params = { mistake: "documents", sign: "---" };
      reporter.error(source, { start, end }, "yaml", text, hint, params);
      return;
    }
    if (code === "DUPLICATE_KEY") {
      const [key = ""] = /^[^\s:]*/.exec(source.text.slice(start)) ?? [];
      const span = { start, end: start + Math.max(1, key.length) };
      const text = `the key ${key} stands here twice`;
      reporter.error(source, span, "duplicate", text, null, { name: key });
      continue;
    }
    const plainer = PLAIN_MESSAGES.get(message.split("\n", 1)[0] ?? "");
    const [mistake, text, hint] = plainer ?? [null, toSentence(message)];
    if (mistake === "indent") explained = line;
    const params = mistake === null ? undefined : { mistake };
    reporter.error(source, { start, end }, "yaml", text, hint, params);
  }
}

/** Reports a text that needs quotes. The default message is about its first character. */
export function reportUnquoted(
  source: Source,
  span: Span,
  reporter: Reporter,
  message: string = describeFirst(source.text.charAt(span.start)),
): void {
  const hint = "Put the text in quotes.";
  reporter.error(source, span, "yaml", message, hint, { mistake: "unquoted" });
}

function describeFirst(sign: string): string {
  return `a text without quotes cannot begin with ${sign}`;
}

type PlainMistake = readonly [name: string, message: string, hint: string];

const INDENTED: PlainMistake = [
  "indent",
  "this line begins further left or right than its neighbours",
  "Give lines that belong together the same indentation.",
];

/**
 * Messages of the parser in the words of its grammar, each with the name of the mistake for pages,
 * a message in authors' words and the cure.
 */
const PLAIN_MESSAGES: ReadonlyMap<string, PlainMistake> = new Map<string, PlainMistake>([
  [
    "Implicit map keys need to be followed by map values",
    [
      "colon",
      "this line has no colon",
      "Write KEY: VALUE, or put quotes around the whole text before it.",
    ],
  ],
  [
    "Implicit keys need to be on a single line",
    ["colon", "a key and its colon stand in one line", "Write KEY: VALUE, with one key a line."],
  ],
  ["All mapping items must start at the same column", INDENTED],
  ["All sequence items must start at the same column", INDENTED],
  ["A block sequence may not be used as an implicit map key", INDENTED],
  [
    "Sequence item without - indicator",
    [
      "hyphen",
      "this line stands in a list and has no hyphen",
      'Begin every item of the list with "- ".',
    ],
  ],
]);

const CLOSED_BY: Readonly<Record<string, string>> = {
  "[": "] where the list ends",
  "{": "} where the mapping ends",
};

/** Finds the quote or bracket that is not closed. The parser reports only where it gave up. */
function findUnclosed(
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

/** Explains how the parser read an unquoted text; null for any other mistake. */
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
  const isStar = first === "*" && message.startsWith("Alias cannot be");
  if (code === "BAD_SCALAR_START" || isStar) return describeFirst(first);
  if (code === "NON_STRING_KEY") return describeFirst(first === "*" ? first : "{");
  return message.startsWith("Unexpected scalar at node end")
    ? "quotes or brackets end here, and the text goes on"
    : null;
}
