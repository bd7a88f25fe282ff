import fc from "fast-check";
import { expect, test } from "vitest";
import { readCsv, toCsv } from "../../../src/config/translation/csv.ts";
import type { TranslatedRow } from "../../../src/config/translation/row.ts";
import { protectCell, readCell } from "../../../src/config/translation/spreadsheet-cell.ts";
import type { TranslationUnit } from "../../../src/config/edit/unit.ts";
import { readXliff } from "../../../src/config/translation/xliff-read.ts";
import { toXliff } from "../../../src/config/translation/xliff.ts";
import { createReporter } from "../../../src/yaml/diagnostic.ts";
import { createSource, positionAt } from "../../../src/yaml/source.ts";
import { anyText } from "./any-text.ts";
import { runs } from "../../fixtures/runs.ts";

const none = { line: null, branch: null };

function unit(id: string, source: string | null, target: string | null): TranslationUnit {
  const address = { key: id, branch: { kind: "line" }, part: { kind: "text" } } as const;
  return {
    id,
    address,
    source,
    target,
    origin: target === null ? null : "own",
    formats: none,
  };
}

interface ReadBack {
  readonly rows: readonly TranslatedRow[] | null;
  readonly findings: readonly string[];
}

function read(text: string, reader: typeof readCsv | typeof readXliff): ReadBack {
  const reporter = createReporter();
  const rows = reader(createSource("file", text), reporter);
  const findings = reporter
    .diagnostics()
    .map(({ code, line, message }) => `${code} ${line} ${message}`);
  return { rows, findings };
}

const FORMATS = [
  ["CSV", (units: TranslationUnit[]) => toCsv([{ locale: "fr", units }], false), readCsv],
  ["XLIFF", (units: TranslationUnit[]) => toXliff([{ locale: "fr", units }], "en"), readXliff],
] as const;

test.each(FORMATS)("%s gives back every text as it was", (_, write, reader) => {
  fc.assert(
    fc.property(anyText, anyText, (source, target) => {
      const { rows, findings } = read(write([unit("welcome", source, target)]), reader);
      expect(findings).toEqual([]);
      expect(rows).toMatchObject([{ locale: "fr", id: "welcome", source, target }]);
    }),
    { numRuns: runs(500) },
  );
});

test("XLIFF keeps even what is no text at all: halves of characters", () => {
  const halves = "a\uD800b\uDC00";
  const { rows } = read(
    toXliff([{ locale: "fr", units: [unit("a", null, halves)] }], "en"),
    readXliff,
  );
  expect(rows?.[0]?.target).toBe(halves);
});

test("no cell of an export begins like a formula", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(protectCell(text)).not.toMatch(/^[=+\-@\t\r]/);
      expect(readCell(protectCell(text))).toBe(text);
    }),
  );
});

test.each(["'s Avonds", "''t Zal wel", "'", "''"])("%s is no protected formula", (text) => {
  expect(protectCell(text)).toBe(text);
  expect(readCell(text)).toBe(text);
});

test("CSV is RFC 4180 with a header, and begins with a byte order mark when asked to", () => {
  const text = toCsv([{ locale: "fr", units: [unit("welcome", "Hi", null)] }], true);
  expect(text).toBe(
    '\uFEFF"locale","key","origin","source","target","comment"\r\n"fr","welcome",,"Hi",,"First message of a conversation."\r\n',
  );
});

test.each([
  ["comma", "locale,key,target\nfr,welcome,Salut\n"],
  ["semicolon", "Key;Locale;Target\r\nwelcome;fr;Salut\r\n"],
  ["tab", "locale\tkey\ttarget\nfr\twelcome\tSalut"],
  ["more columns than needed", "note,locale,key,target,x\n,fr,welcome,Salut,\n,,,,\n\n"],
])("CSV is read as programs save it: %s", (_, text) => {
  expect(read(text, readCsv)).toMatchObject({
    findings: [],
    rows: [{ locale: "fr", id: "welcome", target: "Salut", source: null }],
  });
});

test("a row whose last empty cells were left away is not translated", () => {
  expect(read("locale,key,target\nfr,welcome\n", readCsv).rows).toMatchObject([{ target: "" }]);
});

test("a CSV row knows its line, behind texts of several lines too", () => {
  const source = createSource("f", 'locale,key,target\nfr,a,"1\n2\n3"\n\nfr,b,"x"\nfr,c,y\n');
  const rows = readCsv(source, createReporter());
  expect(rows?.map(({ id, span }) => `${id} ${positionAt(source, span.start).line}`)).toEqual([
    "a 2",
    "b 6",
    "c 7",
  ]);
});

test.each([
  ["", ["sheet-empty 1 the sheet is empty"]],
  [
    "locale,text\nfr,x\n",
    ["sheet-columns 1 the header names no column key, target; it must name locale, key and target"],
  ],
  [
    "locale,key,target\nfr,welcome,Oh, hi\n",
    [expect.stringContaining("sheet-cells 2 this row has 4 cells")],
  ],
  ['locale,key,target\nfr,welcome,"Oh\n', [expect.stringContaining("can't be read as CSV")]],
  ['locale,key,target\nfr,welcome,"a"b\n', [expect.stringMatching(/^csv-quotes 2 .*CSV/)]],
])("CSV that can't be read is refused with its line: %j", (text, findings) => {
  expect(read(text, readCsv).findings).toEqual(findings);
});

function xliff(body: string, version = "1.2"): string {
  return `<?xml version="1.0"?>\n<xliff version="${version}" xmlns="urn:oasis:names:tc:xliff:document:1.2">\n<file target-language="fr"><body>\n${body}\n</body></file></xliff>`;
}

test.each([
  [
    "segments",
    '<target><mrk mtype="seg" mid="1">Un. </mrk><mrk mtype="seg" mid="2">Deux.</mrk></target>',
    "Un. Deux.",
  ],
  [
    "codes around text",
    '<target><g id="1">a<bpt id="2">&lt;b></bpt>b<ept id="2">&lt;/b></ept></g></target>',
    "a<b>b</b>",
  ],
  [
    "spaces between codes",
    '<target><ph id="q">{{query}}</ph> <ph id="n">{{name}}</ph></target>',
    "{{query}} {{name}}",
  ],
  ["CDATA", "<target><![CDATA[<b>]]>x</target>", "<b>x"],
  ["proposals of a memory", "<target>a</target><alt-trans><target>b</target></alt-trans>", "a"],
  ["line ends of Windows", '<target xml:space="preserve">a\r\nb&#13;</target>', "a\nb\r"],
  [
    "layout",
    "<target>\n  Bonjour !\n\tQue cherchez-vous ?\n</target>",
    "Bonjour ! Que cherchez-vous ?",
  ],
  ["no-break spaces", "<target>\u00a0Bonjour\u202f!</target>", "\u00a0Bonjour\u202f!"],
  [
    "tags",
    '<target>a <b>b</b><br/><a href="/?q=1&amp;x=2">c</a></target>',
    'a <b>b</b><br><a href="/?q=1&amp;x=2">c</a>',
  ],
  [
    "typed codes",
    '<target><g id="1" ctype="bold">a</g><x id="2" ctype="lb"/><g id="3" ctype="x-html-em">b</g></target>',
    "<b>a</b><br><em>b</em>",
  ],
  [
    "a sub within a code",
    '<target>a<bpt id="1">&lt;b title="<sub>t</sub>"></bpt>b<ept id="1">&lt;/b></ept>H<sub>2</sub>O</target>',
    'a<b title="t">b</b>H<sub>2</sub>O',
  ],
  ["a new one", '<target state="new">x</target>', null],
  ["one that needs a translation", '<target state="needs-translation">x</target>', null],
  ["one that needs localization", '<target state="needs-l10n">x</target>', null],
  ["a state of a tool", '<target state="x-not-translated">x</target>', null],
  [
    "a fuzzy match",
    '<target state="needs-review-translation" state-qualifier="fuzzy-match">a</target>',
    null,
  ],
  [
    "a fuzzy match that was taken",
    '<target state="translated" state-qualifier="fuzzy-match">a</target>',
    "a",
  ],
  ["one to be reviewed", '<target state="needs-review-translation">a</target>', "a"],
  ["a final one", '<target state="final">a</target>', "a"],
  ["comments", "<target>a<!-- no -->b</target>", "ab"],
  ["no translation", "", null],
  ["an empty one", "<target/>", ""],
])("XLIFF of other tools is read: %s", (_, target, text) => {
  const source = "<source>x</source><seg-source><mrk>x</mrk></seg-source>";
  const { rows, findings } = read(
    xliff(`<trans-unit id="welcome">${source}${target}<note>n</note></trans-unit>`),
    readXliff,
  );
  expect(findings).toEqual([]);
  expect(rows).toMatchObject([{ locale: "fr", id: "welcome", source: "x", target: text }]);
});

test("prefixed element names are the same elements", () => {
  const text = `<x:xliff version="1.2" xmlns:x="urn:oasis:names:tc:xliff:document:1.2"><x:file target-language="fr"><x:body><x:trans-unit id="a"><x:target>b</x:target></x:trans-unit></x:body></x:file></x:xliff>`;
  expect(read(text, readXliff).rows).toMatchObject([{ id: "a", target: "b" }]);
});

test.each([
  ["another file", "<html></html>", "invalid-value 1 this is no XLIFF file"],
  ["another version", xliff("", "1.1"), "invalid-value 2 this file is XLIFF 1.1; only 1.2 and 2"],
  ["a tag without an end", xliff("<trans-unit"), "unreadable"],
  [
    "an entity of its own",
    xliff("&undefined;"),
    "unreadable 4 this can't be read as XML: Invalid character entity",
  ],
  [
    "a DOCTYPE",
    '<!DOCTYPE x [<!ENTITY a "b">]><xliff version="1.2"></xliff>',
    "invalid-value 1 a DOCTYPE has no place",
  ],
  ["half a tag", "<xliff", "unreadable"],
])("XLIFF that would lose something is refused: %s", (_, text, finding) => {
  const { rows, findings } = read(text, readXliff);
  expect(rows).toBeNull();
  expect(findings).toEqual([expect.stringContaining(finding)]);
});

test("every element without a meaning is named, in all units of XLIFF", () => {
  const units = ['<x id="7"/>', '<ph id="7"/>', "<foo>c</foo>", '<bx id="1"/>a<ex id="1"/>'];
  const body = units
    .map((inside, index) => `<trans-unit id="u${index}"><target>a${inside}</target></trans-unit>`)
    .join("\n");
  const { rows, findings } = read(xliff(body), readXliff);
  expect(findings).toEqual([
    expect.stringContaining("invalid-value 4 u0: an empty <x>"),
    expect.stringContaining("invalid-value 5 u1: an empty <ph>"),
    "invalid-value 6 u2: <foo> has no place in a text",
    expect.stringContaining("invalid-value 7 u3: an empty <bx>"),
    expect.stringContaining("invalid-value 7 u3: an empty <ex>"),
  ]);
  expect(rows?.map(({ target }) => target)).toEqual([null, null, null, null]);
});

test("XLIFF 2 is read too: segments, codes beside the text, states", () => {
  const text = `<xliff version="2.1" srcLang="en" trgLang="fr" xmlns="urn:oasis:names:tc:xliff:document:2.0">
<file id="f1" original="messages/fr.yaml">
<unit id="a"><originalData><data id="d1">{{query}}</data><data id="d2">&lt;b></data><data id="d3">&lt;/b></data></originalData>
<segment state="translated"><source>For <ph id="1" dataRef="d1"/>.</source><target>Pour <pc id="2" dataRefStart="d2" dataRefEnd="d3"><ph id="1" dataRef="d1"/></pc>.</target></segment>
<ignorable><source> </source></ignorable>
<segment><source>Bye.</source><target>Adieu<cp hex="0021"/></target></segment></unit>
<unit id="b"><segment state="initial"><source>x</source><target>x</target></segment></unit>
<unit id="c"><segment><source>One.</source><target>Un.</target></segment><segment><source>Two.</source></segment></unit>
</file></xliff>`;
  const { rows, findings } = read(text, readXliff);
  expect(findings).toEqual([]);
  expect(rows).toMatchObject([
    {
      locale: "fr",
      exported: "fr",
      id: "a",
      source: "For {{query}}. Bye.",
      target: "Pour <b>{{query}}</b>. Adieu!",
    },
    { id: "b", target: null },
    { id: "c", target: null },
  ]);
});

test.each([
  ["sep=;\nlocale;key;target\nfr;welcome;Bonjour\n"],
  ['"sep=|"\r\nlocale|key|target\r\nfr|welcome|Bonjour\r\n'],
  ["sep=\t\nlocale\tkey\ttarget\nfr\twelcome\tBonjour\n"],
  ["locale,key,target,state,fuzzy\nfr,welcome,Bonjour,translated,false\n"],
])("CSV whose first line names the delimiter, or that has a state, is read: %j", (text) => {
  const { rows, findings } = read(text, readCsv);
  expect(findings).toEqual([]);
  expect(rows).toMatchObject([{ locale: "fr", id: "welcome", target: "Bonjour" }]);
});

test.each([
  "state\nfr,welcome,x,needs translation",
  "state\nfr,welcome,x,new",
  "fuzzy\nfr,welcome,x,True",
])("a row of CSV that says that it is not translated has no translation: %j", (text) => {
  expect(read(`locale,key,target,${text}\n`, readCsv).rows).toMatchObject([{ target: null }]);
});

test("a quote that CSV writes with a backslash is named, with what to write", () => {
  const reporter = createReporter();
  const text = 'locale,key,target\nfr,welcome,"Dites \\"bonjour\\"."\n';
  expect(readCsv(createSource("file", text), reporter)).toBeNull();
  expect(reporter.diagnostics()).toMatchObject([
    { code: "csv-quotes", line: 2, hint: expect.stringContaining('writes it twice: ""') },
  ]);
});
