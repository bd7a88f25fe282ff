import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { zipSync } from "fflate";
import { beforeEach, expect, test } from "vitest";
import { parse } from "yaml";
import { CONSOLE_FILE, openConsoleDatabase } from "../../../src/runtime/node/console/store.ts";
import { createFolder } from "../../fixtures/folder.ts";
import { afterword, type Said } from "../terminal.ts";

let folder = "";
beforeEach(() => {
  folder = createFolder();
});

function put(name: string, text: string | Uint8Array): string {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

function bring(...argv: readonly string[]): Promise<Said> {
  const places = ["--database", join(folder, "b.db"), "--content", join(folder, "content")];
  return afterword(["backend", "import", ...argv, ...places]);
}

function written(name: string): unknown {
  return parse(readFileSync(join(folder, "content", name), "utf8"));
}

const faq = "question,answer,language\nWhen do you open?,At nine.,\nQuand ?,À neuf heures.,fr\n";

test("a sheet becomes a content file for each language, with all that a folder needs", async () => {
  const { code, out, error } = await bring(put("my faq.csv", faq), "--language", "en");
  expect({ code, error }).toEqual({
    code: 0,
    error: expect.stringContaining("my faq.csv: a sheet of questions and answers\n"),
  });
  expect(out).toMatch(
    /^en: 1 content with 1 phrase \(written to .*my-faq\.en\.yaml\)\nfr: 1 content with 1 phrase \(written to .*my-faq\.fr\.yaml\)\n$/u,
  );
  expect(written("my-faq.en.yaml")).toEqual({
    language: "en",
    contents: [{ id: 1, title: "When do you open?", answer: "At nine." }],
  });
  expect(written("my-faq.fr.yaml")).toMatchObject({ language: "fr", contents: [{ id: 2 }] });
  const places = ["--content", join(folder, "content"), "--database", join(folder, "b.db")];
  const options = ["--language", "en", "--format", "json", ...places];
  const explained = await afterword(["backend", "explain", "when do you open", ...options]);
  expect(JSON.parse(explained.out)).toMatchObject({ hits: [{ id: 1 }] });
});

test("--dry-run says what would be written, and writes nothing", async () => {
  const { code, out } = await bring(put("faq.csv", faq), "--language", "en", "--dry-run");
  expect(code).toBe(0);
  expect(out).toContain("en: 1 content with 1 phrase (would be written to ");
  expect(readdirSync(folder)).toEqual(["faq.csv"]);
});

test("ids that contents of the folder or the database have are not given again", async () => {
  put(
    "content/own.yaml",
    "language: en\ncategories: [{ id: 4, name: C }]\ncontents: [{ id: 7, title: T, answer: A }]\n",
  );
  const stored = put("stored.csv", "id,title,answer\n30,Stored,A\n");
  // The engine's texts come with the first import.
  await bring(put("first.csv", "question,answer\nFirst?,A\n"), "--language", "en");
  expect(await bring(stored, "--language", "en")).toMatchObject({ code: 0 });
  const next = put("next.csv", "question,answer,category\nNext?,A,D\n");
  expect(await bring(next, "--language", "en")).toMatchObject({ code: 0 });
  expect(written("first.en.yaml")).toMatchObject({ contents: [{ id: 8 }] });
  expect(written("next.en.yaml")).toEqual({
    language: "en",
    categories: [{ id: 5, name: "D" }],
    contents: [{ id: 31, title: "Next?", answer: "A", categories: [5] }],
  });
});

test("an id that only a draft of the console has is not given again", async () => {
  // The console keeps its database beside that of the backend.
  const console = await openConsoleDatabase(join(folder, CONSOLE_FILE));
  const place = { label: "eva", file: "backend/shop.en.yaml", instance: "", locale: "en" };
  const draft = { ...place, id: "content 12", key: "content", channel: "", text: "{}", at: 1 };
  await console.kysely.insertInto("draft_texts").values(draft).execute();
  await console.close();
  await bring(put("faq.csv", "question,answer\nNew?,A\n"), "--language", "en");
  expect(written("faq.en.yaml")).toMatchObject({ contents: [{ id: 13 }] });
});

test("the same omission is explained once, with every place", async () => {
  const bot = {
    "nlu.yml": 'version: "3.1"\nnlu:\n- intent: hi\n  examples: |\n    - hi\n',
    "domain.yml":
      "slots: { city: { type: text }, name: { type: text } }\nresponses:\n  utter_hi:\n  - text: Hi!\n  - text: Hello!\n",
  };
  const files = Object.entries(bot).map(([name, text]) => put(name, text));
  const { out } = await bring(...files, "--language", "en");
  const domain = join(folder, "domain.yml");
  expect(out).toContain(`3 things did not come over as in the file:
  2 × It asks readers for values. Write it as a form.
    ${domain}: slot "city"
    ${domain}: slot "name"
  ${domain}:3: response "utter_hi" “Hello!”: Only the first wording comes along, because a content has one answer.
`);
});

test.each([
  ["PDF", "%PDF-1.7\n", "no questions and answers can be read from a file of this kind (PDF)"],
  ["photo", new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 16]), "of this kind (JPEG)"],
  ["workbook", zipSync({ "xl/workbook.xml": new Uint8Array(9) }), "this is a workbook (XLSX)"],
  ["empty file", "\ufeff\r\n", "the file is empty"],
] as const)("a %s is refused with what to do instead", async (_, bytes, message) => {
  const { code, error } = await bring(put("faq.csv", bytes), "--language", "en");
  expect({ code, error }).toEqual({ code: 1, error: expect.stringContaining(message) });
  expect(error).toMatch(/hint|Save/u);
});

test("an existing file is only rewritten on request, and ids stay", async () => {
  await bring(put("faq.csv", faq), "--language", "en");
  const before = readFileSync(join(folder, "content/faq.en.yaml"), "utf8");
  put("faq.csv", "question,answer\nNew?,Yes.\nwhen do you open?,At ten.\n");
  const refused = await bring(join(folder, "faq.csv"), "--language", "en");
  expect(refused.code).toBe(1);
  expect(refused.error).toMatch(/faq\.en\.yaml: error: this file is there already/u);
  expect(refused.error).toContain("--replace writes it anew");
  expect(refused.error).toMatch(/nothing was written\n$/u);
  expect(readFileSync(join(folder, "content/faq.en.yaml"), "utf8")).toBe(before);
  const { code, out } = await bring(join(folder, "faq.csv"), "--language", "en", "--replace");
  expect([code, out]).toEqual([0, expect.stringContaining("(written anew to ")]);
  expect(written("faq.en.yaml")).toMatchObject({
    contents: [
      { id: 3, title: "New?" },
      { id: 1, title: "when do you open?", answer: "At ten." },
    ],
  });
});

test("a question that another file has is not imported a second time", async () => {
  await bring(put("faq.csv", faq), "--language", "en");
  const again = await bring(put("copy.csv", faq), "--language", "en");
  expect(again).toMatchObject({
    code: 0,
    error: expect.stringMatching(/Nothing was written\.\n$/u),
  });
  expect(again.out).toContain(
    "2 × This question is already among your contents, with the same answer.",
  );
  expect(readdirSync(join(folder, "content"))).not.toContain("copy.en.yaml");
  const more =
    "question,answer,question_de,answer_de\nWhen do you open?,At ten.,Wann?,Um zehn.\nNew?,Yes.,,\n";
  const { code, out } = await bring(put("more.csv", more), "--language", "en");
  expect(code).toBe(0);
  expect(out).toContain(
    "“At ten.”: This question is already among your contents, with another answer.",
  );
  expect(written("more.en.yaml")).toMatchObject({ contents: [{ id: 3, title: "New?" }] });
  // A content keeps one id in all of its languages.
  expect(written("more.de.yaml")).toMatchObject({ contents: [{ id: 1, title: "Wann?" }] });
});

test("an import completes one that was killed while it wrote the engine's texts", async () => {
  put("content/texts/.en.yaml.0123456789ab", "half");
  put("content/texts/fr.yaml", readFileSync("config/backend/texts/fr.yaml"));
  expect(await bring(put("faq.csv", faq), "--language", "en")).toMatchObject({ code: 0 });
  const texts = readdirSync(join(folder, "content/texts"));
  expect(texts).toEqual(expect.arrayContaining(["ar.yaml", "en.yaml", "fr.yaml"]));
});

test("a choice leads to a content of an earlier import", async () => {
  const nlu = "nlu:\n- intent: hours\n  examples: |\n    - hours?\n";
  const answer = "responses:\n  utter_hours: [{ text: At nine. }]\n";
  await bring(put("bot.yml", nlu + answer), "--language", "en");
  const menu = `  utter_menu: [{ text: Choose., buttons: [{ title: Hours, payload: /hours }] }]\n`;
  const longer = `${nlu}- intent: menu\n  examples: |\n    - menu?\n${answer}${menu}`;
  await bring(put("longer.yml", longer), "--language", "en");
  const options = [{ content: 1, label: "Hours" }];
  expect(written("longer.en.yaml")).toMatchObject({ contents: [{ id: 2, options }] });
});

test("what was not imported is listed with its line", async () => {
  const file = put("faq.csv", "question,answer\nWhy?,\nHow?,So.\n");
  const { out } = await bring(file, "--language", "en");
  expect(out).toContain(
    `1 thing did not come over as in the file:\n  ${file}:2: Row 2, column B (answer): “Why?” has no answer.\n`,
  );
});

/** One sentence with a remedy; the column names of Afterword's own CSV would not help. */
const NO_HEADINGS = `:1:1: error: the first line names no column with questions and answers: it has "When do you open?", "At nine." [sheet-columns]
> 1 | When do you open?,At nine.
    | ^^^^^^^^^^^^^^^^^^^^^^^^^^
  2 | Where?,Here.
Begin the file with a line that names the columns: question,answer.
nothing was written
`;

test.each([
  [{ "a.csv": "question,answer\nWhy?,\n" }, [], 1, "No question with an answer was found"],
  [{ "a.csv": "question,reply to\nWhy?,A\n" }, [], 1, "names no column with answers"],
  [{ "a.csv": faq, "b.csv": "id,title,answer\n" }, [], 2, "import them one after the other"],
  [
    { "a.csv": faq, "content/own.yaml": "contnets: []\n" },
    [],
    1,
    'own.yaml:1:1: error: unknown key "contnets"',
  ],
  [
    { "a.csv": "name,place\nA,B\n" },
    ["--from", "sheet"],
    1,
    "names no column with questions and answers",
  ],
  [{ "a.csv": "When do you open?,At nine.\nWhere?,Here.\n" }, [], 1, NO_HEADINGS],
])("refuses %j and writes nothing", async (files, argv, code, message) => {
  for (const [name, text] of Object.entries(files)) put(name, text);
  const names = Object.keys(files).filter((name) => name.endsWith(".csv"));
  const given = names.map((name) => join(folder, name));
  const result = await bring(...given, "--language", "en", ...argv);
  expect(result).toMatchObject({ code, error: expect.stringContaining(message) });
  expect(existsSync(join(folder, "content/a.en.yaml"))).toBe(false);
});

test("a folder and a ZIP archive are read as a whole, without files that do not belong to the bot", async () => {
  put("bot/data/nlu.yml", "nlu:\n- intent: a\n  examples: |\n    - a?\n");
  put("bot/domain.yml", "responses:\n  utter_a:\n  - text: A\n");
  put("bot/config.yml", "language: sv\npipeline: []\n");
  put("bot/.github/workflows/nlu.yml", "nlu: [broken\n");
  put("bot/venv.txt", "x");
  const { code, out } = await bring(join(folder, "bot"));
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(/^sv: 1 content with 1 phrase \(written to .*bot\.sv\.yaml\)\n$/u),
  ]);
  const qna = [{ id: "a", data: { questions: { en: ["b?"] }, answers: { en: ["B"] } } }];
  const zip = zipSync({ "bot/qna.json": new TextEncoder().encode(JSON.stringify(qna)) });
  expect(await bring(put("export.zip", zip))).toMatchObject({ code: 0 });
  expect(written("export.en.yaml")).toMatchObject({ contents: [{ id: 2, title: "b?" }] });
});

test("--from states the format of files, and a folder without any is named", async () => {
  const file = put("a.json", '{ "intents": [], "language": "en" }');
  expect((await bring(file, "--from", "watson")).out).toContain(
    "Nothing in this file becomes a content",
  );
  put("empty/a.json", "{}");
  const { code, error } = await bring(join(folder, "empty"));
  expect([code, error]).toEqual([2, expect.stringContaining("holds nothing that is known here")]);
});

test("a JSON file of an unknown program is named once, not key by key", async () => {
  const file = put("lex.json", '{ "metadata": {}, "resource": { "intents": [] } }');
  const { code, error } = await bring(file, "--language", "en");
  expect(code).toBe(1);
  expect(error).toContain("Name its format with --from");
  expect(error).not.toContain("unknown key");
});

test("a file that would be too large to be read as a content file is refused", async () => {
  const rows = Array.from({ length: 5000 }, (_, at) => `Question ${at}?,${"x".repeat(900)}\n`);
  const file = put("large.csv", `question,answer\n${rows.join("")}`);
  const { code, error } = await bring(file, "--language", "en");
  expect([code, error]).toEqual([1, expect.stringContaining("at most 4194304 are read")]);
});

test("a sheet that names no language needs one", async () => {
  const { code, error } = await bring(put("a.csv", "question,answer\nWhy?,So.\n"));
  expect([code, error]).toEqual([
    2,
    expect.stringContaining("does not say which language it is in; add --language L"),
  ]);
});
