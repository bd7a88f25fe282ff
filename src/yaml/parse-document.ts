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

/** How deeply lists and mappings may be nested. Afterword's own files have at most ten levels. */
const MAX_DEPTH = 64;

/** Limits the aliases of a file, because each takes time that grows with the number of anchors. */
export const MAX_ALIASES = 1000;

/** Limits the errors, because each is an object with a stack, and a file may have one per comma. */
const MAX_ERRORS = 20;

/**
 * Parses one YAML 1.2 document in time that grows linearly with its length. The library's own
 * `parseDocument` compares each key with all keys before it, has no limit for nested brackets, and
 * creates an error for each of a million mistakes.
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
  if (document === undefined) throw new Error("the YAML composer returned no document");
  const { value: second } = documents.next();
  if (second !== undefined) {
    const [start, end] = second.range;
    found.push(new YAMLParseError([start, end], "MULTIPLE_DOCS", "a second document"));
  }
  checkNodes(document, found);
  document.errors = [...document.errors, ...found].toSorted((a, b) => a.pos[0] - b.pos[0]);
  return document;
}

/** Replaces the composer's own error callback, which has no option. Warnings are not used. */
function limitErrors(composer: Composer): void {
  const describe: unknown = composer["onError"];
  if (typeof describe !== "function") throw new Error("the YAML composer has no onError callback");
  let count = 0;
  composer["onError"] = (source: unknown, code: unknown, message: unknown, isWarning: unknown) => {
    if (isWarning === true) return;
    count += 1;
    if (count <= MAX_ERRORS) describe(source, code, message);
  };
}

/**
 * Yields the tokens of a text, up to the position where they are nested too deeply or have had too
 * many errors.
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
