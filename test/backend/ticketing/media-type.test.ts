import { expect, test } from "vitest";
import { mediaType } from "../../../src/backend/ticketing/media-type.ts";

const asf = Uint8Array.of(0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11);
const begun = (text: string): Uint8Array => new TextEncoder().encode(text);

test.each([
  ["a.avi", begun("RIFF....AVI "), "video/x-msvideo"],
  ["a.aac", begun("ADIF"), "audio/aac"],
  ["a.wma", asf, "audio/x-ms-wma"],
  ["a.oga", begun("OggS"), "audio/ogg"],
])("%s is taken for what it is", (name, data, type) => {
  expect(mediaType(name, data)).toEqual({ ok: true, name, type });
});

test("a .avi file that begins otherwise is refused", () => {
  expect(mediaType("a.avi", begun("<html>"))).toEqual({
    ok: false,
    reason: "content: is not a .avi file",
  });
});
