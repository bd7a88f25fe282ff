import {
  Composer,
  type CST,
  type Document,
  type DocumentOptions,
  isScalar,
  Lexer,
  type ParseOptions,
  Parser,
  type SchemaOptions,
  visit,
  YAMLParseError,
} from "yaml";

/** Levels of lists and mappings in one another. Messages, contents and configurations have ten. */
const MAX_DEPTH = 64;

/** The time for each alias grows with the number of anchors. */
export const MAX_ALIASES = 1000;

/** Further mistakes are not described: each would be an object with a stack, for every comma. */
const MAX_ERRORS = 20;

/**
 * Parses one YAML 1.2 document in time that grows with its length alone. The library's own
 * `parseDocument` compares each key with all before it, opens as many brackets as there are, and
 * describes each of a million mistakes.
 */
export function parseDocumentWithin(
  text: string,
  options: DocumentOptions & ParseOptions & SchemaOptions = {},
): Document.Parsed {
  const usual = { version: "1.2", schema: "core", merge: false, stringKeys: true } as const;
  const composer = new Composer({ ...usual, ...options, prettyErrors: false, uniqueKeys: false });
  limitErrors(composer);
  const found: YAMLParseError[] = [];
  const documents = composer.compose(readTokens(text, found), true, text.length);
  const { value: document } = documents.next();
  if (document === undefined) throw new Error("the composer gives a document for any text");
  const { value: second } = documents.next();
  if (second !== undefined) {
    const [start, end] = second.range;
    found.push(new YAMLParseError([start, end], "MULTIPLE_DOCS", "a second document"));
  }
  checkNodes(document, found);
  document.errors = [...document.errors, ...found].toSorted((a, b) => a.pos[0] - b.pos[0]);
  return document;
}

/** The composer has no option for this, and its warnings are not used. */
function limitErrors(composer: Composer): void {
  const describe: unknown = composer["onError"];
  if (typeof describe !== "function") throw new Error("the composer describes mistakes otherwise");
  let count = 0;
  composer["onError"] = (source: unknown, code: unknown, message: unknown, isWarning: unknown) => {
    if (isWarning === true) return;
    count += 1;
    if (count <= MAX_ERRORS) describe(source, code, message);
  };
}

/**
 * Reads the parts of a text up to the position where they are nested too deeply, or are invalid for
 * too long.
 */
function* readTokens(text: string, found: YAMLParseError[]): Generator<CST.Token, void> {
  const parser = new Parser();
  let errors = 0;
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) {
      if (token.type === "error") errors += 1;
      yield token;
    }
    if (errors >= MAX_ERRORS) break;
    // The stack begins with the document.
    if (parser.stack.length <= MAX_DEPTH + 1) continue;
    const pos: [number, number] = [parser.offset - lexeme.length, parser.offset];
    const message = `lists and mappings are nested in more than ${MAX_DEPTH} levels here`;
    found.push(new YAMLParseError(pos, "RESOURCE_EXHAUSTION", message));
    break;
  }
  yield* parser.end();
}

/** Finds duplicate keys, and too many aliases. */
function checkNodes(document: Document.Parsed, found: YAMLParseError[]): void {
  let aliases = 0;
  visit(document, {
    Alias(_, { range }) {
      aliases += 1;
      if (aliases <= MAX_ALIASES) return undefined;
      const [start, end] = range ?? [0, 0];
      const message = `this file has more than ${MAX_ALIASES} aliases`;
      found.push(new YAMLParseError([start, end], "RESOURCE_EXHAUSTION", message));
      return visit.BREAK;
    },
    Map(_, { items }) {
      const keys = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (keys.has(key.value) && found.length < MAX_ERRORS) {
          const [start, end] = key.range ?? [0, 0];
          found.push(new YAMLParseError([start, end], "DUPLICATE_KEY", "a key stands here twice"));
        }
        keys.add(key.value);
      }
    },
  });
}
