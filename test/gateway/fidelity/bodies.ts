import * as fc from "fast-check";
import { damaged, document } from "../../json/documents.ts";

const gap = fc.constantFrom("", "", "", "", " ", "\n  ", "\t", "\r\n");

/** A JSON string in any script, with needless escapes or text that looks like structure. */
const text: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.constantFrom("Sorry", "no-results", "flags", '\\"flags\\":[\\"welcome\\"]', "<b>x</b>"),
      fc.constantFrom(
        "é",
        "日本",
        "\u{1f600}",
        "\u2028",
        "\u007f",
        "\ufeff",
        "مرحبا",
        "]}",
        "{[,:",
      ),
      fc.constantFrom(
        "\\n",
        "\\\\",
        "\\/",
        "\\u0000",
        "\\ud83d",
        "\\u00e9",
        "\\uDE00",
        "{{query}}",
      ),
    ),
    { maxLength: 4 },
  )
  .map((pieces) => `"${pieces.join("")}"`);

const junk = fc.constantFrom(
  "null",
  "true",
  "0",
  "-0.0e10",
  "{}",
  "[]",
  '"no-results"',
  "[[]]",
  '""',
);
const whatever = fc.oneof(junk, text, document);

const flag = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      ...["no-results", "welcome", "multiple-options", "conversation-link", "follow-up-question"],
      // Flags without a text in this test, and values that are no flags.
      ...["refinement", "end-form", "escalate", "no-rating", "No-Results", "__proto__"],
    ),
  },
  { weight: 1, arbitrary: fc.constant("") },
);

/** A name or flag in a JSON spelling: each letter as it is, or needlessly escaped. */
function spelled(name: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const mask = fc.oneof(
    { weight: 5, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.nat(0xffff) },
  );
  return fc.tuple(name, mask).map(([letters, bits]) => {
    const written = Array.from(letters, (letter, i) =>
      ((bits >> (i % 16)) & 1) === 1
        ? `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`
        : letter,
    );
    return `"${written.join("")}"`;
  });
}

function list(item: fc.Arbitrary<string>, maxLength: number): fc.Arbitrary<string> {
  return fc
    .tuple(
      gap,
      fc.array(
        fc.tuple(gap, item, gap).map((parts) => parts.join("")),
        { maxLength },
      ),
    )
    .map(([space, items]) => `[${items.length === 0 ? space : items.join(",")}]`);
}

interface Member {
  readonly weight: number;
  readonly name: string;
  readonly value: fc.Arbitrary<string>;
}

/** Members in any order, some of them repeated or missing. */
function object(members: readonly Member[], minLength: number): fc.Arbitrary<string> {
  const member = fc.oneof(
    ...members.map(({ weight, name, value }) => ({
      weight,
      arbitrary: fc
        .tuple(gap, spelled(fc.constant(name)), gap, gap, value, gap)
        .map(([a, key, b, c, json, d]) => `${a}${key}${b}:${c}${json}${d}`),
    })),
  );
  return fc
    .array(member, { minLength, maxLength: minLength + 5 })
    .map((written) => `{${written.join(",")}}`);
}

/** `usual` four times out of five, else something of another kind. */
function mostly(usual: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.oneof({ weight: 8, arbitrary: usual }, { weight: 1, arbitrary: whatever });
}

const title = fc.constantFrom(
  '"No Results"',
  '" no results "',
  '"Welcome"',
  '"N\\u006f Results"',
  "7",
);
const flags = mostly(
  list(fc.oneof({ weight: 6, arbitrary: spelled(flag) }, { weight: 1, arbitrary: junk }), 3),
);
const related = object(
  [
    { weight: 5, name: "relatedTitle", value: mostly(text) },
    { weight: 2, name: "relatedContents", value: list(whatever, 2) },
  ],
  1,
);
const contents = object(
  [
    { weight: 4, name: "related", value: mostly(related) },
    { weight: 1, name: "title", value: mostly(title) },
  ],
  1,
);
const parameters = object([{ weight: 1, name: "contents", value: mostly(contents) }], 1);
const attributes = object(
  [
    { weight: 2, name: "inbMainTitle", value: title },
    { weight: 1, name: "title", value: mostly(title) },
    { weight: 1, name: "ANSWER_TEXT", value: text },
  ],
  1,
);

const subAnswer = object(
  [
    { weight: 4, name: "flags", value: flags },
    { weight: 4, name: "message", value: mostly(text) },
    { weight: 2, name: "messageList", value: mostly(list(mostly(text), 2)) },
    { weight: 2, name: "parameters", value: mostly(parameters) },
    { weight: 1, name: "attributes", value: mostly(attributes) },
    { weight: 1, name: "subAnswers", value: fc.constant('[{"flags":["welcome"],"message":"x"}]') },
  ],
  3,
);

const answer = object(
  [
    { weight: 5, name: "flags", value: flags },
    { weight: 5, name: "message", value: mostly(text) },
    { weight: 4, name: "messageList", value: mostly(list(mostly(text), 3)) },
    { weight: 3, name: "parameters", value: mostly(parameters) },
    { weight: 2, name: "attributes", value: mostly(attributes) },
    { weight: 1, name: "options", value: whatever },
    { weight: 1, name: "type", value: text },
    { weight: 1, name: "subAnswers", value: mostly(list(mostly(subAnswer), 2)) },
    { weight: 1, name: "__proto__", value: fc.constant('{"flags":["welcome"]}') },
  ],
  4,
);

const answers = object(
  [
    {
      weight: 5,
      name: "answers",
      value: list(
        fc.oneof({ weight: 8, arbitrary: answer }, { weight: 1, arbitrary: whatever }),
        3,
      ),
    },
    { weight: 1, name: "answers", value: whatever },
    { weight: 2, name: "sessionId", value: whatever },
  ],
  1,
);

/** A message response as text: `answers` or one bare answer, with or without a byte order mark. */
const response: fc.Arbitrary<string> = fc
  .tuple(
    fc.oneof(
      { weight: 9, arbitrary: fc.constant("") },
      { weight: 1, arbitrary: fc.constant("\ufeff") },
    ),
    gap,
    fc.oneof({ weight: 5, arbitrary: answers }, { weight: 1, arbitrary: answer }),
    gap,
  )
  .map((parts) => parts.join(""));

/** A body that was cut, has a changed byte, or has additional bytes. */
const hurt: fc.Arbitrary<Uint8Array> = fc
  .tuple(response, fc.nat(), fc.nat(3), fc.nat(0xff))
  .map(([written, where, how, byte]) => {
    const bytes = encode(written);
    const at = where % (bytes.length + 1);
    const middle = how === 0 ? [] : [byte];
    return Uint8Array.from([
      ...bytes.subarray(0, at),
      ...middle,
      ...(how === 0 ? [] : bytes.subarray(at + how - 1)),
    ]);
  });

const nonsense: fc.Arbitrary<Uint8Array> = fc.oneof(
  fc
    .constantFrom(
      "",
      " ",
      "<!doctype html><title>502 Bad Gateway</title>",
      '{"answers":[{"flags":["no-results"],"message":"Sorry"}]}garbage',
      "answers=no-results",
      '{"errors":[{"code":400,"message":"Session expired"}]}',
    )
    .map(encode),
  fc.uint8Array({ maxLength: 64 }),
);

/** Bytes of a response body, from well-formed to unreadable. */
export const anyBody: fc.Arbitrary<Uint8Array> = fc.oneof(
  { weight: 12, arbitrary: response.map(encode) },
  { weight: 3, arbitrary: hurt },
  { weight: 1, arbitrary: document.map(encode) },
  { weight: 1, arbitrary: damaged },
  { weight: 1, arbitrary: nonsense },
);

function encode(written: string): Uint8Array {
  return new TextEncoder().encode(written);
}
