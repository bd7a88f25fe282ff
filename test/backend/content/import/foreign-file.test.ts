import { zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { reportForeign } from "../../../../src/backend/content/import/foreign-file.ts";
import { createReporter } from "../../../../src/yaml/diagnostic.ts";

function report(bytes: Uint8Array): unknown {
  const reporter = createReporter();
  const isForeign = reportForeign({ name: "faq.csv", bytes }, reporter);
  const [found] = reporter.diagnostics();
  expect(isForeign).toBe(found !== undefined);
  return found === undefined ? null : [found.code, found.params?.["kind"] ?? null];
}

const text = (written: string): Uint8Array => new Uint8Array(Buffer.from(written, "latin1"));
const archive = (...names: readonly string[]): Uint8Array =>
  zipSync(Object.fromEntries(names.map((name) => [name, new Uint8Array(20)])));
/** A file of the container that Office programs have written since 1997. */
const compound = (name: string): Uint8Array => {
  const begin = Buffer.from("d0cf11e0a1b11ae1", "hex");
  return new Uint8Array(
    Buffer.concat([begin, Buffer.alloc(1200), Buffer.from(name, "utf16le"), Buffer.alloc(600)]),
  );
};

describe("the check for files that were chosen by mistake", () => {
  test.each([
    ["an empty file", text(""), ["file-empty", null]],
    ["a byte order mark alone", text("\u00ff\u00fe"), ["file-empty", null]],
    ["line breaks alone", text("\u00ef\u00bb\u00bf\r\n\r\n"), ["file-empty", null]],
    ["a PDF", text("%PDF-1.7\n%…"), ["not-contents", "PDF"]],
    ["a photo", text("\u00ff\u00d8\u00ff\u00e0\0\u0010JFIF"), ["not-contents", "JPEG"]],
    ["a photo in a phone's format", text("\0\0\0\u0018ftypheic"), ["not-contents", "HEIC"]],
    ["a table of an HTML page", text("<table><tr><td>question"), ["not-contents", "HTML"]],
    ["an HTML page", text("\r\n<!DOCTYPE html><html>"), ["not-contents", "HTML"]],
    ["a workbook", archive("[Content_Types].xml", "xl/workbook.xml"), ["workbook", "XLSX"]],
    ["a workbook of 1997", compound("Workbook"), ["workbook", "XLS"]],
    ["a workbook with a password", compound("EncryptedPackage"), ["file-locked", null]],
    ["a text document", archive("word/document.xml"), ["not-contents", "DOCX"]],
    ["a text document of 1997", compound("WordDocument"), ["not-contents", "DOC"]],
  ])("identifies %s", (_, bytes, found) => {
    expect(report(bytes)).toEqual(found);
  });

  test("reports an archive with a password as locked", () => {
    const bytes = archive("agent.json");
    bytes[6] = 1;
    expect(report(bytes)).toEqual(["file-locked", null]);
  });

  test.each([
    ["a sheet", text("question,answer\r\n%PDF,A\r\n")],
    ["a sheet in UTF-16", new Uint8Array(Buffer.from("\ufeffquestion\tanswer\r\n", "utf16le"))],
    ["a sheet that begins with empty rows", text(`${"\r\n".repeat(600)}question,answer\r\n`)],
    ["an archive of a bot", archive("agent.json", "intents/hours.json")],
    ["JSON", text('{ "intents": [] }')],
  ])("accepts %s, which can be imported", (_, bytes) => {
    expect(report(bytes)).toBeNull();
  });
});
