import { expect, test } from "vitest";
import { reviewRows } from "../../../src/config/translation/review.ts";
import { planFiles, type Workbook } from "../../../src/config/edit/workbook.ts";
import { createReporter } from "../../../src/yaml/diagnostic.ts";
import {
  type MessagesFile,
  type Origin,
  readMessages,
} from "../../../src/config/load/read-messages.ts";
import { createSource, START } from "../../../src/yaml/source.ts";

const FILE = createSource("texts.csv", "");

/** Texts by `own fr` and the like; what is imported is German. */
function workbook(files: Record<string, string>): Workbook {
  const read = (origin: Origin, locale: string): MessagesFile | null => {
    const text = files[`${origin} ${locale}`];
    const source = createSource(`${locale}.yaml`, text ?? "");
    return text === undefined ? null : readMessages(source, locale, origin, createReporter());
  };
  return {
    directory: "/bot/messages",
    sourceLocale: "en",
    locales: ["de", "en"],
    variables: new Set(),
    sheet: (locale) => ({ own: read("own", locale), shipped: read("shipped", locale) }),
    ownFile: (locale) => `/bot/messages/${locale}.yaml`,
  };
}

/** Imports these texts, and returns the German file. */
function german(files: Record<string, string>, texts: Record<string, string>): readonly string[] {
  const book = workbook({ "shipped en": "welcome: Hi\n", "own de": "", ...files });
  const reporter = createReporter();
  const rows = Object.entries(texts).map(([id, target]) => {
    return { locale: "de", exported: null, id, source: null, target, span: START };
  });
  const planned = planFiles(reviewRows(rows, book, FILE, reporter), book, reporter);
  expect(reporter.diagnostics()).toEqual([]);
  return planned.map(({ text }) => text);
}

test("a changed form of Afterword's plural takes the other forms along", () => {
  const shipped = "end-form: { plural: { one: ein, other: viele }, text: Text }\n";
  expect(german({ "shipped de": shipped }, { "end-form.plural.one": "eins" })).toEqual([
    'end-form:\n  plural:\n    one: "eins"\n    other: "viele"\n',
  ]);
});

test("a changed variant of Afterword's takes the other variants along", () => {
  const shipped = "welcome: { variants: [a, b, c] }\n";
  expect(german({ "shipped de": shipped }, { "welcome.variants[1]": "B" })).toEqual([
    'welcome:\n  variants:\n    - "a"\n    - "B"\n    - "c"\n',
  ]);
});

test("an own text for anybody takes Afterword's channels and conditions along", () => {
  const shipped = "welcome: { text: a, channels: { voice: b }, when: [{ env: x, text: c }] }\n";
  expect(german({ "shipped de": shipped }, { welcome: "A" })).toEqual([
    'welcome:\n  text: "A"\n  channels:\n    voice: "b"\n  when:\n    - env: x\n      text: "c"\n',
  ]);
});

test("an own text for a channel leaves Afterword's general text in place", () => {
  const shipped = "welcome: { text: a, channels: { voice: b } }\n";
  expect(german({ "shipped de": shipped }, { "welcome.channels.voice": "B" })).toEqual([
    'welcome:\n  channels:\n    voice: "B"\n',
  ]);
});

test("a text that is Afterword's already is not written", () => {
  expect(german({ "shipped de": "welcome: Hallo\n" }, { welcome: "Hallo" })).toEqual([]);
});

test("line breaks at a text's end, which tools drop and readers do not see, are no change", () => {
  expect(german({ "own de": "welcome: |\n  Hallo\n" }, { welcome: "Hallo" })).toEqual([]);
});

test("conditions are distinguished by what they compare, not by their order", () => {
  const own = "welcome:\n  when:\n    - { env: b, text: B }\n    - { env: a, text: A }\n";
  expect(german({ "own de": own }, { "welcome.when[env=a]": "X" })).toEqual([
    own.replace("text: A", 'text: "X"'),
  ]);
});
