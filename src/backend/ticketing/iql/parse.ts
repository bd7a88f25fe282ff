export type ParsedCondition =
  | { readonly ok: true; readonly condition: TicketCondition }
  /** `at` is the position of the mistake in UTF-16 code units, from 1. */
  | { readonly ok: false; readonly message: string; readonly at: number };

const MAX_DEPTH = 50;

/** Parses a condition: `queue IS 2 AND (status IS NOT 3 OR title IS EMPTY)`; AND binds tighter. */
export function parseIql(text: string): ParsedCondition {
  const tokens = tokenize(text);
  if (!tokens.ok) return tokens;
  const parser = new Parser(tokens.tokens, text.length + 1);
  try {
    const condition = parser.parseDisjunction(0);
    parser.expectEnd();
    return { ok: true, condition };
  } catch (error) {
    if (error instanceof IqlError) return { ok: false, message: error.message, at: error.at };
    throw error;
  }
}

class IqlError extends Error {
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

class Parser {
  readonly #tokens: readonly Token[];
  readonly #length: number;
  #next = 0;

  constructor(tokens: readonly Token[], length: number) {
    this.#tokens = tokens;
    this.#length = length;
  }

  parseDisjunction(depth: number): TicketCondition {
    const parts = [this.#parseConjunction(depth)];
    while (this.#takeWord("OR")) parts.push(this.#parseConjunction(depth));
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { any: parts };
  }

  expectEnd(): void {
    const rest = this.#tokens[this.#next];
    if (rest !== undefined) throw new IqlError(`expected AND or OR, not ${rest.shown}`, rest.at);
  }

  #parseConjunction(depth: number): TicketCondition {
    const parts = [this.#parseSingle(depth)];
    while (this.#takeWord("AND")) parts.push(this.#parseSingle(depth));
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { all: parts };
  }

  #parseSingle(depth: number): TicketCondition {
    const token = this.#takeToken("a field or an opening parenthesis");
    if (token.kind !== "(") return this.#parseComparison(token);
    if (depth >= MAX_DEPTH) throw new IqlError("is nested too deeply", token.at);
    const inner = this.parseDisjunction(depth + 1);
    const closing = this.#takeToken("a closing parenthesis");
    if (closing.kind !== ")") throw new IqlError("expected a closing parenthesis", closing.at);
    return inner;
  }

  #parseComparison(token: Token): Comparison {
    if (token.kind !== "word") throw new IqlError(`expected a field, not ${token.shown}`, token.at);
    const field = token.text;
    const operator = this.#parseOperator();
    if (operator === "IS EMPTY" || operator === "IS NOT EMPTY") {
      return { field, at: token.at, operator, operand: null };
    }
    return { field, at: token.at, operator, operand: this.#parseOperand() };
  }

  #parseOperator(): IqlOperator {
    const token = this.#takeToken("an operator");
    if (token.kind === "sign") return token.text;
    if (token.kind !== "word" || token.text.toUpperCase() !== "IS") {
      throw new IqlError(
        `expected IS, IS NOT, IS EMPTY, IS NOT EMPTY, >, <, >= or <=, not ${token.shown}`,
        token.at,
      );
    }
    const not = this.#takeWord("NOT");
    if (this.#takeWord("EMPTY")) return not ? "IS NOT EMPTY" : "IS EMPTY";
    return not ? "IS NOT" : "IS";
  }

  #parseOperand(): Operand {
    const token = this.#takeToken("a number or a quoted text");
    if (token.kind === "number" || token.kind === "text") return token.value;
    throw new IqlError(`expected a number or a quoted text, not ${token.shown}`, token.at);
  }

  /** Takes the next token when it is this word, in any letter case. */
  #takeWord(word: string): boolean {
    const token = this.#tokens[this.#next];
    if (token?.kind !== "word" || token.text.toUpperCase() !== word) return false;
    this.#next += 1;
    return true;
  }

  #takeToken(expected: string): Token {
    const token = this.#tokens[this.#next];
    if (token === undefined) throw new IqlError(`expected ${expected} at the end`, this.#length);
    this.#next += 1;
    return token;
  }
}

type Token = { readonly at: number; readonly shown: string } & (
  | { readonly kind: "word"; readonly text: string }
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "text"; readonly value: string }
  | { readonly kind: "sign"; readonly text: ">" | "<" | ">=" | "<=" }
  | { readonly kind: "(" | ")" }
);

type Tokens =
  | { readonly ok: true; readonly tokens: readonly Token[] }
  | { readonly ok: false; readonly message: string; readonly at: number };

const MAX_LENGTH = 4000;

// A quote within a text is written twice or with a backslash.
const tokenPattern =
  /\s*(?:(?<open>\()|(?<close>\))|(?<sign>[<>]=?)|(?<number>-?\d+(?:\.\d+)?)(?![\w.-])|(?<word>[A-Za-z_][\w.-]*)|"(?<double>(?:[^"\\]|\\.|"")*)"|'(?<single>(?:[^'\\]|\\.|'')*)')/suy;

/** Splits a condition into tokens. A token's position is that of its first character, from 1. */
function tokenize(text: string): Tokens {
  if (text.length > MAX_LENGTH) {
    return { ok: false, message: `is longer than ${MAX_LENGTH} characters`, at: MAX_LENGTH + 1 };
  }
  const tokens: Token[] = [];
  const end = text.trimEnd().length;
  tokenPattern.lastIndex = 0;
  while (tokenPattern.lastIndex < end) {
    const start = tokenPattern.lastIndex;
    const match = tokenPattern.exec(text);
    if (match === null) {
      const at = start + (/^\s*/.exec(text.slice(start))?.[0].length ?? 0) + 1;
      return { ok: false, message: "cannot be read from here", at };
    }
    const spaces = match[0].length - match[0].trimStart().length;
    tokens.push(toToken(match, start + spaces + 1));
  }
  return { ok: true, tokens };
}

function toToken(match: RegExpExecArray, at: number): Token {
  const { open, sign, number, word, double, single } = match.groups ?? {};
  const shown = match[0].trim().slice(0, 40);
  if (word !== undefined) return { kind: "word", text: word, at, shown };
  if (number !== undefined) return { kind: "number", value: Number(number), at, shown };
  if (sign === ">" || sign === "<" || sign === ">=" || sign === "<=") {
    return { kind: "sign", text: sign, at, shown };
  }
  if (double !== undefined) return { kind: "text", value: removeQuotes(double, '"'), at, shown };
  if (single !== undefined) return { kind: "text", value: removeQuotes(single, "'"), at, shown };
  return { kind: open === undefined ? ")" : "(", at, shown };
}

function removeQuotes(text: string, quote: string): string {
  return text.replaceAll(/\\(.)|""|''/gsu, (all, escaped: string | undefined) => {
    if (escaped !== undefined) return escaped;
    return all === quote + quote ? quote : all;
  });
}

export type IqlOperator = "IS" | "IS NOT" | "IS EMPTY" | "IS NOT EMPTY" | ">" | "<" | ">=" | "<=";

type Operand = string | number;

export interface Comparison {
  readonly field: string;
  /** The position of its first character, from 1. */
  readonly at: number;
  readonly operator: IqlOperator;
  /** Null for EMPTY. */
  readonly operand: Operand | null;
}

export type TicketCondition =
  | Comparison
  | { readonly all: readonly TicketCondition[] }
  | { readonly any: readonly TicketCondition[] };
