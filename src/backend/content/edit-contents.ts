import { isDeepStrictEqual } from "node:util";
import {
  Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  Scalar,
  type ToStringOptions,
  type YAMLMap,
  YAMLSeq,
} from "yaml";
import type { ContentFields } from "../../api/console-contents.ts";
import { isRecord } from "../../json/values.ts";
import { parseDocumentWithin } from "../../yaml/parse-document.ts";
import { applySplices, createLines, type Splice } from "./splice-lines.ts";
import {
  changedIn,
  CONTENT_FIELDS,
  type ContentEdit,
  createItem,
  toWritten,
  type Values,
  withFields,
} from "./content-fields.ts";

/**
 * Changes, adds and removes contents in the text of a content file. Comments, order and all other
 * lines stay. Null if the file is not written in a form that allows it.
 */
export function editContents(text: string, edits: readonly ContentEdit[]): string | null {
  const value = readValue(text);
  if (value === undefined) return null;
  const document = parseDocumentWithin(text, OPTIONS);
  const expected = withEdits(value, edits);
  for (const attempt of [editBySplicing, editByRewriting]) {
    const edited = attempt(text, document, edits);
    if (edited === null) continue;
    if (isDeepStrictEqual(readValue(edited), expected)) return edited;
  }
  return null;
}

/** The value of the whole file after the edits. */
function withEdits(file: unknown, edits: readonly ContentEdit[]): unknown {
  const before: Values = isRecord(file) ? file : {};
  const list: unknown = before["contents"];
  let contents: readonly unknown[] = Array.isArray(list) ? list : [];
  const byId = (id: number): Values | undefined =>
    contents.filter(isRecord).find((one) => one["id"] === id);
  for (const edit of edits) {
    const known = byId(edit.id);
    const { fields } = edit;
    if (fields === null) contents = contents.filter((one) => one !== known);
    else if (known === undefined) contents = [...contents, createItem(edit, byId(edit.like ?? 0))];
    else contents = contents.map((one) => (one === known ? withFields(known, fields) : one));
  }
  return { ...before, contents };
}

/** Changes only the lines of the fields; null if the YAML is not written in block style. */
function editBySplicing(
  text: string,
  document: Document.Parsed,
  edits: readonly ContentEdit[],
): string | null {
  const list = listIn(document);
  if (list === null || list.flow === true || list.range === undefined) return null;
  const lines = createLines(text);
  const values: Values = document.toJS();
  const splices: Splice[] = [];
  for (const edit of edits) {
    const item = findItem(list, edit.id);
    const found = item === null ? append(edit) : spliceItem(item, edit);
    if (found === null) return null;
    splices.push(...found);
  }
  return applySplices(text, splices);

  function append(edit: ContentEdit): readonly Splice[] | null {
    if (edit.fields === null) return [];
    const last = list?.items.at(-1);
    const range = isNode(last) ? last.range : null;
    if (range === null || range === undefined) return null;
    const contents = values["contents"];
    const models = Array.isArray(contents) ? contents.filter(isRecord) : [];
    const item = createItem(
      edit,
      models.find((one) => one["id"] === edit.like),
    );
    const rendered = new Document([createItemNode(item)], OPTIONS).toString(WRITING);
    const at = lines.after(range[1]);
    return [{ start: at, end: at, by: lines.toLines(rendered, lines.dashOf(range[0]), at) }];
  }

  function spliceItem(item: YAMLMap, { fields }: ContentEdit): readonly Splice[] | null {
    const { range } = item;
    if (!range) return null;
    if (fields === null) {
      if (list?.items.length === 1) return null;
      return [{ start: lines.from(range[0]), end: lines.after(range[1]), by: "" }];
    }
    if (item.flow === true) return null;
    const found = changedIn(fields).map((name) => spliceField(item, name, fields));
    return found.some((one) => one === null) ? null : found.flatMap((one) => one ?? []);
  }

  function spliceField(
    item: YAMLMap,
    name: keyof ContentFields,
    fields: Partial<ContentFields>,
  ): readonly Splice[] | null {
    const written = toWritten(name, fields);
    const pair = pairIn(item, name);
    const span = pair === null ? null : locatePair(pair);
    if (pair === null || span === null) {
      if (written === undefined) return [];
      const before = CONTENT_FIELDS.slice(0, CONTENT_FIELDS.indexOf(name)).toReversed();
      const earlier = [...before, "id"].map((one) => pairIn(item, one)).find((one) => one !== null);
      const where = earlier === undefined || earlier === null ? null : locatePair(earlier);
      if (where === null) return null;
      const at = lines.after(where.end);
      const rendered = renderPair(name, written, null, lines.columnOf(where.start));
      return [{ start: at, end: at, by: lines.toLines(rendered, lines.columnOf(where.start), at) }];
    }
    const column = lines.columnOf(span.start);
    if (written !== undefined) {
      const rendered = renderPair(name, written, isNode(pair.value) ? pair.value : null, column);
      const isBlock = text[span.end - 1] === "\n";
      const by = lines.indent(rendered, column).trimStart();
      return [{ ...span, by: isBlock ? by : by.trimEnd() }];
    }
    // The dash of the content is on this line.
    if (lines.from(span.start) + column !== span.start || lines.startsItem(span.start)) {
      return null;
    }
    return [{ start: lines.from(span.start), end: lines.after(span.end), by: "" }];
  }
}

/** Edits the document's nodes, which normalizes indents and blank lines. */
function editByRewriting(
  text: string,
  parsed: Document.Parsed,
  edits: readonly ContentEdit[],
): string | null {
  const document = parsed.clone();
  const values: unknown = document.toJS();
  if (!isMap(document.contents) && document.contents !== null) return null;
  if (listIn(document) === null) document.set("contents", new YAMLSeq());
  const list = listIn(document);
  if (list === null) return null;
  for (const edit of edits) {
    const item = findItem(list, edit.id);
    if (edit.fields === null) list.items = list.items.filter((one) => one !== item);
    else if (item === null) {
      const contents: unknown = isRecord(values) ? values["contents"] : null;
      const models = Array.isArray(contents) ? contents.filter(isRecord) : [];
      list.flow = false;
      list.add(
        createItemNode(
          createItem(
            edit,
            models.find((one) => one["id"] === edit.like),
          ),
        ),
      );
    } else {
      for (const name of changedIn(edit.fields)) {
        const written = toWritten(name, edit.fields);
        if (written === undefined) item.delete(name);
        else item.set(name, createValueNode(name, written, item.get(name, true)));
      }
    }
  }
  try {
    const edited = document.toString(WRITING);
    return text.includes("\r\n") ? edited.replaceAll(/\r?\n/g, "\r\n") : edited;
  } catch {
    // An alias has lost its anchor.
    return null;
  }
}

function listIn(document: Document): YAMLSeq | null {
  const list = document.get("contents", true);
  return isSeq(list) ? list : null;
}

function findItem(list: YAMLSeq, id: number): YAMLMap | null {
  const found = list.items.find((one) => isMap(one) && one.get("id") === id);
  return isMap(found) ? found : null;
}

function pairIn(item: YAMLMap, name: string): Pair | null {
  return item.items.find(({ key }) => isScalar(key) && key.value === name) ?? null;
}

/** Finds the span from the key to the end of the value; null for a key without a value. */
function locatePair({ key, value }: Pair): { readonly start: number; readonly end: number } | null {
  const start = isScalar(key) ? key.range?.[0] : undefined;
  const end = isNode(value) ? value.range?.[1] : undefined;
  return start === undefined || end === undefined ? null : { start, end };
}

/** Renders `key: value` for a column, in the style of the value that it replaces. */
function renderPair(name: string, value: unknown, before: Node | null, column: number): string {
  const document = new Document({}, OPTIONS);
  const node = createValueNode(name, value, before);
  document.set(name, node);
  const isFlow = isSeq(node) && node.flow === true;
  return document.toString({ ...WRITING, ...(isFlow && { lineWidth: 100 - column }) });
}

function createItemNode(item: Values): Node {
  const document = new Document(item, OPTIONS);
  const node = document.contents;
  if (!isMap(node)) throw new Error("unreachable: a content is a mapping");
  for (const { key, value } of node.items) {
    const name = isScalar(key) ? String(key.value) : "";
    if (name === "answer") setStyle(value, Scalar.QUOTE_DOUBLE);
    if ((name === "categories" || name === "related") && isSeq(value)) value.flow = true;
  }
  return node;
}

/** Keeps the nodes of existing values, with their comments and quotes. */
function createValueNode(name: string, value: unknown, before: unknown): Node {
  const document = new Document(value, OPTIONS);
  const fresh = document.contents;
  if (!isNode(fresh)) throw new Error("unreachable: a field has a value");
  if (isScalar(fresh) && isScalar(before) && before.type !== undefined) {
    fresh.type = before.type === Scalar.BLOCK_FOLDED ? Scalar.BLOCK_LITERAL : before.type;
    return fresh;
  }
  if (name === "answer") setStyle(fresh, Scalar.QUOTE_DOUBLE);
  if (!isSeq(fresh)) return fresh;
  if (!isSeq(before)) {
    fresh.flow = name === "categories" || name === "related";
    return fresh;
  }
  fresh.flow = before.flow === true;
  const kept = [...before.items];
  fresh.items = fresh.items.map((one) => {
    const at = kept.findIndex((old) => isScalar(old) && isScalar(one) && old.value === one.value);
    return at === -1 ? one : kept.splice(at, 1)[0];
  });
  return fresh;
}

function setStyle(node: unknown, type: Scalar.Type): void {
  if (isScalar(node)) node.type = type;
  if (isSeq(node)) for (const one of node.items) setStyle(one, type);
}

/** Undefined if the text is not valid YAML, or an alias has no anchor. */
function readValue(text: string): unknown {
  const document = parseDocumentWithin(text, OPTIONS);
  if (document.errors.length > 0) return undefined;
  try {
    return document.toJS();
  } catch {
    return undefined;
  }
}

const OPTIONS = { version: "1.2", schema: "core", merge: false, compat: "yaml-1.1" } as const;

const WRITING: ToStringOptions = {
  lineWidth: 0,
  doubleQuotedMinMultiLineLength: 1_048_576,
  flowCollectionPadding: false,
};
