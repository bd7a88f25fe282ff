import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import {
  identifier,
  listOf,
  numberList,
  acceptText,
  booleanLike,
  wholeNumber,
} from "../../../src/api/call/fields.ts";
import { idList } from "../../../src/api/chat/schema.ts";
import { COMPONENTS, describeOperation } from "../../../src/api/describe-operation.ts";
import type { Operation } from "../../../src/api/call/operation.ts";
import { createOpenApi } from "../../../src/api/openapi.ts";
import { AUTH_OPERATIONS } from "../../../src/api/auth/schema.ts";
import { describeMistake } from "../../../src/backend/http/describe-mistake.ts";

test.each([true, 1, "1", "true", "TRUE", " True "])("%j is true", (value) => {
  expect(booleanLike.parse(value)).toBe(true);
});

test.each([false, 0, "0", "false", "FALSE"])("%j is false", (value) => {
  expect(booleanLike.parse(value)).toBe(false);
});

test.each([2, "yes", "", null, [], {}])("%j is not a boolean", (value) => {
  expect(booleanLike.safeParse(value).success).toBe(false);
});

test.each([
  [3, 3],
  ["3", 3],
  [" 12 ", 12],
])("%j is a whole number", (value, expected) => {
  expect(wholeNumber.parse(value)).toBe(expected);
});

test.each([-1, 1.5, "1.5", "", "0x1", Number.NaN, "9".repeat(16)])(
  "%j is not a whole number",
  (value) => {
    expect(wholeNumber.safeParse(value).success).toBe(false);
  },
);

test.each([
  [7, "7"],
  ["7", "7"],
  ["6F9619FF-8B86-4011-B42D-00C04FC964FF", "6f9619ff-8b86-4011-b42d-00c04fc964ff"],
])("%j is an identifier", (value, expected) => {
  expect(identifier.parse(value)).toBe(expected);
});

test("lists are read from arrays, bracketed forms, a single value, an empty one or none", () => {
  const list = listOf(acceptText(10), 5);
  expect(list.parse(["a", 3])).toEqual(["a", "3"]);
  expect(list.parse({ 0: "a", 1: "b" })).toEqual(["a", "b"]);
  expect(list.parse("a")).toEqual(["a"]);
  expect(list.parse("")).toEqual([]);
  expect(list.safeParse({ name: "a" }).success).toBe(false);
  expect(numberList.parse("3,5, 7")).toEqual([3, 5, 7]);
  expect(numberList.parse(0)).toEqual([0]);
  expect(numberList.safeParse("3,x").success).toBe(false);
});

test.each([
  ["a list", listOf(wholeNumber, 5)],
  ["numbers", numberList],
  ["ids", idList],
])("%s that is left out is missing itself, not its first entry", (_, list) => {
  const mistake = z.object({ list }).safeParse({}, { error: describeMistake }).error?.issues[0];
  expect([mistake?.path, mistake?.message]).toEqual([["list"], "is missing"]);
});

test("no value makes a field reader throw", () => {
  const all = [
    booleanLike,
    wholeNumber,
    acceptText(9),
    identifier,
    listOf(identifier, 9),
    numberList,
  ];
  fc.assert(
    fc.property(fc.anything(), fc.constantFrom(...all), (value, schema) => {
      void schema.safeParse(value);
    }),
  );
});

test("operations become an OpenAPI 3.1 document with path and query parameters", () => {
  const content: Operation = {
    id: "knowledge.content",
    method: "GET",
    path: "/v1/contents/{contentId}",
    aliases: [],
    summary: "One content.",
    credentials: "token",
    query: z.object({ tracking: booleanLike.optional(), context: z.string() }),
    answer: z.object({ results: z.array(z.object({ id: z.int() })) }),
    errors: [{ status: 404, when: "There is none." }],
  };
  const document = createOpenApi([...AUTH_OPERATIONS, content].map(describeOperation), {
    title: "Test",
    version: "1",
    components: COMPONENTS,
  });
  expect(document).toMatchObject({
    openapi: "3.1.0",
    paths: {
      "/v1/auth": { post: { security: [{ key: [] }] } },
      "/v1/contents/{contentId}": {
        get: {
          operationId: "knowledge.content",
          parameters: [
            { name: "contentId", in: "path", required: true },
            { name: "tracking", in: "query", required: false },
            { name: "context", in: "query", required: true },
          ],
          responses: { 404: { description: "There is none." } },
        },
      },
    },
  });
});
