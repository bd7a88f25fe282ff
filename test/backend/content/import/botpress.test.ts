import { expect, test } from "vitest";
import { readFiles } from "./read.ts";

const data = {
  action: "text",
  contexts: ["global"],
  enabled: true,
  questions: { en: ["when do you open", ""], fr: ["quand ouvrez-vous ?"] },
  answers: { en: ["At nine."], fr: ["À neuf heures."] },
  redirectFlow: "",
  redirectNode: "",
};

test.each([
  ["an export", { qnas: [{ id: "a", data }], contentElements: [] }],
  ["a list", [{ id: "a", data }]],
  ["one file of a bot's folder", { id: "a", data }],
])("questions and answers of %s become contents in all languages", (_, value) => {
  const { format, contents, left } = readFiles({ "qna.json": value });
  expect(format).toBe("botpress");
  expect(contents).toEqual({
    en: [{ id: 1, title: "when do you open", answer: "At nine." }],
    fr: [{ id: 1, title: "quand ouvrez-vous ?", answer: "À neuf heures." }],
  });
  expect(left).toEqual([]);
});

test("an export of Botpress 11 has no language and takes the given one", () => {
  const old = { answer: "Old.", questions: ["old?"], category: "shop", enabled: false };
  const { contents } = readFiles({ "qna.json": [{ id: "a", data: old }] }, "de");
  expect(contents).toEqual({
    de: [{ id: 1, title: "old?", answer: "Old.", categories: [1], published: false }],
  });
});

test("other wordings, flows, elements and intents are listed as not imported", () => {
  const { contents, left } = readFiles(
    {
      "qna.json": {
        qnas: [
          {
            id: "a",
            data: { ...data, answers: { en: ["One.", "Two."] }, questions: { en: ["a?"] } },
          },
          {
            id: "b",
            data: {
              action: "redirect",
              questions: { en: ["b?"] },
              answers: {},
              redirectFlow: "m.flow.json",
            },
          },
          {
            id: "c",
            data: { ...data, questions: { en: ["c?"] }, answers: { en: ["#!builtin_text-x"] } },
          },
          { id: "d", data: { ...data, questions: { en: ["d?"] }, answers: { en: ["#!gone"] } } },
          {
            id: "e",
            data: { ...data, questions: { en: ["e?"] }, answers: { en: ["{{user.name}}!"] } },
          },
        ],
        contentElements: [{ id: "builtin_text-x", formData: { text$en: "Text." } }],
      },
      "intents/order.json": { name: "order", utterances: { en: ["a pizza"] } },
      "intents/__qna__a.json": { name: "__qna__a", utterances: { en: ["a?"] } },
    },
    "en",
  );
  expect(contents["en"]).toEqual([
    { id: 1, title: "a?", answer: "One." },
    { id: 2, title: "c?", answer: "Text." },
    { id: 3, title: "d?", answer: "#!gone", published: false },
    { id: 4, title: "e?", answer: "{{user.name}}!", published: false },
  ]);
  expect(left).toEqual([
    'qna.json: question "a" (en) “Two.”: other-wording',
    'qna.json: question "b" (en): no-answer',
    'qna.json: question "b" “m.flow.json”: goes-on',
    'qna.json: question "d" (en) “#!gone”: unpublished-element',
    'qna.json: question "e" (en) “{{user.name}}”: unpublished-value',
    'intents/order.json: intent "order": answered-by-program',
  ]);
});

test("broken JSON is reported with its file and line", () => {
  const { found } = readFiles({ "a.json": [{ id: "a", data }], "b.json": '{\n "qnas": [,] }' });
  expect(found).toMatchObject([
    { file: "b.json", line: 2, message: expect.stringContaining("this can't be read as JSON") },
  ]);
});
