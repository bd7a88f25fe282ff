import { zipSync } from "fflate";
import { expect, test } from "vitest";
import type { ImportFile } from "../../../../src/backend/content/import/imported/imported.ts";
import { isImportName } from "../../../../src/backend/content/import/read-imported.ts";
import { isZip, unzip } from "../../../../src/backend/content/import/unzip.ts";

const empty = new Uint8Array();

/** An archive whose headers give each file a wrong size. */
function claiming(files: Readonly<Record<string, Uint8Array>>, size: number): Uint8Array {
  const bytes = zipSync({ ...files });
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < bytes.length - 4; at++) {
    // In the central directory, and in the file's own header.
    if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + 24, size, true);
    if (view.getUint32(at, true) === 0x04034b50) view.setUint32(at + 22, size, true);
  }
  return bytes;
}

function filesIn(bytes: Uint8Array): readonly ImportFile[] {
  const files = unzip(bytes, isImportName);
  if ("message" in files) throw new Error(files.message);
  return files;
}

test("a ZIP archive gives the files that may hold contents", () => {
  const bytes = zipSync({
    "agent.json": new TextEncoder().encode("{}"),
    "intents/é.json": new TextEncoder().encode("[]"),
    "README.md": empty,
    "__MACOSX/._agent.json": empty,
    "node_modules/x/package.json": empty,
    ".git/config.json": empty,
  });
  expect(isZip(bytes)).toBe(true);
  const files = filesIn(bytes);
  expect(files.map(({ name }) => name)).toEqual(["agent.json", "intents/é.json"]);
});

test.each(["../a.json", "/a.json", "a/../../b.json", "..\\a.json", "C:\\a.json"])(
  "an archive that names a file outside of itself is refused: %s",
  (name) => {
    expect(unzip(zipSync({ [name]: empty }), isImportName)).toMatchObject({
      code: "archive",
      message: expect.stringContaining("outside of itself"),
    });
  },
);

test("an archive of too many or too large files is refused before they are unpacked", () => {
  const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [`${at}.json`, empty]));
  expect(unzip(zipSync(many, { level: 0 }), isImportName)).toEqual({
    code: "too-large",
    message: "it has more than 10000 files",
  });
  const one = { "a.json": empty };
  expect(unzip(claiming(one, 52_428_801), isImportName)).toEqual({
    code: "too-large",
    message: "a.json has 52428801 bytes; at most 52428800 are read",
  });
  const five = Object.fromEntries(Array.from({ length: 5 }, (_, at) => [`${at}.json`, empty]));
  expect(unzip(claiming(five, 52_428_800), isImportName)).toEqual({
    code: "too-large",
    message: "its files have more than 209715200 bytes together",
  });
});

test("an archive that understates a file's size gives no more bytes than it states", () => {
  const bytes = claiming({ "a.json": new Uint8Array(1_000_000).fill(32) }, 10);
  const files = filesIn(bytes);
  expect(files.every((file) => file.bytes.length <= 10)).toBe(true);
});

test("a truncated archive is reported as unreadable", () => {
  const bytes = zipSync({ "a.json": new Uint8Array(100) });
  expect(unzip(bytes.subarray(0, 60), isImportName)).toMatchObject({
    code: "archive",
    message: expect.stringContaining("can't be read"),
  });
});
