import { describe, expect, test } from "vitest";
import { scan } from "../../src/json/scan.ts";
import { compileShape } from "../../src/json/shape.ts";
import { rawOf, textOf } from "../../src/json/text.ts";
import type { JsonNode, Shape } from "../../src/json/types.ts";
import { ADVERSARIAL } from "./adversarial.ts";
import { reference } from "./documents.ts";

const ANSWER: Shape = { fields: { flags: { items: {} }, message: {}, messageList: { items: {} } } };
const SHAPES: readonly Shape[] = [
  {},
  { fields: { answers: { items: ANSWER }, ...ANSWER.fields }, items: { items: {} } },
  { each: { each: { each: {}, items: {} }, items: { each: {} } }, items: { each: {} } },
];

describe("the adversarial table", () => {
  test.each(ADVERSARIAL)("$name: valid is $valid, whatever the shape", ({ bytes, valid }) => {
    for (const shape of SHAPES) {
      const compiled = compileShape(shape);
      expect(scan(bytes, compiled) !== null).toBe(valid);
      // The same document as it often arrives: a view into a larger buffer, with more JSON on both
      // sides.
      const room = new Uint8Array(bytes.length + 4).fill(0x20);
      room.set(bytes, 2);
      const view = room.subarray(2, 2 + bytes.length);
      expect(scan(view, compiled) !== null).toBe(valid);
    }
  });

  test.each(ADVERSARIAL)("$name: agrees with a strict parser", ({ bytes, valid }) => {
    expect(reference(bytes) !== null).toBe(valid);
  });

  test("names are unique", () => {
    expect(new Set(ADVERSARIAL.map(({ name }) => name)).size).toBe(ADVERSARIAL.length);
  });
});

test("every prefix of a valid document that is not a number is refused", () => {
  const bytes = encode('\ufeff{"a":[1.5e+3,true,null,{"b":"\\u00e9\u20ac\\n"}],"c":"x"}');
  const shape = compileShape({ fields: { a: { items: { fields: { b: {} } } }, c: {} } });
  for (let end = 0; end < bytes.length; end++) {
    expect(scan(bytes.subarray(0, end), shape), `cut to ${end}`).toBeNull();
  }
  expect(scan(bytes, shape)).not.toBeNull();
});

test("a truncated view never looks at the bytes behind it", () => {
  const bytes = encode('{"a":"b"}');
  expect(scan(bytes.subarray(0, 8), compileShape({}))).toBeNull();
  expect(scan(encode("1234").subarray(0, 2), compileShape({}))?.end).toBe(2);
});

test("a span holds the value and none of the space around it", () => {
  const text = '\ufeff { "a" :\t"x\\"y" , "b": [ 1 , -2.5e3 ] , "c":\n{ } }  ';
  const fields = fieldsOf(text, { fields: { a: {}, b: { items: {} }, c: {} } });
  const bytes = encode(text);
  expect([...fields].map(([key, node]) => [key, rawOf(bytes, node)])).toEqual([
    ["a", '"x\\"y"'],
    ["b", "[ 1 , -2.5e3 ]"],
    ["c", "{ }"],
  ]);
  const list = fields.get("b");
  expect(list?.kind === "array" && list.items.map((item) => rawOf(bytes, item))).toEqual([
    "1",
    "-2.5e3",
  ]);
});

test("what the shape does not reach is not materialised", () => {
  const node = scan(
    encode('{"a":{"b":1},"c":[1],"d":{"b":[2]}}'),
    compileShape({ fields: { a: {}, c: {} } }),
  );
  expect(node).toEqual({
    kind: "object",
    start: 0,
    end: 35,
    fields: new Map([
      ["a", { kind: "object", start: 5, end: 12, fields: new Map() }],
      ["c", { kind: "array", start: 17, end: 20, items: [] }],
    ]),
  });
});

test("a value of another kind than the shape expects is still captured", () => {
  const shape = { fields: { a: { fields: { b: {} }, items: {} } } };
  for (const value of ["1", '"x"', "null", "true", "false", "[]", "{}"]) {
    const node = fieldsOf(`{"a":${value}}`, shape).get("a");
    expect(node).toMatchObject({ start: 5, end: 5 + value.length });
  }
  expect(fieldsOf('{"a":null}', shape).get("a")?.kind).toBe("null");
});

test("the last of several members of one name wins, with its whole subtree", () => {
  const text = '{"a":{"b":1,"c":2},"a":{"c":3}}';
  const node = fieldsOf(text, { fields: { a: { fields: { b: {}, c: {} } } } }).get("a");
  expect(node?.kind === "object" && [...node.fields.keys()]).toEqual(["c"]);
  expect(fieldsOf('{"a":["x"],"a":"y"}', { fields: { a: { items: {} } } }).get("a")?.kind).toBe(
    "string",
  );
});

test("a name is known in every spelling, and the last spelling wins", () => {
  const text = '{"flags":1,"fl\\u0061gs":2,"\\u0066\\u006C\\u0061\\u0067\\u0073":3}';
  const fields = fieldsOf(text, { fields: { flags: {} } });
  expect([...fields].map(([key, node]) => [key, rawOf(encode(text), node)])).toEqual([
    ["flags", "3"],
  ]);
  expect(fieldsOf('{"a\\/b":1}', { fields: { "a/b": {} } }).has("a/b")).toBe(true);
  expect(fieldsOf('{"caf\u00e9":1}', { fields: { "caf\u00e9": {} } }).size).toBe(1);
  expect(fieldsOf('{"caf\\u00e9":1}', { fields: { "caf\u00e9": {} } }).size).toBe(1);
});

test.each([
  "flag",
  "flagss",
  "Flags",
  "xlags",
  "flagx",
  "fl\\u0041gs",
  "flags\\u0000",
  "falgs",
  "",
])("the name %j is not taken for flags", (key) => {
  expect(fieldsOf(`{"${key}":1}`, { fields: { flags: {} } }).size).toBe(0);
});

test.each(["__proto__", "constructor", "", 'a"b', "a\\b", "a\u0000", "\n", "\ud800", "\u{1f600}"])(
  "the name %j is found however odd it is",
  (name) => {
    const text = `{${JSON.stringify(name)}:1}`;
    expect([...fieldsOf(text, { fields: { [name]: {} } }).keys()]).toEqual([name]);
  },
);

test("U+FFFD, which an encoder makes of a lone surrogate, does not stand for one", () => {
  expect(fieldsOf('{"\ufffd":1}', { fields: { "\ud800": {} } }).size).toBe(0);
});

test("each takes the members that have no name of their own", () => {
  const fields = fieldsOf('{"__proto__":[1],"a":[2],"b":3,"\\u0061":4}', {
    fields: { a: {} },
    each: { items: {} },
  });
  expect([...fields].map(([key, node]) => [key, node.kind])).toEqual([
    ["__proto__", "array"],
    ["a", "number"],
    ["b", "number"],
  ]);
});

test("a subclass of Uint8Array is read like any other", () => {
  const bytes = Buffer.from('{"a":"b"}');
  const node = scan(bytes, compileShape({ fields: { a: {} } }));
  const value = node?.kind === "object" ? node.fields.get("a") : undefined;
  expect(value?.kind === "string" && textOf(bytes, value)).toBe("b");
});

function fieldsOf(text: string, shape: Shape): ReadonlyMap<string, JsonNode> {
  const node = scan(encode(text), compileShape(shape));
  if (node?.kind !== "object") throw new Error(`Not an object: ${text}`);
  return node.fields;
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
