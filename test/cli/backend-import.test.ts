// Suite: slow
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { createFolder } from "../fixtures/folder.ts";
import { loadAllContent } from "../../src/backend/content/load.ts";
import { readStoredRows } from "../../src/backend/content/rows.ts";
import type { LanguageContent } from "../../src/backend/content/types.ts";
import { openStorage } from "../../src/backend/storage/open-storage.ts";
import type { StoredContents } from "../../src/backend/storage/types.ts";
import { FLAGS } from "../../src/direct-answers/flags.ts";
import { afterword, type Said } from "./terminal.ts";

let directory = "";
let database = "";
let content = "";

beforeEach(() => {
  directory = createFolder();
  database = join(directory, "data", "backend.db");
  content = join(directory, "content");
  put("content/texts/en.yaml", [...FLAGS, "related-title"].map((key) => `${key}: text\n`).join(""));
  put("content/shop.yaml", "language: en\ncontents: [{ id: 1, title: One, answer: A }]\n");
});

function put(name: string, text: string | Uint8Array): string {
  const file = join(directory, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

function load(...argv: readonly string[]): Promise<Said> {
  const places = ["--database", database, "--content", content];
  return afterword(["backend", "import", ...argv, ...places]);
}

async function stored(): Promise<StoredContents> {
  const storage = await openStorage(database);
  try {
    return await storage.contents.all();
  } finally {
    await storage.close();
  }
}

/** The engine's contents of directory and database together. */
async function known(language = "en"): Promise<LanguageContent | undefined> {
  const { content: all } = loadAllContent(content, { rows: readStoredRows(await stored()) });
  return all?.languages.get(language);
}

describe("backend import reads CSV", () => {
  test("with every column, in the engine's own form", async () => {
    const file = put(
      "a.csv",
      `ID,title,slug,alternatives,answer,sideBubble,categories,order,related,checkQuestion,options,directCall,hidden,published,publishFrom,expires,modified,userTypes,environments,attributes.RATINGS,attributes.x\r\n` +
        `2,"Two, or more",two,"Second|The second\nNumber 2","<p>""A""</p>",,,-3,1|3,Two?,3,call,TRUE,true,2026-01-01,2026-12-31T18:00+01:00,2025-06-01,0|3,production,no,\r\n\r\n` +
        `3,Three,,,'=A,<b>S</b>,,,,,,,,,,,,,,,\r\n`,
    );
    const { code, out, error } = await load(file, "--language", "EN");
    expect(error).toBe(`${file}: 2 contents read\nchecked\nen: 2 of 2 written\n`);
    expect(out).toMatch(
      /^en: 2 new, 0 changed, 0 as before, 0 removed \(written to .*backend\.db\)\n$/,
    );
    expect(code).toBe(0);
    expect((await known())?.items).toMatchObject([
      { id: 1 },
      {
        id: 2,
        title: "Two, or more",
        slug: "two",
        alternatives: ["Second", "The second", "Number 2"],
        answers: ['<p>"A"</p>'],
        order: -3,
        related: [1, 3],
        checkQuestion: "Two?",
        options: [{ content: 3, label: "Three" }],
        directCall: "call",
        hidden: true,
        published: true,
        publishFrom: Date.UTC(2026, 0, 1),
        expires: Date.UTC(2026, 11, 31, 17),
        modified: Date.UTC(2025, 5, 1),
        userTypes: [0, 3],
        environments: ["production"],
        attributes: { RATINGS: "no" },
      },
      { id: 3, answers: ["=A"], sideBubble: "<b>S</b>", modified: expect.any(Number) },
    ]);
  });

  test("with semicolons, tabs, a byte order mark and the line ends of Windows", async () => {
    const one = put("a.csv", "\ufeffid;title;answer\r\n2;Two;A, B\r\n");
    const two = put("b.tsv", "id\ttitle\tanswer\n3\tThree\tC;D");
    expect((await load(one, two, "--language", "en")).code).toBe(0);
    const items = (await known())?.items.map(({ answers }) => answers[0]);
    expect(items).toStrictEqual(["A", "A, B", "C;D"]);
  });

  test("and names the place of every mistake, and writes nothing", async () => {
    const file = put(
      "a.csv",
      'id,title,answer,related\n2,Two,"<b>\r\nA",\n\n3,,A,\nx,T,A,\n4,T,A,1|9\n4,T,A,\n',
    );
    const { code, out, error } = await load(file, "--language", "en");
    expect(code).toBe(1);
    expect(out).toBe("");
    const places = [...error.matchAll(/^.*a\.csv:(.*)$/gm)].map(([, place]) => place);
    expect(places).toStrictEqual([
      " 5 contents read",
      "2:7: error: <b> is never closed [markup]",
      '5:1: error: the key "title" is missing here [missing-key]',
      "6:1: error: a whole number from 1 is needed here [invalid-value]",
      "7:7: error: there is no content 9 in en [unknown-reference]",
      "8:1: error: id 4 is used twice in en [duplicate]",
    ]);
    expect(error.endsWith("\nnothing was written\n")).toBe(true);
    expect(await stored()).toMatchObject({ rows: [], sources: [] });
  });

  test.each([
    [
      "an unknown column",
      "id,title,anwser\n",
      '1:10: error: unknown column "anwser". Did you mean "answer"?',
    ],
    ["a missing column", "id,title\n1,A\n", "1:1: error: the header names no column answer"],
    [
      "a column that appears twice",
      "id,title,answer,id\n",
      "1:17: error: the column id appears twice",
    ],
    ["nothing", "", "1:1: error: the file is empty"],
    [
      "too many cells",
      "id,title,answer\n2,A,B,C\n",
      "2:1: error: this row has 4 cells and the header 3",
    ],
    [
      "a quote that is never closed",
      'id,title,answer\n2,A,"B\n',
      "error: this can't be read as CSV: Quote Not Closed",
    ],
    ["Latin-1", Uint8Array.from([105, 100, 44, 0xe9, 10]), "1:4: error: this byte is not UTF-8"],
    [
      "UTF-16",
      Uint8Array.from([0x69, 0, 0x64, 0]),
      "1:1: error: the file is UTF-16 without a mark",
    ],
  ])("but not %s", async (_name, text, message) => {
    const { code, error } = await load(put("a.csv", text), "--language", "en");
    expect(error).toContain(`a.csv:${message.startsWith("error") ? "" : message}`);
    expect(error).toContain(message);
    expect(error).toContain("nothing was written");
    expect(code).toBe(1);
    expect(existsSync(database)).toBe(false);
  });
});

describe("backend import reads JSON", () => {
  test("as an array of contents, or as an object that says its language", async () => {
    const one = put("a.json", '[{ "id": 2, "title": "Two", "answer": ["A", "B"] }]');
    const two = put(
      "b.json",
      '{ "language": "FR", "contents": [{ "id": 1, "title": "Un", "answer": "A" }] }',
    );
    expect(await load(one, "--language", "en")).toMatchObject({ code: 0 });
    expect(await load(two)).toMatchObject({ code: 0 });
    expect((await known())?.items[1]).toMatchObject({ id: 2, answers: ["A", "B"] });
    expect((await known("fr"))?.items).toMatchObject([{ id: 1, title: "Un" }]);
  });

  test("and names the place of every mistake", async () => {
    const file = put(
      "a.json",
      '{\n  "language": "en",\n  "contnets": [],\n  "contents": [\n    { "id": 2, "title": "T", "answer": "A", "relatde": [1] },\n    { "id": 3, "title": " ",\n      "answer": "A" },\n    7\n  ]\n}\n',
    );
    const { code, error } = await load(file);
    expect(code).toBe(1);
    const places = [...error.matchAll(/^.*a\.json:(\d.*)$/gm)].map(([, place]) => place);
    expect(places).toStrictEqual([
      '3:3: error: unknown key "contnets". Did you mean "contents"? [unknown-key]',
      '5:45: error: unknown key "relatde". Did you mean "related"? [unknown-key]',
      "6:25: error: this must not be empty [empty-text]",
      "8:5: error: a mapping is needed here, not a number [invalid-value]",
    ]);
    expect(await stored()).toMatchObject({ rows: [], sources: [] });
  });

  test.each([
    ["broken", '[{ "id": 2, "title": tru }]', "1:25: error: this can't be read as JSON"],
    ["a number", "7", "1:1: error: an array of contents is needed here"],
    [
      "with contents that are no list",
      '{ "language": "en", "contents": {} }',
      "1:21: error: a list is needed here",
    ],
    [
      "in no language",
      '{ "language": "e!", "contents": [] }',
      "1:3: error: a language tag is needed here",
    ],
    [
      "with a mistake at a key whose name a content says too",
      '{ "language": "en", "contents": [{ "id": 1, "title": "synonyms", "answer": "foo" }],\n "synonyms": [["a"]] }',
      "2:2: error: synonyms can only be stored with --replace",
    ],
    ["with app data", '{ "language": "en", "appData": {} }', "1:21: error: app data is not stored"],
    [
      "with categories, unless it replaces all",
      '{ "language": "en", "categories": [] }',
      "1:21: error: categories can only be stored with --replace",
    ],
  ])("but not %s", async (_name, text, message) => {
    const { code, error } = await load(put("a.json", text));
    expect(error).toContain(`a.json:${message}`);
    expect(code).toBe(1);
  });

  test("but not in another language than was said", async () => {
    const file = put("a.json", '{ "language": "fr", "contents": [] }');
    const { code, error } = await load(file, "--language", "en");
    expect(error).toContain("a.json:1:3: error: this file is in fr, and --language says en");
    expect(code).toBe(1);
  });
});

describe("backend import", () => {
  const csv = (...lines: readonly string[]): string =>
    put("a.csv", `id,title,answer\n${lines.join("\n")}\n`);

  test("adds and changes, and leaves the rest; a second time it writes nothing", async () => {
    await load(csv("2,Two,A", "3,Three,A"), "--language", "en");
    const { revision } = await stored();
    const again = await load(csv("3,Three,B", "4,Four,A"), "--language", "en");
    expect(again.out).toContain("en: 1 new, 1 changed, 0 as before, 0 removed");
    expect((await stored()).rows.map(({ id, document }) => [id, document])).toMatchObject([
      [2, { answer: "A" }],
      [3, { answer: "B" }],
      [4, { answer: "A" }],
    ]);
    expect((await stored()).revision).toBe(revision + 1);
    const same = await load(csv("3,Three,B", "4,Four,A"), "--language", "en");
    expect(same.out).toBe("en: 0 new, 0 changed, 2 as before, 0 removed\n");
    expect((await stored()).revision).toBe(revision + 1);
  });

  test("with --replace removes what the file does not have, in that language alone", async () => {
    await load(csv("2,Two,A", "3,Three,A"), "--language", "en");
    await load(csv("2,Deux,A"), "--language", "fr");
    const before = (await stored()).rows.find(({ id, language }) => id === 3 && language === "en");
    const { out } = await load(csv("3,Three,A", "5,Five,A"), "--language", "en", "--replace");
    expect(out).toContain("en: 1 new, 0 changed, 1 as before, 1 removed");
    const { rows } = await stored();
    expect(rows.map(({ id, language }) => `${language} ${id}`)).toStrictEqual([
      "en 3",
      "en 5",
      "fr 2",
    ]);
    // Nobody changed it.
    expect(rows[0]?.modified).toBe(before?.modified);
  });

  test("with --replace stores categories, customized answers and synonyms too, and keeps them", async () => {
    const file = put(
      "a.json",
      '{ "language": "en", "contents": [{ "id": 2, "title": "Two", "answer": "A", "categories": [5] }], "categories": [{ "id": 5, "name": "C" }], "customized": { "welcome": 2 }, "synonyms": [["a", "b"]] }',
    );
    expect(await load(file, "--replace")).toMatchObject({ code: 0 });
    const whole = {
      categories: [{ id: 5, name: "C" }],
      customized: { welcome: 2 },
      synonyms: [["a", "b"]],
    };
    expect(await known()).toMatchObject(whole);
    expect(await load(csv("2,Two,B"), "--language", "en", "--replace")).toMatchObject({ code: 0 });
    expect(await known()).toMatchObject(whole);
  });

  test("refuses to remove what others refer to", async () => {
    await load(put("a.json", '[{ "id": 2, "title": "T", "answer": "A" }]'), "--language", "en");
    put(
      "content/more.yaml",
      "language: en\ncontents: [{ id: 7, title: S, answer: A, related: [2] }]\n",
    );
    const { code, error } = await load(csv("3,Three,A"), "--language", "en", "--replace");
    expect(code).toBe(1);
    expect(error).toContain("more.yaml:2:52: error: there is no content 2 in en");
    expect((await stored()).rows).toHaveLength(1);
  });

  test("with --dry-run says what would change, and writes nothing", async () => {
    const first = await load(csv("2,Two,A"), "--language", "en", "--dry-run");
    expect(first).toMatchObject({ code: 0, out: expect.stringContaining("(would go to ") });
    expect(existsSync(database)).toBe(false);
    await load(csv("2,Two,A"), "--language", "en");
    const { revision } = await stored();
    const second = await load(csv("2,Two,B"), "--language", "en", "--dry-run");
    expect(second.out).toContain("en: 0 new, 1 changed, 0 as before, 0 removed");
    expect((await stored()).revision).toBe(revision);
    expect(await load(csv("2,,B"), "--language", "en", "--dry-run")).toMatchObject({ code: 1 });
  });

  test("stores the names of environment variables, not what they hold", async () => {
    const form = {
      name: "f",
      fields: [{ name: "a", question: "Q?" }],
      finished: "Done",
      webhook: { url: "${HOOK}", secret: "${HOOK_SECRET}" },
    };
    const file = put("a.json", JSON.stringify([{ id: 2, title: "T", answer: "A", form }]));
    expect(await load(file, "--language", "en")).toMatchObject({ code: 0 });
    expect((await stored()).rows[0]?.document).toMatchObject({ form });
  });

  test.each([
    [[], "name a file to import"],
    [["a.csv"], "a.csv does not say which language it is in; add --language L"],
    [["a.txt", "--language", "en"], '"a.txt" is nothing that is known here; add --from FORMAT'],
    [["a.csv", "--language", "e!"], '--language is a language tag such as fr or pt-BR, not "e!"'],
    [
      ["a.csv", "--from", "xml"],
      '--from is afterword, sheet, rasa, dialogflow, watson or botpress, not "xml"',
    ],
    [["a.csv", "--bogus"], "--bogus"],
  ])("refuses %j with exit code 2", async (argv, message) => {
    csv("2,Two,A");
    put("a.txt", "Two");
    const files = argv.map((one) => (one.startsWith("a.") ? join(directory, one) : one));
    const { code, error } = await load(...files);
    expect(error).toContain(message.replace(/^("?)a\./, (_, quote) => `${quote}${directory}/a.`));
    expect(error.trimEnd().split("\n").at(-1)).toMatch(/^afterword backend import: /);
    expect(code).toBe(2);
  });

  test("names a file, a content directory and a database that can't be used", async () => {
    expect(await load("/nowhere.csv", "--language", "en")).toMatchObject({
      code: 1,
      error: expect.stringMatching(
        /^\/nowhere\.csv: error: there is no such file \[unreadable\]\nnothing was written\n$/,
      ),
    });
    const file = csv("2,Two,A");
    content = "/nowhere";
    expect(await load(file, "--language", "en")).toMatchObject({
      code: 1,
      error: expect.stringContaining("/nowhere: error: there is no such folder"),
    });
    database = directory;
    expect(await load(file, "--language", "en")).toMatchObject({ code: 1, out: "" });
  });

  test("has a help of its own, which the backend's mentions", async () => {
    expect((await afterword(["backend", "import", "--help"])).out).toMatch(
      /^afterword backend import FILE…/,
    );
    expect((await afterword(["backend", "--help"])).out).toMatch(/^  import +\S/m);
  });

  test("takes 20,000 contents at once", async () => {
    const lines = Array.from(
      { length: 20_000 },
      (_, index) => `${index + 2},Question ${index},"<p>A</p>"`,
    );
    expect(await load(csv(...lines), "--language", "en")).toMatchObject({
      code: 0,
      out: expect.stringContaining("20000 new"),
    });
    expect((await stored()).rows).toHaveLength(20_000);
  });
});

describe("backend import says what to do with", () => {
  test("a dialog editor's diagram", async () => {
    const text = '{"class":"go.GraphLinksModel","nodeDataArray":[],"linkDataArray":[]}';
    const { code, error } = await load(put("dialog.json", text), "--language", "en");
    expect(code).toBe(1);
    expect(error).toContain("this is a diagram of a dialog editor (GoJS)");
    expect(error).toContain("Write its questions as titles");
    expect(error).not.toContain("unknown key");
  });

  test("a YAML file that no bot has exported is named as before", async () => {
    const { code, error } = await load(put("a.yaml", "contents: []\n"), "--language", "en");
    expect(code).toBe(2);
    expect(error).toContain("is nothing that is known here");
  });

  test.each([
    "sep=;\nid;title;answer\n2;Two, or more;A\n",
    '"sep=|"\r\nid|title|answer\r\n2|Two, or more|A\r\n',
  ])("a first line that names the separator is no header: %j", async (text) => {
    const { code, out } = await load(put("a.csv", text), "--language", "en");
    expect([code, out]).toEqual([0, expect.stringContaining("en: 1 new")]);
    expect((await stored()).rows).toMatchObject([{ id: 2, document: { title: "Two, or more" } }]);
  });

  test("below such a line, mistakes have their own line and column", async () => {
    const text = "sep=;\nid;title;answr\n2;Two;A\n";
    const { error } = await load(put("a.csv", text), "--language", "en");
    expect(error).toContain('a.csv:2:10: error: unknown column "answr"');
  });

  test("a quote with a backslash is named, with what to write", async () => {
    const text = 'id,title,answer\n2,Two,"Say \\"hi\\"."\n';
    const { code, error } = await load(put("a.csv", text), "--language", "en");
    expect(code).toBe(1);
    expect(error).toContain('writes it twice: "".');
  });
});
