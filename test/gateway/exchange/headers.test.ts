import { expect, test } from "vitest";
import {
  createFieldTest,
  fieldOf,
  hasFieldPrefix,
  joinedFieldOf,
  membersOf,
} from "../../../src/gateway/exchange/headers.ts";

const HEADERS = ["Accept", "a/b", "X-Two", "1", "x-inbenta-env", "dev", "x-TWO", "", "X-Two", "3"];

test("a field is found by its name in any case, and the first of several counts", () => {
  expect([fieldOf(HEADERS, "x-two"), fieldOf(HEADERS, "accept")]).toEqual(["1", "a/b"]);
  expect([fieldOf(HEADERS, "x-tw"), fieldOf(HEADERS, "two"), fieldOf([], "x")]).toEqual([
    null,
    null,
    null,
  ]);
  expect(fieldOf(["x-one", "x-two"], "x-two")).toBeNull();
});

test("fields of one name are joined in order", () => {
  expect([joinedFieldOf(HEADERS, "x-two"), joinedFieldOf(HEADERS, "accept")]).toEqual([
    "1, , 3",
    "a/b",
  ]);
  expect([joinedFieldOf(HEADERS, "a/b"), joinedFieldOf([], "")]).toEqual([null, null]);
});

test("a field is found by how its name begins, and a value is none", () => {
  expect([hasFieldPrefix(HEADERS, "x-inbenta-"), hasFieldPrefix(HEADERS, "acc")]).toEqual([
    true,
    true,
  ]);
  expect([hasFieldPrefix(HEADERS, "a/"), hasFieldPrefix(HEADERS, "dev")]).toEqual([false, false]);
  expect(hasFieldPrefix(["x-key", "x-inbenta-env"], "x-inbenta-")).toBe(false);
});

test("a list has what stands between its commas", () => {
  expect(membersOf(" gzip,, br ;q=1 ,")).toEqual(["gzip", "br ;q=1"]);
  expect([membersOf(null), membersOf("")]).toEqual([[], []]);
});

test("only letters differ in case", () => {
  const isOurs = createFieldTest(["az-`{09", "[@"]);
  expect([isOurs("AZ-`{09"), isOurs("az-`{09"), isOurs("[@")]).toEqual([true, true, true]);
  // Without the bit that distinguishes lower case from upper, these would be equal.
  for (const name of [
    "az-@{09",
    "az-`[09",
    "az-`{0\u0019",
    "AZ\r`{09",
    "{@",
    "[`",
    "[",
    "",
    "za-`{09",
  ])
    expect([name, isOurs(name)]).toEqual([name, false]);
});
