import { expect, test } from "vitest";
import { z } from "zod";
import { AUTH_OPERATIONS } from "../../../src/api/auth/schema.ts";
import { CHAT_OPERATIONS } from "../../../src/api/chat/operations.ts";
import { CHATBOT_OPERATIONS } from "../../../src/api/chatbot/operations.ts";
import { shapeOf } from "../../../src/api/describe-operation.ts";
import { KNOWLEDGE_OPERATIONS } from "../../../src/api/knowledge/operations.ts";
import { isObject } from "../../../src/json/values.ts";
import { TICKETING_OPERATIONS } from "../../../src/api/ticketing/operations.ts";

const operations = [
  ...AUTH_OPERATIONS,
  ...CHATBOT_OPERATIONS,
  ...KNOWLEDGE_OPERATIONS,
  ...TICKETING_OPERATIONS,
  ...CHAT_OPERATIONS,
];

test.each(operations.map((operation) => [operation.id, operation] as const))(
  "every text and every list that %s takes has a maximum",
  (_, { query, body }) => {
    const found = [query, body].flatMap((schema) =>
      schema === undefined ? [] : unlimited(shapeOf(schema, "input"), ""),
    );
    expect(found).toEqual([]);
  },
);

test("the check finds a text, a list, a mapping or anything else without a maximum", () => {
  const shape = z.object({
    text: z.string(),
    list: z.array(z.object({ inner: z.string().max(3) })),
    names: z.record(z.string(), z.number()),
    any: z.unknown(),
    either: z.union([z.number(), z.string()]),
  });
  expect(unlimited(shapeOf(shape, "input"), "")).toEqual([
    ".text",
    ".list",
    ".names",
    ".any",
    ".either",
  ]);
});

/** Positions in a JSON Schema that accept unlimited input. */
function unlimited(schema: unknown, at: string): readonly string[] {
  if (!isObject(schema)) return [];
  const { type, enum: values, properties, items, additionalProperties: others } = schema;
  const either = [schema["anyOf"], schema["oneOf"], schema["allOf"]].flatMap((one) => one ?? []);
  const types = [type].flat();
  const isOpen =
    (types.includes("string") && schema["maxLength"] === undefined && values === undefined) ||
    (types.includes("array") && schema["maxItems"] === undefined) ||
    (isObject(others) && schema["maxProperties"] === undefined) ||
    (type === undefined && either.length === 0 && values === undefined);
  const { description = "" } = schema;
  const stated =
    "const" in schema || (typeof description === "string" && description.startsWith("at most "));
  return [
    ...(isOpen && !stated ? [at] : []),
    ...Object.entries(isObject(properties) ? properties : {}).flatMap(([name, inner]) =>
      unlimited(inner, `${at}.${name}`),
    ),
    ...(stated ? [] : unlimited(others, `${at}.*`)),
    ...unlimited(items, `${at}[]`),
    ...either.flatMap((inner) => unlimited(inner, at)),
  ];
}
