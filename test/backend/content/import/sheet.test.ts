import { describeOmission } from "../../../../src/backend/content/import/imported/omissions.ts";
import { describe, expect, test } from "vitest";
import {
  writeContentFile,
  toContentFiles,
} from "../../../../src/backend/content/import/content-files.ts";
import type { ImportFile } from "../../../../src/backend/content/import/imported/imported.ts";
import { recognizeFormat } from "../../../../src/backend/content/import/read-imported.ts";
import { readSheets } from "../../../../src/backend/content/import/sheet.ts";
import { createReporter } from "../../../../src/yaml/diagnostic.ts";
import { createSource } from "../../../../src/yaml/source.ts";
import { parseYaml } from "../../../../src/yaml/yaml.ts";

function sheet(text: string | Uint8Array, name = "faq.csv"): ImportFile {
  return { name, bytes: typeof text === "string" ? new TextEncoder().encode(text) : text };
}

/** What a sheet becomes: contents of each language, and what is listed. */
function read(text: string | Uint8Array, language = "en") {
  const reporter = createReporter();
  const imported = readSheets([sheet(text)], reporter, language);
  const none = { nextId: 1, nextCategory: 1, kept: new Map(), present: new Map() };
  const { files } = toContentFiles(imported, language, none);
  return {
    contents: Object.fromEntries(files.map((file) => [file.language, file.contents])),
    categories: files.flatMap((file) => file.categories ?? []),
    left: imported.left.map((one) => `${one.line}: ${describeOmission(one)}`),
    found: reporter.diagnostics(),
  };
}

/** Latin letters only: the code units are the bytes. */
function utf16(text: string, order: "le" | "be", mark = ""): Uint8Array {
  return Uint8Array.from(
    (mark + text).split("").flatMap((letter) => {
      const code = letter.charCodeAt(0);
      return order === "le" ? [code & 255, code >> 8] : [code >> 8, code & 255];
    }),
  );
}

describe("a sheet of questions and answers", () => {
  test("becomes numbered contents", () => {
    const { contents, left } = read("question,answer\nWhen do you open?,At nine.\nWhere?,Here.\n");
    expect(contents["en"]).toEqual([
      { id: 1, title: "When do you open?", answer: "At nine." },
      { id: 2, title: "Where?", answer: "Here." },
    ]);
    expect(left).toEqual([]);
  });

  const opening = [{ id: 1, title: "Ouvert l'été ?", answer: "Oui; à neuf heures." }];
  test.each([
    ["semicolons", 'Question;Réponse\nOuvert l\'été ?;"Oui; à neuf heures."\n'],
    ["tabs", "Question\tRéponse\nOuvert l'été ?\tOui; à neuf heures.\n"],
    ["vertical bars", "Question|Réponse\nOuvert l'été ?|Oui; à neuf heures.\n"],
    ["a sep= line", "sep=|\r\nQuestion|Réponse\r\nOuvert l'été ?|Oui; à neuf heures.\r\n"],
    ["a byte order mark", "\ufeffQuestion,Réponse\nOuvert l'été ?,Oui; à neuf heures.\n"],
    ["the line ends of old Macs", "Question,Réponse\rOuvert l'été ?,Oui; à neuf heures.\r"],
    [
      "UTF-16, little endian",
      utf16("Question\tRéponse\r\nOuvert l'été ?\tOui; à neuf heures.", "le", "\ufeff"),
    ],
    [
      "UTF-16, big endian",
      utf16("Question\tRéponse\r\nOuvert l'été ?\tOui; à neuf heures.", "be", "\ufeff"),
    ],
    [
      "UTF-16 without a mark",
      utf16("Question\tRéponse\r\nOuvert l'été ?\tOui; à neuf heures.", "le"),
    ],
  ])("is read with %s", (_name, text) => {
    expect(read(text, "fr").contents["fr"]).toEqual(opening);
    expect(recognizeFormat([sheet(text)])).toBe("sheet");
  });

  test.each([
    ["fr", [0xe9], "é", "windows-1252"],
    ["ru", [0xe9], "й", "windows-1251"],
    ["pl", [0xea], "ę", "windows-1250"],
    ["el", [0xe1], "α", "windows-1253"],
    ["ja", [0x82, 0xa0], "あ", "shift_jis"],
    ["zh-TW", [0xa4, 0xa4], "中", "big5"],
  ])(
    "is read in the Windows code page for %s, and a note names that code page",
    (language, bytes, letter, page) => {
      const head = new TextEncoder().encode("question,answer\n");
      const { contents, found } = read(Uint8Array.from([...head, ...bytes, 44, 65, 10]), language);
      expect(contents[language]).toEqual([{ id: 1, title: letter, answer: "A" }]);
      expect(found).toMatchObject([{ severity: "note", message: expect.stringContaining(page) }]);
    },
  );

  test.each([
    "Frage;Antwort",
    "Pregunta;Respuesta",
    "Fråga;Svar",
    "質問;回答",
    "السؤال;الإجابة",
    "Utterance;Response",
    "FAQ question;Bot_Response",
    "Q;A",
  ])("may name its columns in many ways: %s", (header) => {
    expect(read(`${header}\nWhy?;So.\n`).contents["en"]).toEqual([
      { id: 1, title: "Why?", answer: "So." },
    ]);
  });

  test("takes phrases, categories and languages, in rows or in columns", () => {
    const rows = read(
      'language,category,question,alternatives,answer\nEnglish,Hours,Open?,"Opening hours|When?",At nine.\npt_BR,Horário,Aberto?,,Às nove.\n',
    );
    expect(rows.contents).toEqual({
      en: [
        {
          id: 1,
          title: "Open?",
          alternatives: ["Opening hours", "When?"],
          answer: "At nine.",
          categories: [1],
        },
      ],
      "pt-BR": [{ id: 2, title: "Aberto?", answer: "Às nove.", categories: [2] }],
    });
    expect(rows.categories).toEqual([
      { id: 1, name: "Hours" },
      { id: 2, name: "Horário" },
    ]);
    const columns = read(
      "question_en,answer_en,Question (fr),answer-fr\nOpen?,Yes.,Ouvert ?,Oui.\n",
    );
    expect(columns.contents).toEqual({
      en: [{ id: 1, title: "Open?", answer: "Yes." }],
      fr: [{ id: 1, title: "Ouvert ?", answer: "Oui." }],
    });
  });

  test("merges the rows of one intent in each language", () => {
    const { contents, left } = read(
      "intent,language,utterance,response\nhours,en,Open?,At nine.\nhours,en,When?,\nhours,fr,Ouvert ?,À neuf heures.\nhours,en,Hours?,At ten.\n",
    );
    expect(contents).toEqual({
      en: [{ id: 1, title: "Open?", alternatives: ["When?", "Hours?"], answer: "At nine." }],
      fr: [{ id: 1, title: "Ouvert ?", answer: "À neuf heures." }],
    });
    expect(left).toEqual([
      "5: Row 5, column D (response): row 2 has the same key and another answer.",
    ]);
  });

  test("keeps line breaks within quotes, links, bold text and HTML", () => {
    const { contents } = read(
      'question,answer\n"One\nquestion","See **this**:\nhttps://x.example/a?b=1&c=2.\n\nOr [that](https://y.example)."\nTwo,"<p>5 &lt; <b>6</b></p>"\nThree,5 < 6 & 7\n',
    );
    expect(contents["en"]).toMatchObject([
      {
        title: "One question",
        answer:
          '<p>See <b>this</b>:<br><a href="https://x.example/a?b=1&amp;c=2">https://x.example/a?b=1&amp;c=2</a>.</p><p>Or <a href="https://y.example">that</a>.</p>',
      },
      { answer: "<p>5 &lt; <b>6</b></p>" },
      { answer: "5 &lt; 6 &amp; 7" },
    ]);
  });

  test("lists everything that is not imported", () => {
    const { contents, left } = read(
      "question,answer,Owner\nOne?,Yes.,Bob\n,Orphan.,\nTwo?,,\none?,No.,\nThree?,<b>x,\n",
    );
    expect(contents["en"]).toEqual([
      { id: 1, title: "One?", answer: "Yes." },
      { id: 2, title: "Three?", answer: "&lt;b&gt;x", published: false },
    ]);
    expect(left).toEqual([
      "1: Column C (Owner) does not come along. Cells with a text: 1.",
      "3: Row 3, column A (question): the answer “Orphan.” has no question.",
      "4: Row 4, column B (answer): “Two?” has no answer.",
      "5: Row 5, column A (question): “one?” is already in row 2.",
      "6: Row 6, column B (answer): “Three?” comes along unpublished. Look at its answer first.",
    ]);
  });

  test("may have a title and a row of languages above its columns", () => {
    const { contents, left } = read(
      'Our "FAQ" 2026\n\n,English,,Deutsch,\nNo,Question,Answer,Frage,Antwort\n1,When?,At nine.,Wann?,Um neun.\n2,Where?,,,\n',
    );
    expect(contents).toEqual({
      en: [{ id: 1, title: "When?", answer: "At nine." }],
      de: [{ id: 1, title: "Wann?", answer: "Um neun." }],
    });
    expect(left).toEqual([
      '1: Row 1 stands above the headings and does not come along: “Our "FAQ" 2026”.',
      "6: Row 6, column C (Answer): “Where?” has no answer.",
    ]);
    const semicolons = read("FAQ\nFrage;Antwort\nWann?;Um neun, immer.\n", "de");
    expect(semicolons.contents).toMatchObject({ de: [{ answer: "Um neun, immer." }] });
  });

  test("publishes each row as its column says, and leaves rows with an unclear cell unpublished", () => {
    const { contents, left } = read(
      "question,answer,aktiv\nA?,a,FALSCH\nB?,b,Ja\nC?,c,\nD?,d,draft\nE?,e,ЛОЖЬ\nF?,f,X\n",
    );
    const hidden = contents["en"]?.filter(({ published }) => published === false);
    expect(hidden?.map(({ title }) => title)).toEqual(["A?", "D?", "E?"]);
    expect(left).toEqual([
      "5: Row 5, column B (answer): “D?” comes along unpublished. Look at its answer first.",
    ]);
  });

  test.each([
    [
      "question,reference\nA,B\n",
      1,
      'names no column with answers: it has "question", "reference"',
    ],
    ["question,answer\nA,B,C\n", 2, "this row has 3 cells and the header 2"],
    ["question,answer,language\nA,B,Klingonisch\n", 2, 'there is no language "Klingonisch"'],
    ['question,answer\nA,"B\n', 2, "this can't be read as CSV: Quote Not Closed"],
    ["", 1, "the sheet is empty"],
  ])("reports the line of a mistake: %j", (text, line, message) => {
    const { found } = read(text);
    expect(found).toMatchObject([{ line, message: expect.stringContaining(message) }]);
  });

  test.each(["id,title,answer\n", "id;title;answr\n", "name,place\n", '[{"id":1}]', ""])(
    "is not recognized in another text: %j",
    (text) => {
      expect(recognizeFormat([sheet(text)])).toBe("other");
    },
  );
});

test("contents that are written as YAML are read back unchanged", () => {
  const contents = [
    { id: 1, title: "no", answer: ["# a: b", 'line\nbreak\n\n- "quoted" \\ \''] },
    {
      id: 2,
      title: "{{name}} & *x*",
      alternatives: ["0x10", "~", "2026-01-01"],
      answer: "<p>é</p>",
    },
  ];
  const text = writeContentFile({ language: "no", contents }, ["a", "", "b"]);
  const reporter = createReporter();
  const file = parseYaml(createSource("a.yaml", text), reporter);
  expect(file?.value).toEqual({ language: "no", contents });
  expect(file?.findUnquotedNo()).toEqual([]);
  expect(text).toMatch(/^# a\n#\n# b\n/u);
});

test("a second import gives contents with the same title the same ids", () => {
  const reporter = createReporter();
  const imported = readSheets([sheet("question,answer\nNew?,A\nOld?,B\n")], reporter);
  const known = { nextId: 8, nextCategory: 1, kept: new Map([["en old?", 3]]), present: new Map() };
  const [file] = toContentFiles(imported, "en", known).files;
  expect(file?.contents.map(({ id, title }) => [id, title])).toEqual([
    [8, "New?"],
    [3, "Old?"],
  ]);
});

test("a sheet of 20,000 rows is read, and a larger one is refused at the first row too many", () => {
  const { contents, found } = read(`question,answer\n${"Open?,At nine\n".repeat(20_000)}`);
  expect(found).toEqual([]);
  expect(contents["en"]).toHaveLength(1);
  const larger = read(`question,answer\n${"Open?,At nine\n".repeat(20_001)}`);
  expect(larger.contents).toEqual({});
  expect(larger.found.map(({ line, message }) => `${line}: ${message}`)).toEqual([
    "20002: this file has more than 20000 rows, and at most 20000 are read: divide it",
  ]);
});

test.each(["Number", "Nummer", "FAQ id", "Nr."])(
  "a sheet without questions does not take its column %s for them",
  (name) => {
    const { contents, found } = read(`${name},Answer\n1,At nine.\n`);
    expect(contents).toEqual({});
    expect(found).toMatchObject([{ severity: "error" }]);
  },
);
