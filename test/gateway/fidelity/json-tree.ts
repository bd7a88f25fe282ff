/**
 * The position of a value in a JSON text, in UTF-16 units. Of members with the same name the last
 * one counts, as in parsers.
 */
export interface Tree {
  readonly start: number;
  end: number;
  readonly members: Map<string, Tree> | null;
  readonly items: Tree[] | null;
}

/**
 * The values of a text that JSON.parse accepts, by a tokenizer that is independent of the product's
 * scanner. Depth is limited by memory only.
 */
export function treeOf(text: string): Tree {
  const root: Tree = { start: 0, end: text.length, members: null, items: [] };
  const open: Frame[] = [{ tree: root, name: null }];
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    const frame = open.at(-1);
    if (frame === undefined) throw new Error("unreachable: more brackets closed than opened");
    if (token === "}" || token === "]") {
      frame.tree.end = index + 1;
      open.pop();
    } else if (token === "," || token === ":") {
      continue;
    } else if (frame.tree.members !== null && frame.name === null) {
      frame.name = String(JSON.parse(token));
    } else {
      const tree: Tree = {
        start: index,
        end: index + token.length,
        members: token === "{" ? new Map() : null,
        items: token === "[" ? [] : null,
      };
      frame.tree.items?.push(tree);
      if (frame.name !== null) frame.tree.members?.set(frame.name, tree);
      frame.name = null;
      if (token === "{" || token === "[") open.push({ tree, name: null });
    }
  }
  const [document] = root.items ?? [];
  if (document === undefined) throw new Error("unreachable: JSON.parse accepts no empty text");
  return document;
}

/** The value at the end of a path, or null. */
export function treeAt(tree: Tree, path: readonly (string | number)[]): Tree | null {
  let found: Tree | undefined = tree;
  for (const step of path) {
    found = typeof step === "number" ? found?.items?.[step] : found?.members?.get(step);
  }
  return found ?? null;
}

interface Frame {
  readonly tree: Tree;
  /** The member's name whose value comes next. */
  name: string | null;
}

// A string, a punctuation mark, or a literal; whitespace and a byte order mark lie between them.
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s\ufeff"{}[\],:]+/gsu;
