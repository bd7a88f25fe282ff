import { isRecord } from "../../api/read.ts";

/** One line of a table of fields. */
export interface Field {
  /**
   * From the outside in: `answers[].options[].label`; `{name}` stands for any name. Empty for the
   * whole.
   */
  readonly name: string;
  /** Such as `string or null`. */
  readonly type: string;
  readonly required: boolean;
  /** What else holds of its values, or empty. */
  readonly note: string;
}

type Schema = Readonly<Record<string, unknown>>;

// No shape of ours is so deep; one that refers to itself would have no end.
const maxDepth = 12;

/**
 * The members of a JSON Schema, each followed by its own. Members of alternatives stand in one
 * table.
 */
export function fieldsOf(schema: unknown): readonly Field[] {
  const found = new Map<string, Field>();
  for (const field of inner(schema, "", 0)) {
    if (!found.has(field.name)) found.set(field.name, field);
  }
  return [...found.values()];
}

function inner(value: unknown, path: string, depth: number): readonly Field[] {
  if (!isRecord(value) || depth > maxDepth) return [];
  const needed = new Set(listOf(value["required"]));
  const below = (name: string, schema: unknown, required: boolean): readonly Field[] => [
    { name, type: typeOf(schema), required, note: noteOf(schema) },
    ...inner(schema, name, depth + 1),
  ];
  const { properties, items, additionalProperties: any } = value;
  const prefix = path === "" ? "" : `${path}.`;
  return [
    ...Object.entries(isRecord(properties) ? properties : {}).flatMap(([name, schema]) =>
      below(`${prefix}${name}`, schema, needed.has(name)),
    ),
    ...(isRecord(any) ? below(`${prefix}{name}`, any, false) : []),
    ...(path === "" && isRecord(items)
      ? below("[]", items, true)
      : inner(items, `${path}[]`, depth + 1)),
    ...alternatives(value).flatMap((one) => inner(one, path, depth + 1)),
  ];
}

function typeOf(schema: unknown): string {
  if (!isRecord(schema)) return "anything";
  // What is accepted is often more than what should be sent; the title says the latter.
  if (typeof schema["title"] === "string") return schema["title"];
  const types = listOf(schema["type"] ?? []).map((type) =>
    type === "array" ? `list of ${typeOf(schema["items"])}` : String(type),
  );
  const all = types.length > 0 ? types : alternatives(schema).map((one) => typeOf(one));
  if (all.length === 0) return "const" in schema ? typeof schema["const"] : "anything";
  return [...new Set(all)].join(" or ");
}

function noteOf(schema: unknown): string {
  if (!isRecord(schema)) return "";
  if (typeof schema["title"] === "string") return "";
  if (schema["type"] === "array") return noteOf(schema["items"]);
  const { enum: values, const: only, format, default: absent, minimum, maximum } = schema;
  const most = typeof maximum === "number" && maximum < Number.MAX_SAFE_INTEGER ? maximum : null;
  return [
    Array.isArray(values) ? `one of ${values.join(", ")}` : "",
    only === undefined ? "" : `always ${JSON.stringify(only)}`,
    typeof format === "string" ? format : "",
    typeof minimum === "number" && minimum > 0 ? `at least ${minimum}` : "",
    most === null ? "" : `at most ${most}`,
    absent === undefined ? "" : `otherwise ${JSON.stringify(absent)}`,
  ]
    .filter((part) => part !== "")
    .join("; ");
}

function alternatives(schema: Schema): readonly Schema[] {
  return ["anyOf", "oneOf", "allOf"].flatMap((name) => listOf(schema[name] ?? []).filter(isRecord));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}
