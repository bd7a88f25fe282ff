export type Token = { readonly at: number; readonly shown: string } & (
  | { readonly kind: "word"; readonly text: string }
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "text"; readonly value: string }
  | { readonly kind: "sign"; readonly text: ">" | "<" | ">=" | "<=" }
  | { readonly kind: "(" | ")" }
);

export type Tokens =
  | { readonly ok: true; readonly tokens: readonly Token[] }
  | { readonly ok: false; readonly message: string; readonly at: number };

const longest = 4000;

// A quote within a text is written twice or with a backslash.
const pattern =
  /\s*(?:(?<open>\()|(?<close>\))|(?<sign>[<>]=?)|(?<number>-?\d+(?:\.\d+)?)(?![\w.-])|(?<word>[A-Za-z_][\w.-]*)|"(?<double>(?:[^"\\]|\\.|"")*)"|'(?<single>(?:[^'\\]|\\.|'')*)')/suy;

/** Takes a condition apart. Every position is that of the first character of a token, from 1. */
export function tokenize(text: string): Tokens {
  if (text.length > longest) {
    return { ok: false, message: `is longer than ${longest} characters`, at: longest + 1 };
  }
  const tokens: Token[] = [];
  const end = text.trimEnd().length;
  pattern.lastIndex = 0;
  while (pattern.lastIndex < end) {
    const start = pattern.lastIndex;
    const match = pattern.exec(text);
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
  if (double !== undefined) return { kind: "text", value: unquoted(double, '"'), at, shown };
  if (single !== undefined) return { kind: "text", value: unquoted(single, "'"), at, shown };
  return { kind: open === undefined ? ")" : "(", at, shown };
}

function unquoted(text: string, quote: string): string {
  return text.replaceAll(/\\(.)|""|''/gsu, (all, escaped: string | undefined) => {
    if (escaped !== undefined) return escaped;
    return all === quote + quote ? quote : all;
  });
}
