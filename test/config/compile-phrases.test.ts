import { expect, test } from "vitest";
import { createPhrasebook, type Pages } from "../../src/config/compile-phrases.ts";
import { createReporter } from "../../src/config/diagnostic.ts";
import { readMessages } from "../../src/config/read-messages.ts";
import { createSource } from "../../src/config/source.ts";

const book = createPhrasebook();

function pages(yaml: string, locale = "en"): Pages {
  const reporter = createReporter();
  const file = readMessages(createSource(`${locale}.yaml`, yaml), locale, "own", reporter);
  expect(reporter.diagnostics()).toEqual([]);
  if (file === null) throw new Error("the file was expected to be valid");
  return book.open(file);
}

test("a text that is not there is null, and never its own name", () => {
  const open = pages("welcome: Hi\n");
  for (const name of ["no-results", "welcome~0", "__proto__", "constructor", ""]) {
    expect(open.find(name, {})).toBeNull();
    expect(open.find(name, { channel: "voice", count: 3 })).toBeNull();
  }
});

test("a channel finds its own text, or is told that it is another's", () => {
  const open = pages("welcome: { text: any, channels: { voice: spoken } }\n");
  expect(open.find("welcome", { channel: "voice" })).toEqual({ text: "spoken", exact: true });
  expect(open.find("welcome", { channel: "sms" })).toEqual({ text: "any", exact: false });
  expect(open.find("welcome", {})).toEqual({ text: "any", exact: true });
});

test("a count finds the plural form of the file's language", () => {
  const open = pages("multiple-options: { plural: { one: a, few: b, many: c, other: d } }\n", "pl");
  const found = [1, 3, 5, 1.5].map((count) => open.find("multiple-options", { count })?.text);
  expect(found).toEqual(["a", "b", "c", "d"]);
});

test("a plural form that is missing is `other`, and not the text for when there is no count", () => {
  const open = pages("multiple-options: { text: t, plural: { one: a, other: d } }\n", "pl");
  const found = [1, 3, 5, 1.5].map((count) => open.find("multiple-options", { count })?.text);
  expect(found).toEqual(["a", "d", "d", "d"]);
  const french = pages("multiple-options: { text: t, plural: { one: a, other: d } }\n", "fr");
  expect(french.find("multiple-options", { count: 1_000_000 })?.text).toBe("d");
});

test("files do not see each other's texts, however many are open", () => {
  const opened = Array.from({ length: 600 }, (_, number) => pages(`welcome: text ${number}\n`));
  expect(opened.map((open) => open.find("welcome", {})?.text)).toEqual(
    opened.map((_, number) => `text ${number}`),
  );
});
