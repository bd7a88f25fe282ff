import { expect, test } from "vitest";
import * as fc from "fast-check";
import { parseForm, readRawFormValue } from "../../src/backend/http/request-body.ts";

// Any UTF-16 at all, lone surrogates included.
const anyText = fc.uint16Array({ maxLength: 256 }).map((units) => String.fromCharCode(...units));

test("brackets nest the fields of a form", () => {
  expect(
    JSON.parse(JSON.stringify(parseForm("a=1&b%5Bc%5D=2&b[d][]=3&b[d][]=4&e=x%20y+z&f"))),
  ).toStrictEqual({ a: "1", b: { c: "2", d: { 0: "3", 1: "4" } }, e: "x y z", f: "" });
});

test("a field name can't reach an object's prototype", () => {
  const form = parseForm("__proto__[polluted]=1&constructor[prototype][polluted]=1");
  expect(Object.keys(form)).toStrictEqual(["__proto__", "constructor"]);
  expect({}).not.toHaveProperty("polluted");
});

test("a value that is not percent-encoding stays as it is", () => {
  expect(parseForm("a=100%&b=%zz")).toMatchObject({ a: "100%", b: "%zz" });
  expect(readRawFormValue("x=1&secret=a+b%20==&y=2", "secret")).toBe("a+b%20==");
  expect(readRawFormValue("secre=1", "secret")).toBeNull();
});

test("any text can be read, with bounded depth and number of fields", () => {
  fc.assert(fc.property(anyText, (text) => typeof parseForm(text) === "object"));
  expect(parseForm(`a${"[b]".repeat(100_000)}=1`)).toMatchObject({});
  expect(
    Object.keys(
      parseForm("a=1&".repeat(5) + Array.from({ length: 5000 }, (_, i) => `k${i}=1`).join("&")),
    ).length,
  ).toBeLessThanOrEqual(1000);
});
