import type { Fields } from "./request-body.ts";

// Far more than any client sends; a form is small, and one made to be costly is not read further.
const maxPairs = 1000;
const maxDepth = 8;

interface Node {
  [name: string]: string | Node;
}

/**
 * Form encoding with bracket nesting: `a[b]=1&a[c][]=2&a[c][]=3` is
 * `{a: {b: "1", c: {0: "2", 1: "3"}}}`. Lists come out as objects with number keys, which readers
 * of lists accept. A value that is not valid percent-encoding stays as it was sent.
 */
export function parseForm(text: string): Fields {
  const root = emptyNode();
  for (const pair of text.split("&", maxPairs)) {
    const equals = pair.indexOf("=");
    const name = decodePart(equals === -1 ? pair : pair.slice(0, equals));
    const path = pathOf(name);
    if (path.length > 0 && path.length <= maxDepth) {
      put(root, path, equals === -1 ? "" : decodePart(pair.slice(equals + 1)));
    }
  }
  return root;
}

/** The value of the first pair called `name`, as it was sent and not decoded, or null. */
export function rawFormValue(text: string, name: string): string | null {
  for (const pair of text.split("&", maxPairs)) {
    if (pair.startsWith(`${name}=`)) return pair.slice(name.length + 1).trim();
  }
  return null;
}

function pathOf(name: string): readonly string[] {
  // One part more than is read: a name of megabytes need not be taken apart.
  const [head = "", ...rest] = name.trim().split("[", maxDepth + 1);
  return head === "" ? [] : [head, ...rest.map((part) => part.replace(/\]$/, ""))];
}

function put(node: Node, path: readonly string[], value: string): void {
  const [head = "", ...rest] = path;
  const key = head === "" ? String(Object.keys(node).length) : head;
  if (rest.length === 0) {
    node[key] = value;
    return;
  }
  const existing = node[key];
  const child = typeof existing === "object" ? existing : emptyNode();
  node[key] = child;
  put(child, rest, value);
}

// Without a prototype a field called `__proto__` is a field like any other.
function emptyNode(): Node {
  const node: Node = Object.create(null);
  return node;
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll("+", " "));
  } catch {
    return part;
  }
}
