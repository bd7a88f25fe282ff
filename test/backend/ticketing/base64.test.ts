import { expect, test } from "vitest";
import { strictBase64 } from "../../../src/backend/ticketing/media.ts";

const lines = (text: string): string => text.replaceAll(/.{1,76}/g, (line) => `${line}\r\n`);

test.each([0, 1, 2, 3, 57, 58, 59, 1000])(
  "base64 of %i bytes is read with and without padding, and with line breaks",
  (length) => {
    const bytes = Buffer.from(Array.from({ length }, (_, index) => (index * 37) % 256));
    const text = bytes.toString("base64");
    for (const spelling of [text, text.replace(/=+$/, ""), lines(text), `${text}\n`]) {
      expect(Buffer.from(strictBase64(spelling) ?? "none")).toEqual(bytes);
    }
  },
);

test.each([
  "%%%%",
  "A",
  "AAAAA",
  "AA=",
  "AAA==",
  "AAAA=",
  "A===",
  "=",
  "AB==",
  "AB",
  "AAB=",
  "A A=",
  "AA-_",
])("%j is no base64", (text) => {
  expect(strictBase64(text)).toBeNull();
});
