import type { ContentFields } from "../../api/console-contents.ts";
import { isRecord } from "../../json/values.ts";

/** A change to a content of a file. */
export interface ContentEdit {
  readonly id: number;
  /** The fields that change; null removes the content from its file. */
  readonly fields: Partial<ContentFields> | null;
  /** The id of a content of the same file whose other keys a new one copies. */
  readonly like?: number | undefined;
}

/** Reads the fields that the console edits from a file's value; a missing one is empty. */
export function readContentFields(value: unknown): ContentFields {
  const given: Readonly<Record<string, unknown>> = isRecord(value) ? value : {};
  const answer = given["answer"];
  return {
    title: toText(given["title"]) ?? "",
    alternatives: listOf(given["alternatives"], toText),
    answer: typeof answer === "string" ? [answer] : listOf(answer, toText),
    categories: listOf(given["categories"], toNumber),
    related: listOf(given["related"], toNumber),
    published: given["published"] !== false,
    hidden: given["hidden"] === true,
    publishFrom: toText(given["publishFrom"]),
    expires: toText(given["expires"]),
  };
}

/** The keys of {@link ContentFields}, in the order in which a new content has them. */
export const CONTENT_FIELDS = [
  "title",
  "alternatives",
  "answer",
  "categories",
  "related",
  "hidden",
  "published",
  "publishFrom",
  "expires",
] as const;

function toText(value: unknown): string | null {
  return typeof value === "string" || typeof value === "number" ? String(value) : null;
}

function toNumber(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}

function listOf<T>(value: unknown, read: (one: unknown) => T | null): readonly T[] {
  return Array.isArray(value) ? value.flatMap((one) => read(one) ?? []) : [];
}

/** Returns a field's value in a file; undefined leaves the key out. */
export function toWritten(name: keyof ContentFields, fields: Partial<ContentFields>): unknown {
  const value = fields[name];
  if (value === null || value === undefined) return undefined;
  if (name === "published") return value === true ? undefined : false;
  if (name === "hidden") return value === true ? true : undefined;
  if (!Array.isArray(value)) return value;
  if (name === "answer" && value.length === 1) return value[0];
  return value.length === 0 ? undefined : value;
}

export type Values = Record<string, unknown>;

/** Creates a content; a copy gets neither the name nor the address of its model. */
export function createItem({ id, fields }: ContentEdit, model: Values = {}): Values {
  const { id: _, slug: __, directCall: ___, ...kept } = model;
  const all = withFields(kept, fields ?? {});
  const known: readonly string[] = CONTENT_FIELDS;
  const named = CONTENT_FIELDS.flatMap((name): [string, unknown][] =>
    name in all ? [[name, all[name]]] : [],
  );
  const others = Object.entries(all).filter(([name]) => !known.includes(name));
  return { id, ...Object.fromEntries(named), ...Object.fromEntries(others) };
}

export function withFields(item: Values, fields: Partial<ContentFields>): Values {
  const after = { ...item };
  for (const name of changedIn(fields)) {
    const written = toWritten(name, fields);
    if (written === undefined) delete after[name];
    else after[name] = written;
  }
  return after;
}

export function changedIn(fields: Partial<ContentFields>): readonly (keyof ContentFields)[] {
  return CONTENT_FIELDS.filter((name) => fields[name] !== undefined);
}
