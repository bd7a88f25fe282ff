/**
 * A body that somebody might send to break a reader of JSON, and whether RFC 8259 in UTF-8 allows
 * it.
 */
export interface AdversarialCase {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly valid: boolean;
}

/** Names are unique. A leading byte order mark counts as allowed, as `scan` tolerates one. */
export const ADVERSARIAL: readonly AdversarialCase[] = [
  ...texts(true, {
    "empty object": "{}",
    "empty array": "[]",
    "a bare string": '"flags"',
    "a bare number": "-0",
    "a bare null": " null\n",
    "a byte order mark": '\ufeff{"answers":[]}',
    "a byte order mark, then whitespace": "\ufeff \t\r\n[1]",
    "a byte order mark inside a string": '["\ufeff"]',
    "every whitespace everywhere": '\r\n\t { "a" \t:\n[ \r1 , 2 ]\n, "b" : { } }  ',
    "a depth of 100,000 arrays": nested("[", "]", 100_000),
    "a depth of 100,000 objects": nested('{"a":', "}", 100_000, "1"),
    "a depth of 100,000 under a known path": `{"answers":[{"flags":${nested("[", "]", 100_000)}}]}`,
    "a depth of 100,000, mixed": nested('[{"a":', "}]", 50_000, "[]"),
    "exactly 30 levels": nested("[", "]", 30),
    "exactly 31 levels, objects outside": `{"a":${nested("[", "]", 30)}}`,
    "exactly 60 and 61 levels": `[${nested("[", "]", 60)},${nested('{"":', "}", 60, "0")}]`,
    "duplicate keys at every level":
      '{"answers":1,"answers":[{"flags":["a"],"flags":[],"message":"x","message":"y"},{"flags":{},"flags":null}],"a":{},"a":[]}',
    "a duplicate key in two spellings": '{"flags":["a"],"fl\\u0061gs":["b"]}',
    "an escaped key": '{"\\u0061nswers":[{"\\u0066lags":["no-results"],"messag\\u0065":"x"}]}',
    "a key of escapes only": '{"\\u0022\\\\\\/\\b\\f\\n\\r\\t":1}',
    "an empty key": '{"":{"":[]}}',
    "keys of an object's prototype":
      '{"__proto__":{"flags":["x"]},"constructor":1,"toString":2,"hasOwnProperty":3}',
    "lone surrogates as escapes": '["\\ud800","\\udc00","\\udfff\\ud800","\\uD83D"]',
    "a surrogate pair as escapes": '["\\ud83d\\ude00"]',
    "an escaped NUL": '{"a\\u0000":"\\u0000"}',
    "the last and first code points of every length":
      '["\u0080\u07ff\u0800\ud7ff\ue000\uffff\u{10000}\u{10ffff}"]',
    "a DEL and the C1 controls": '["\u007f\u0080\u009f"]',
    "U+2028 and U+2029 raw in a string": '["\u2028\u2029"]',
    "every short escape": '["\\"\\\\\\/\\b\\f\\n\\r\\t"]',
    "minus zero": "[-0,-0.0,-0e0,0e-0]",
    "huge numbers": `[1e999,-1e999,1e-999,${"9".repeat(400)},0.${"1".repeat(400)},1E+0001]`,
    "numbers at every end": '{"a":1,"b":[2.5],"c":3e4}',
    "brackets and quotes inside strings": '["]}\\"{[","\\\\",{"}":"]"}]',
    "comments inside a string": '["// no","/* comment */"]',
    "a very long string": `["${"x".repeat(100_000)}"]`,
    "many members of one name": `{${Array.from({ length: 2000 }, (_, k) => `"flags":[${k}]`).join(",")}}`,
  }),
  ...texts(false, {
    empty: "",
    "whitespace only": " \n\t\r ",
    "a byte order mark alone": "\ufeff",
    "two byte order marks": "\ufeff\ufeff{}",
    "a byte order mark after whitespace": " \ufeff{}",
    "a byte order mark between tokens": '{\ufeff"a":1}',
    "a depth of 100,000, one bracket missing": `${"[".repeat(100_000)}${"]".repeat(99_999)}`,
    "a depth of 100,000, one bracket too many": `${"[".repeat(100_000)}${"]".repeat(100_001)}`,
    "a depth of 100,000, never closed": "[".repeat(100_000),
    "a depth of 100,000, closed by the wrong bracket": `${"[".repeat(100_000)}${"]".repeat(50_000)}}`,
    "objects of a depth of 100,000, never closed": '{"a":'.repeat(100_000),
    "a wrong bracket past 30 levels": `{"a":${"[".repeat(40)}${"]".repeat(39)}}}`,
    "crossed brackets": '{"a":[1}]',
    "crossed brackets, the other way": "[{]}",
    "a trailing comma in an array": "[1,]",
    "a trailing comma in an object": '{"a":1,}',
    "a trailing comma after the document": "{},",
    "a leading comma": "[,1]",
    "a leading comma in an object": '{,"a":1}',
    "two commas": "[1,,2]",
    "no comma": "[1 2]",
    "no comma between members": '{"a":1 "b":2}',
    "no colon": '{"a" 1}',
    "two colons": '{"a"::1}',
    "a key without a value": '{"a"}',
    "a key without a value, after a colon": '{"a":}',
    "a colon in an array": '["a":1]',
    "a comma for a colon": '{"a",1}',
    "a value for a key": "{1:2}",
    "a bare key": "{a:1}",
    "single quotes": "{'a':'b'}",
    "a line comment": "[1] // one",
    "a block comment": "[/* one */1]",
    "a hash comment": "# one\n[1]",
    NaN: "[NaN]",
    Infinity: "[Infinity]",
    "minus Infinity": "[-Infinity]",
    undefined: "[undefined]",
    "capital literals": "[True,NULL]",
    "a cut literal": "[tru]",
    "a cut literal at the end": "nul",
    "a literal that goes on": "[nulll]",
    "a literal glued to a number": "[null0]",
    "a leading zero": "[01]",
    "a leading zero after minus": "[-01]",
    "a leading plus": "[+1]",
    "no digit after the point": "[1.]",
    "no digit after the point, at the end": "1.",
    "no digit before the point": "[.5]",
    "no digit before the point, after minus": "[-.5]",
    "minus alone": "-",
    "minus minus": "[--1]",
    "no digit in the exponent": "[1e]",
    "no digit in the exponent, after its sign": "[1e+]",
    "two points": "[1.2.3]",
    "two exponents": "[1e2e3]",
    "a fraction in the exponent": "[1e2.5]",
    "a hexadecimal number": "[0x1F]",
    "an octal number": "[0o7]",
    "a digit separator": "[1_000]",
    "a bigint": "[1n]",
    "trailing garbage": '{"answers":[]}x',
    "a trailing NUL": '{"answers":[]}\u0000',
    "a leading NUL": '\u0000{"answers":[]}',
    "a NUL between tokens": "[1,\u0000 2]",
    "a NUL in a string": '["\u0000"]',
    "a NUL in a key": '{"fl\u0000ags":[]}',
    "two documents": '{"answers":[]}{"answers":[]}',
    "two documents on two lines": "{}\n{}",
    "a JSON text sequence": "\u001e{}\n",
    "an unterminated string": '["abc',
    "an unterminated key": '{"flags',
    "a string that ends in a backslash": '["abc\\',
    "a string that ends in an escaped quote": '["abc\\"]',
    "an unterminated escape": '["\\u00',
    "an escape cut by the quote": '["\\u00"]',
    "an escape with bad hex": '["\\u00g0"]',
    "an escape with hex digits of another script": '["\\u00\u0661\u0661"]',
    "an escape with a sign": '["\\u+061"]',
    "an escape with a capital U": '["\\U0061"]',
    "an escape in braces": '["\\u{61}"]',
    "a hexadecimal escape of JavaScript": '["\\x61"]',
    "a vertical tab escape": '["\\v"]',
    "a NUL escape": '["\\0"]',
    "an escaped single quote": '["\\\'"]',
    "an escaped letter that needs none": '["\\a"]',
    "a capital short escape": '["\\N"]',
    "an escape with a letter after F": '["\\u00G0"]',
    "an escape with bad hex first": '["\\uG000"]',
    "an escape with bad hex second": '["\\u0@00"]',
    "an escape with bad hex last": '["\\u000`"]',
    "an escape with a space": '["\\u 061"]',
    "an escaped line feed": '["a\\\nb"]',
    "an escape outside a string": "[\\u0031]",
    "a raw line feed in a string": '["a\nb"]',
    "a raw tab in a string": '["a\tb"]',
    "a raw carriage return in a key": '{"a\rb":1}',
    "the last control character in a string": '["\u001f"]',
    "a no-break space between tokens": "[1,\u00a02]",
    "a form feed between tokens": "[1,\u000c2]",
    "a vertical tab between tokens": "[1,\u000b2]",
    "a line separator between tokens": "[1,\u20282]",
    HTML: "<!doctype html><title>502</title>",
    "a guard against hijacking": ')]}\',\n{"answers":[]}',
    JSONP: 'callback({"answers":[]})',
    "a lone quote": '"',
    "a lone bracket": "]",
    "a lone brace": "{",
    "a lone comma": ",",
    "a lone colon": ":",
  }),
  bytes("UTF-16 with a byte order mark, little-endian", false, [
    0xff,
    0xfe,
    ...utf16('{"a":1}', 0),
  ]),
  bytes("UTF-16 with a byte order mark, big-endian", false, [0xfe, 0xff, ...utf16('{"a":1}', 1)]),
  bytes("UTF-16 without a byte order mark", false, utf16('{"a":1}', 0)),
  bytes("a cut byte order mark", false, [0xef, 0xbb, 0x7b, 0x7d]),
  bytes("half a byte order mark alone", false, [0xef, 0xbb]),
  ...inString({
    "an overlong slash in two bytes": [0xc0, 0xaf],
    "an overlong DEL in two bytes": [0xc1, 0xbf],
    "an overlong NUL in two bytes": [0xc0, 0x80],
    "an overlong quote in three bytes": [0xe0, 0x80, 0xa2],
    "the last overlong of three bytes": [0xe0, 0x9f, 0xbf],
    "the last overlong of four bytes": [0xf0, 0x8f, 0xbf, 0xbf],
    "the first surrogate half": [0xed, 0xa0, 0x80],
    "the last surrogate half": [0xed, 0xbf, 0xbf],
    "a surrogate pair in two halves": [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80],
    "the code point after U+10FFFF": [0xf4, 0x90, 0x80, 0x80],
    "a lead byte above F4": [0xf5, 0x80, 0x80, 0x80],
    "a sequence of five bytes": [0xf8, 0x88, 0x80, 0x80, 0x80],
    "a byte FE": [0xfe],
    "a byte FF": [0xff],
    "a lone continuation byte": [0x80],
    "the last continuation byte alone": [0xbf],
    "one continuation byte too many": [0xc3, 0xa9, 0xa9],
    "two bytes cut to one": [0xc3],
    "three bytes cut to two": [0xe2, 0x82],
    "three bytes cut to one": [0xe2],
    "four bytes cut to three": [0xf0, 0x9f, 0x98],
    "four bytes cut to two": [0xf0, 0x9f],
    "four bytes cut to one": [0xf0],
    "a third byte that is no continuation": [0xe2, 0x82, 0xc3],
    "a fourth byte that is no continuation": [0xf0, 0x9f, 0x98, 0x41],
    "Latin-1": [0x63, 0x61, 0x66, 0xe9],
  }),
  bytes("a sequence cut by the end of the document", false, [0x5b, 0x22, 0xf0, 0x9f, 0x98]),
  bytes("UTF-8 outside a string", false, [0x5b, 0xc3, 0xa9, 0x5d]),
  bytes("invalid UTF-8 after the document", false, [0x7b, 0x7d, 0xff]),
  bytes("an overlong bracket around a document", false, [0xc1, 0x9b, 0x5d]),
  bytes("gzip", false, [0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0, 3, 0xab, 0xae, 5, 0]),
  bytes(
    "zeros",
    false,
    Array.from({ length: 64 }, () => 0),
  ),
];

function texts(valid: boolean, table: { readonly [name: string]: string }): AdversarialCase[] {
  return Object.entries(table).map(([name, text]) => ({
    name,
    bytes: new TextEncoder().encode(text),
    valid,
  }));
}

function bytes(name: string, valid: boolean, list: readonly number[]): AdversarialCase {
  return { name, bytes: Uint8Array.from(list), valid };
}

/**
 * Each sequence of invalid UTF-8 as the text of an answer, which is where a vendor would send it,
 * and as a name.
 */
function inString(table: { readonly [name: string]: readonly number[] }): AdversarialCase[] {
  return Object.entries(table).flatMap(([name, list]) => [
    bytes(`${name}, in a text`, false, around('{"answers":[{"message":"', list, '"}]}')),
    bytes(`${name}, in a name`, false, around('{"a":{"', list, '":1}}')),
  ]);
}

function around(before: string, list: readonly number[], after: string): number[] {
  return [...new TextEncoder().encode(before), ...list, ...new TextEncoder().encode(after)];
}

function utf16(text: string, highByteAt: 0 | 1): number[] {
  return Array.from(text, (character) => character.charCodeAt(0)).flatMap((code) =>
    highByteAt === 1 ? [code >> 8, code & 0xff] : [code & 0xff, code >> 8],
  );
}

function nested(open: string, close: string, depth: number, inner = ""): string {
  return open.repeat(depth) + inner + close.repeat(depth);
}
