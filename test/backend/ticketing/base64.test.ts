import { expect, test } from "vitest";
import { readStrictBase64 } from "../../../src/backend/ticketing/media.ts";

const lines = (text: string): string => text.replaceAll(/.{1,76}/g, (line) => `${line}\r\n`);

test.each([0, 1, 2, 3, 57, 58, 59, 1000])(
  "base64 of %i bytes is read with and without padding, with line breaks, and in a data URL",
  (length) => {
    const bytes = Buffer.from(Array.from({ length }, (_, index) => (index * 37) % 256));
    const text = bytes.toString("base64");
    const asUrl = `data:text/plain;charset="utf-8";base64,${text}`;
    for (const spelling of [text, text.replace(/=+$/, ""), lines(text), `${text}\n`, asUrl]) {
      expect(Buffer.from(readStrictBase64(spelling) ?? "none")).toEqual(bytes);
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
  "data:text/plain,AAAA",
  "data:image/png;base64",
  "AAAAdata:;base64,AAAA",
])("%j is not base64", (text) => {
  expect(readStrictBase64(text)).toBeNull();
});
