import { expect, test } from "vitest";
import { createFieldReader } from "../../../src/gateway/rewriter/request-text.ts";

const read = createFieldReader(["message", "option"]);

test.each([
  ["JSON", '{"message":"où ?","option":3}'],
  ["a form", "message=o%C3%B9+%3F&option=3"],
  [
    "a multipart form",
    '--b\r\nContent-Disposition: form-data; name="message"\r\n\r\noù ?\r\n' +
      '--b\r\ncontent-disposition: form-data; name="option"\r\nContent-Type: text/plain\r\n\r\n3\r\n' +
      '--b\r\nContent-Disposition: form-data; name="option"; filename="a"\r\n\r\nbytes\r\n--b--\r\n',
  ],
])("the fields of %s are read", (_, body) => {
  expect(Object.fromEntries(read(new TextEncoder().encode(body)))).toStrictEqual({
    message: "où ?",
    option: "3",
  });
});

// Readers differ in which of two equal names they use.
const twice =
  '--b\r\nContent-Disposition: form-data; name="message"; name="option"\r\n\r\nx\r\n--b--';

test.each(['""', "[]", "--", "--b", "--b\r\n\r\n\r\n--b--", "--b\r\nname", twice])(
  "%j has no fields",
  (body) => expect(read(new TextEncoder().encode(body)).size).toBe(0),
);
