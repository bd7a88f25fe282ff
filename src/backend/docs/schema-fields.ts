import { formatNumber } from "../../api/call/fields.ts";
import type { JsonSchema } from "../../api/openapi.ts";
import { isObject } from "../../json/values.ts";

/** One line of a table of fields. */
export interface DocumentedField {
  /** Path such as `answers[].options[].label`; `{name}` is any name, empty the whole. */
  readonly name: string;
  /** Such as `string or null`. */
  readonly type: string;
  readonly required: boolean;
  /** Further rules of its values, or empty. */
  readonly note: string;
  /** The purpose by the schema's own words, or empty. */
  readonly about: string;
}

// No schema of the interfaces is deeper. The limit ends schemas that refer to themselves.
const maxDepth = 12;

/**
 * Lists a JSON Schema's members, each followed by its own members. Alternatives share one table.
 */
export function fieldsOf(schema: unknown): readonly DocumentedField[] {
  const found = new Map<string, DocumentedField>();
  for (const field of listInner(schema, "", 0)) {
    if (!found.has(field.name)) found.set(field.name, field);
  }
  return [...found.values()];
}

/**
 * Creates a sample value of a schema: its example, the members of objects that are required or have
 * an example, or the first of alternatives.
 */
export function sampleOf(schema: unknown, depth = 0): unknown {
  if (!isObject(schema) || depth > maxDepth) return "…";
  const { properties, items, type, default: absent, enum: values, minimum, examples } = schema;
  if (Array.isArray(examples)) return examples[0];
  if ("const" in schema) return schema["const"];
  if (absent !== undefined) return absent;
  if (Array.isArray(values)) return values[0];
  if (isObject(properties)) {
    const needed = new Set(listOf(schema["required"]));
    const members = Object.entries(properties).filter(
      ([name, one]) => needed.has(name) || (isObject(one) && "examples" in one),
    );
    return Object.fromEntries(members.map(([name, one]) => [name, sampleOf(one, depth + 1)]));
  }
  const [first] = listAlternatives(schema);
  if (first !== undefined) return sampleOf(first, depth + 1);
  if (type === "array") return items === undefined ? [] : [sampleOf(items, depth + 1)];
  if (type === "object") return {};
  if (type === "integer" || type === "number") return Math.max(1, Number(minimum) || 1);
  return type === "boolean" ? true : "…";
}

/** Returns a list as it is, and any other value as a list of one. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

function listInner(value: unknown, path: string, depth: number): readonly DocumentedField[] {
  if (!isObject(value) || depth > maxDepth) return [];
  const needed = new Set(listOf(value["required"]));
  const listBelow = (
    name: string,
    schema: unknown,
    required: boolean,
  ): readonly DocumentedField[] => [
    { name, type: typeOf(schema), required, note: noteOf(schema), about: aboutOf(schema) },
    ...listInner(schema, name, depth + 1),
  ];
  const { properties, items, additionalProperties: any } = value;
  const prefix = path === "" ? "" : `${path}.`;
  return [
    ...Object.entries(isObject(properties) ? properties : {}).flatMap(([name, schema]) =>
      listBelow(`${prefix}${name}`, schema, needed.has(name)),
    ),
    ...(isObject(any) ? listBelow(`${prefix}{name}`, any, false) : []),
    ...(path === "" && isObject(items)
      ? listBelow("[]", items, true)
      : listInner(items, `${path}[]`, depth + 1)),
    ...listAlternatives(value).flatMap((one) => listInner(one, path, depth + 1)),
  ];
}

function typeOf(schema: unknown): string {
  if (!isObject(schema)) return "anything";
  // Schemas often accept more than callers should send. The title names what they should send.
  if (typeof schema["title"] === "string") return schema["title"];
  if (typeof schema["$ref"] === "string") return schema["$ref"].replace(/^.*\//, "");
  const types = listOf(schema["type"] ?? []).map((type) =>
    type === "array" ? `list of ${typeOf(schema["items"])}` : String(type),
  );
  const all = types.length > 0 ? types : listAlternatives(schema).map((one) => typeOf(one));
  if (all.length === 0) return "const" in schema ? typeof schema["const"] : "anything";
  return [...new Set(all)].join(" or ");
}

function noteOf(schema: unknown): string {
  if (!isObject(schema)) return "";
  const { type, items, maxItems } = schema;
  if (type === "array") {
    const each = noteOf(items);
    if (typeof maxItems !== "number") return each;
    const entries = `at most ${formatNumber(maxItems)} ${maxItems === 1 ? "entry" : "entries"}`;
    return each === "" ? entries : `${entries}; each ${each}`;
  }
  const length = maxLengthOf(schema);
  const size = length === null ? "" : `at most ${formatNumber(length)} characters`;
  if (typeof schema["title"] === "string") return size;
  const { enum: values, const: only, format, default: absent, minimum, maximum } = schema;
  const most = typeof maximum === "number" && maximum < Number.MAX_SAFE_INTEGER ? maximum : null;
  return [
    Array.isArray(values) ? `one of ${values.join(", ")}` : "",
    only === undefined ? "" : `always ${JSON.stringify(only)}`,
    typeof format === "string" ? format : "",
    typeof minimum === "number" && minimum > 0 ? `at least ${minimum}` : "",
    most === null ? "" : `at most ${most}`,
    size,
    absent === undefined ? "" : `otherwise ${JSON.stringify(absent)}`,
  ]
    .filter((part) => part !== "")
    .join("; ");
}

/**
 * Finds how many characters a text may have, also one that is an alternative to other types. Null
 * for a text with a pattern, such as a time, whose length needs no mention.
 */
function maxLengthOf(schema: JsonSchema): number | null {
  const { title, type, maxLength, pattern } = schema;
  if (type === "string") {
    return typeof maxLength === "number" && pattern === undefined ? maxLength : null;
  }
  // The texts that a number is accepted as have no length that matters.
  if (title !== undefined && title !== "string") return null;
  const lengths = listAlternatives(schema).map(maxLengthOf);
  return lengths.find((length) => length !== null) ?? null;
}

function aboutOf(schema: unknown): string {
  return isObject(schema) && typeof schema["description"] === "string" ? schema["description"] : "";
}

function listAlternatives(schema: JsonSchema): readonly JsonSchema[] {
  return ["anyOf", "oneOf", "allOf"].flatMap((name) => listOf(schema[name] ?? []).filter(isObject));
}
