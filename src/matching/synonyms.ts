import type { Token } from "./analysis.ts";

/**
 * Replaces words and phrases that mean the same by the first of their group, in titles and
 * questions alike.
 *
 * @param groups each a list of texts that mean the same
 */
export function createSynonyms(
  groups: readonly (readonly string[])[],
  tokensOf: (text: string) => readonly Token[],
): (tokens: readonly Token[]) => readonly Token[] {
  // By the first stem of what is replaced; the longest first.
  const rules = new Map<string, { from: readonly Token[]; to: readonly Token[] }[]>();
  for (const group of groups) {
    const [to, ...others] = group.map((text) => tokensOf(text)).filter((list) => list.length > 0);
    if (to === undefined) continue;
    for (const from of others) {
      const first = from[0]?.stem ?? "";
      const known = rules.get(first) ?? [];
      known.push({ from, to });
      known.sort((one, other) => other.from.length - one.from.length);
      rules.set(first, known);
    }
  }
  if (rules.size === 0) return (tokens) => tokens;
  return (tokens) => {
    const out: Token[] = [];
    for (let at = 0; at < tokens.length;) {
      const rule = rules
        .get(tokens[at]?.stem ?? "")
        ?.find(({ from }) => from.every((token, k) => token.stem === tokens[at + k]?.stem));
      const token = tokens[at];
      if (rule !== undefined) out.push(...rule.to);
      else if (token !== undefined) out.push(token);
      at += rule?.from.length ?? 1;
    }
    return out;
  };
}
