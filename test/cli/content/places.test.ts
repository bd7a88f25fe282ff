import { parse } from "csv-parse/sync";
import { stringify } from "csv-stringify/sync";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { locateCsvRecords } from "../../../src/cli/content/csv-contents.ts";
import { locateJsonFault } from "../../../src/backend/content/import/read-json.ts";
import { locateJsonElements } from "../../../src/cli/content/json-contents.ts";
import { createSource } from "../../../src/yaml/source.ts";

describe("the places of CSV cells", () => {
  const cell = fc.string({ unit: fc.constantFrom("a", "ß", '"', ",", ";", "\n", "\r\n", " ", "") });

  test("are those of the cells that the parser finds", () => {
    const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 5 });
    const options = fc.record({
      delimiter: fc.constantFrom(",", ";"),
      record_delimiter: fc.constantFrom("windows", "unix"),
      quoted: fc.boolean(),
    });
    fc.assert(
      fc.property(table, options, (rows, written) => {
        const text = stringify(rows, written);
        const places = locateCsvRecords(createSource("a.csv", text), written.delimiter);
        const cells = places.map((record) =>
          record.map(({ start, end }) => text.slice(start, end)),
        );
        const plain = cells.map((record) =>
          record.map((raw) => (raw.startsWith('"') ? raw.slice(1, -1).replaceAll('""', '"') : raw)),
        );
        const reader = { relax_column_count: true, skip_empty_lines: true } as const;
        const read: unknown = parse(text, {
          ...reader,
          delimiter: written.delimiter,
          record_delimiter: ["\r\n", "\n"],
        });
        expect(plain).toStrictEqual(read);
      }),
    );
  });

  test("skip blank lines, and end where a quote is never closed", () => {
    const text = 'a,b\n\r\n\n1,"x\n2,y\n';
    const places = locateCsvRecords(createSource("a.csv", text), ",");
    expect(places.map((record) => record.map(({ start }) => start))).toStrictEqual([
      [0, 2],
      [7, 9],
    ]);
  });
});

describe("the elements of a JSON array", () => {
  const element = fc.oneof(fc.jsonValue(), fc.record({ contents: fc.jsonValue() }));

  test("are found in an array alone", () => {
    fc.assert(
      fc.property(fc.array(element), fc.integer({ min: 0, max: 3 }), (values, indent) => {
        const text = JSON.stringify(values, null, indent);
        const found = locateJsonElements(text, null).map(({ start, end }) =>
          text.slice(start, end),
        );
        expect(found.map((one) => JSON.stringify(JSON.parse(one)))).toStrictEqual(
          values.map((value) => JSON.stringify(value)),
        );
      }),
    );
  });

  test("are found under a key, whatever stands around it", () => {
    const others = fc.dictionary(
      fc.constantFrom("a", "content", '"contents"', "{"),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(others, fc.array(element), others, (before, values, after) => {
        const rest = Object.entries(after).map(([key, value]) => [`x${key}`, value] as const);
        const text = JSON.stringify(
          { ...before, contents: values, ...Object.fromEntries(rest) },
          null,
          2,
        );
        const found = locateJsonElements(text, "contents").map(({ start, end }) =>
          text.slice(start, end),
        );
        expect(found.map((one) => JSON.stringify(JSON.parse(one)))).toStrictEqual(
          values.map((value) => JSON.stringify(value)),
        );
      }),
    );
  });
});

describe("the place of a fault in JSON", () => {
  const long = `[{"title": "${"a".repeat(40)}", "b": `;
  test.each([
    ['[{"id": 1, "title": x}]', 20, "Unexpected token 'x'"],
    ["x", 0, "Unexpected token 'x'"],
    ['{"a": tru}', 9, "Unexpected token '}'"],
    [`${long}tru, "c": "${"d".repeat(40)}"}]`, long.length + 3, "Unexpected token ','"],
    [`${long}bad}]`, long.length, "Unexpected token 'b'"],
    ["[1,2,", 4, "Unexpected end of JSON input"],
    ["", 0, "Unexpected end of JSON input"],
    ['["a\nb"]', 3, "Bad control character in string literal"],
    ['{"a":1,}', 7, "Expected double-quoted property name"],
    ["[1] x", 4, "Unexpected non-whitespace character after JSON"],
  ])("of %s is %i", (text, start, message) => {
    let error: unknown;
    try {
      JSON.parse(text);
    } catch (thrown) {
      error = thrown;
    }
    const fault = locateJsonFault(text, error);
    expect(fault.start).toBe(start);
    expect(fault.message).toContain(message);
  });
});
