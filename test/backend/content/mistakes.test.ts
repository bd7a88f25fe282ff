import { describe, expect, test } from "vitest";
import { parseContent } from "../../../src/backend/content/parse.ts";
import { CUSTOMIZABLE_FLAGS, FLAGS } from "../../../src/direct-answers/flags.ts";
import { mistakes, texts } from "./written.ts";

/** A file with contents, the first on line 3. */
function file(...contents: readonly string[]): string {
  return `language: en\ncontents:\n${contents.map((one) => `  - ${one}\n`).join("")}`;
}
const T = "id: 1, title: T, answer: A";
const U = "id: 2, title: U, answer: A";

describe("mistakes in a content file are refused with file, line and column:", () => {
  test.each([
    [
      "a missing answer",
      "language: en\ncontents:\n  - id: 1\n    title: T\n",
      '3:5: the key "answer" is missing here [missing-key]',
    ],
    ["an empty title", file('{ id: 1, title: " ", answer: A }'), "3:21: this must not be empty"],
    ["an empty answer", file('{ id: 1, title: T, answer: "" }'), "3:32: this must not be empty"],
    [
      "an empty answer among others",
      file('{ id: 1, title: T, answer: [A, ""] }'),
      "3:36: this must",
    ],
    ["an empty list of answers", file("{ id: 1, title: T, answer: [] }"), "3:32: at least one"],
    [
      "an answer that is a number",
      file("{ id: 1, title: T, answer: 7 }"),
      "3:32: a text is needed",
    ],
    [
      "an unknown key",
      "language: en\ncontents:\n  - id: 1\n    title: T\n    answer: A\n    relatde: [2]\n",
      '6:5: unknown key "relatde". Did you mean "related"? [unknown-key]',
    ],
    [
      "an unknown key at the top",
      "langauge: en\n",
      '1:1: unknown key "langauge". Did you mean "language"?',
    ],
    [
      "an id that is no number",
      file("{ id: one, title: T, answer: A }"),
      "3:11: a whole number from 1",
    ],
    ["an id below 1", file("{ id: 0, title: T, answer: A }"), "3:11: a whole number from 1"],
    [
      "an id used twice",
      file(`{ ${T} }`, `{ ${T} }`),
      "4:11: id 1 is used twice in en [duplicate]",
    ],
    [
      "a direct call used twice",
      file(`{ ${T}, directCall: x }`, `{ ${U}, directCall: x }`),
      "4:47: directCall x is used twice in en [duplicate]",
    ],
    [
      "a slug used twice",
      file(`{ ${T}, slug: x }`, `{ ${U}, slug: x }`),
      "4:41: slug x is used twice",
    ],
    ["a slug with capitals", file(`{ ${T}, slug: My Slug }`), "3:41: a slug is made of a to z"],
    [
      "a related content that is not there",
      file(`{ ${T}, related: [7] }`),
      "3:45: there is no content 7 in en [unknown-reference]",
    ],
    [
      "a content related to itself",
      file(`{ ${T}, related: [1] }`),
      "3:45: a content cannot be related to itself",
    ],
    [
      "a content related twice",
      file(`{ ${T}, related: [2, 2] }`, `{ ${U} }`),
      "3:48: content 2 is related twice",
    ],
    ["an option that is not there", file(`{ ${T}, options: [7] }`), "3:45: there is no content 7"],
    [
      "a long option that is not there",
      file(`{ ${T}, options: [{ content: 7, label: L }] }`),
      "3:56: there is no content 7",
    ],
    [
      "an option of itself",
      file(`{ ${T}, options: [1] }`),
      "3:45: a content cannot be an option of itself",
    ],
    [
      "an option with an empty label",
      file(`{ ${T}, options: [{ content: 2, label: "" }] }`, `{ ${U} }`),
      "3:66: this must not be empty",
    ],
    [
      "an option without a content",
      file(`{ ${T}, options: [{ label: L }] }`),
      '3:45: the key "content" is missing',
    ],
    [
      "an unknown category",
      file(`{ ${T}, categories: [9] }`),
      "3:48: there is no category 9 in en",
    ],
    [
      "the engine's own direct call",
      file(`{ ${T}, directCall: sys-welcome }`),
      "3:47: sys-welcome is answered by the engine itself",
    ],
    ["an empty direct call", file(`{ ${T}, directCall: "" }`), "3:47: this must not be empty"],
    [
      "an expiry before publication",
      file(`{ ${T}, publishFrom: 2026-02-01, expires: 2026-02-01 }`),
      "3:69: this content would expire before it is published",
    ],
    [
      "a day that does not exist",
      file(`{ ${T}, expires: 2026-02-30 }`),
      "3:44: a moment is needed here",
    ],
    [
      "a time without a zone",
      file(`{ ${T}, expires: 2026-02-03T10:00 }`),
      "3:44: a moment is needed here",
    ],
    [
      "a time that does not exist",
      file(`{ ${T}, expires: "2026-02-03T24:01Z" }`),
      "3:44: a moment is needed here",
    ],
    ["a year alone", file(`{ ${T}, expires: 2026 }`), "3:44: a moment is needed here"],
    [
      "markup that does not close",
      file('{ id: 1, title: T, answer: "<p>Hello <b>you</p>" }'),
      "3:32: <b> is still open where </p> stands [markup]",
    ],
    [
      "markup that does not close in the second answer",
      file('{ id: 1, title: T, answer: [A, "<p>B"] }'),
      "3:36: <p> is never closed",
    ],
    [
      "markup that does not close in the side bubble",
      file(`{ ${T}, sideBubble: "</i>" }`),
      "3:47: </i> closes nothing",
    ],
    [
      "an action without a callback",
      file(`{ ${T}, actions: [{}] }`),
      '3:45: the key "callback" is missing',
    ],
    [
      "an attribute that JSON can't say",
      file(`{ ${T}, attributes: { WEIGHT: .nan } }`),
      "3:57: a value that JSON has is needed here",
    ],
    [
      "an option for later turns that no client could choose",
      file(`{ ${T}, options: [{ content: 2, revisitable: true }] }`, `{ ${U} }`),
      "3:72: content 2 needs a directCall",
    ],
    [
      "an environment that there is not",
      file(`{ ${T}, environments: [production, prodution] }`),
      "3:62: production, preproduction or development is needed here",
    ],
    [
      "markup that does not close in a check question",
      file(`{ ${T}, checkQuestion: "<b>This?" }`),
      "3:50: <b> is never closed",
    ],
    [
      "a form that leaving it begins again",
      `${file(`{ ${T}, form: { name: f, fields: [{ name: a, question: A }] } }`)}customized: { follow-up-question: 1 }\n`,
      "4:35: content 1 begins a form",
    ],
    ["a user type below 0", file(`{ ${T}, userTypes: [-1] }`), "3:47: a whole number from 0"],
    [
      "no language",
      `contents:\n  - { ${T} }\n`,
      "1:1: contents need a language: at the top of the file",
    ],
    ["no language for categories", "categories: []\n", "1:1: categories need a language"],
    ["no language tag", "language: 12\n", "1:11: a text is needed here, not a number"],
    ["a language that can't be one", "language: e\n", "1:11: a language tag is needed here"],
    ["a duplicate key", "language: en\nlanguage: fr\n", "2:1: the key language stands here twice"],
    ["broken YAML", "language: [en\n", "1:11: "],
    ["a tab", "contents:\n\t- id: 1\n", "2:1: "],
    ["two documents", "language: en\n---\nlanguage: fr\n", "2:1: "],
    ["a list", "- language: en\n", "1:1: a mapping is needed here, not a list"],
    ["a single word", "hello\n", "1:1: a mapping is needed here, not a text"],
    ["contents that are no list", "language: en\ncontents: 7\n", "2:11: a list is needed here"],
    [
      "a content that is a number",
      "language: en\ncontents: [7]\n",
      "2:12: a mapping is needed here, not a number",
    ],
    [
      "a category twice",
      "language: en\ncategories: [{ id: 1, name: A }, { id: 1, name: B }]\n",
      "2:40: category 1 is defined twice in en",
    ],
    [
      "a category under one that is not there",
      "language: en\ncategories: [{ id: 1, name: A, parent: 2 }]\n",
      "2:40: there is no category 2 in en",
    ],
    [
      "a category under itself",
      "language: en\ncategories: [{ id: 1, name: A, parent: 1 }]\n",
      "2:40: categories go round in a circle: 1 is under 1",
    ],
    [
      "a slug that two categories have",
      "language: en\ncategories: [{ id: 1, name: A, slug: s }, { id: 2, name: B, slug: s }]\n",
      "2:67: slug s is used twice",
    ],
    [
      "a group with one synonym",
      "language: en\nsynonyms: [[a]]\n",
      "2:12: a group of synonyms has at least two words",
    ],
    [
      "app data that JSON can't say",
      "appData: { a: { b: [{ c: .inf }] } }\n",
      "1:20: a value that JSON has is needed here",
    ],
  ])("%s", (_name, text, message) => {
    expect(mistakes(text)).toEqual([expect.stringContaining(`shop.yaml:${message}`)]);
  });

  test("categories that go round in a circle, at every one of them", () => {
    const text =
      "language: en\ncategories:\n  - { id: 1, name: A, parent: 2 }\n  - { id: 2, name: B, parent: 1 }\n  - { id: 3, name: C, parent: 1 }\n";
    expect(mistakes(text)).toStrictEqual([
      "shop.yaml:3:31: categories go round in a circle: 1 is under 2 is under 1 [invalid-value]",
      "shop.yaml:4:31: categories go round in a circle: 2 is under 1 is under 2 [invalid-value]",
    ]);
  });

  test("markup that does not close in whatever a form says", () => {
    const form = `{ name: f, fields: [{ name: a, question: <p>A, errorMessage: </p> }], finished: <i> }`;
    expect(mistakes(file(`{ ${T}, form: ${form} }`))).toEqual([
      expect.stringContaining("shop.yaml:3:82: <p> is never closed"),
      expect.stringContaining("shop.yaml:3:102: </p> closes nothing"),
      expect.stringContaining("shop.yaml:3:121: <i> is never closed"),
    ]);
  });

  test("an alias bomb", () => {
    const bomb = ["a: &a [x, x, x, x, x, x, x, x, x, x]"];
    for (const [here, before] of ["ba", "cb", "dc", "ed", "fe"]) {
      bomb.push(`${here}: &${here} [${`*${before}, `.repeat(10)}]`);
    }
    expect(mistakes(bomb.join("\n"))).toEqual([
      expect.stringMatching(/^shop\.yaml:2:8: anchors and aliases would grow/),
    ]);
  });

  test("all of them at once, sorted by place, and no mistake that only follows from another", () => {
    const text = file(
      "{ id: 1, title: T, answer: 7, related: [2] }",
      "{ id: 2, title: T, answer: <b>A, options: [1, 9] }",
    );
    expect(mistakes(`${text}customized: { welcom: 1 }\nbogus: 1\n`)).toStrictEqual([
      "shop.yaml:3:32: a text is needed here, or a list of texts [invalid-value]",
      "shop.yaml:4:32: <b> is never closed [markup]",
      "shop.yaml:4:51: there is no content 9 in en [unknown-reference]",
      'shop.yaml:5:15: unknown flag "welcom". Did you mean "welcome"? [unknown-flag]',
      expect.stringMatching(
        /^shop\.yaml:6:1: unknown key "bogus"\. Known here: language, contents, /,
      ),
    ]);
  });

  test("contents, options and categories that exist in another language only", () => {
    const french = {
      name: "fr.yaml",
      text: "language: fr\ncategories: [{ id: 5, name: C }]\ncontents: [{ id: 7, title: T, answer: A }]\n",
    };
    const here = {
      name: "en.yaml",
      text: file(`{ ${T}, related: [7], options: [7], categories: [5] }`),
    };
    expect(mistakes("", { contents: [here, french] })).toStrictEqual([
      "en.yaml:3:45: there is no content 7 in en; it exists in fr only [unknown-reference]",
      "en.yaml:3:59: there is no content 7 in en; it exists in fr only [unknown-reference]",
      "en.yaml:3:76: there is no category 5 in en; it exists in fr only [unknown-reference]",
    ]);
  });

  test("ids, calls and app data that two files have", () => {
    const text = `appData: { a: { b: c } }\n${file(`{ ${T}, directCall: x }`)}`;
    const contents = [
      { name: "one.yaml", text },
      { name: "two.yaml", text },
    ];
    expect(mistakes("", { contents })).toStrictEqual([
      'two.yaml:1:12: app data "a" is defined twice [duplicate]',
      "two.yaml:4:11: id 1 is used twice in en [duplicate]",
      "two.yaml:4:47: directCall x is used twice in en [duplicate]",
    ]);
  });

  test("as an error that names them all, with the lines", () => {
    const contents = [{ name: "shop.yaml", text: file(`{ ${T}, related: [7], options: [8] }`) }];
    expect(() => parseContent({ contents, texts })).toThrow(
      expect.objectContaining({
        code: "content-invalid",
        message: expect.stringMatching(
          /^shop\.yaml:3:45: error: there is no content 7 in en \[unknown-reference\]\n[^]*> 3 \|[^]*3:59: error: there is no content 8/,
        ),
      }),
    );
  });
});

describe("customized answers", () => {
  const five = [
    "all-options-discarded",
    "follow-up-question",
    "no-question",
    "no-results",
    "welcome",
  ];
  const customized = (written: string): readonly string[] =>
    mistakes(`${file(`{ ${T} }`, `{ ${U}, published: false }`)}customized: { ${written} }\n`);

  test.each(five)("may replace %s", (flag) => {
    expect(customized(`${flag}: 1`)).toStrictEqual([]);
  });

  test.each(FLAGS.filter((flag) => !CUSTOMIZABLE_FLAGS.includes(flag)))(
    "can't replace %s",
    (flag) => {
      expect(customized(`${flag}: 1`)).toStrictEqual([
        `shop.yaml:5:15: ${flag} can't be customized; these can: ${CUSTOMIZABLE_FLAGS.join(", ")} [unknown-flag]`,
      ]);
    },
  );

  test.each([
    ["welcom: 1", 'unknown flag "welcom". Did you mean "welcome"?'],
    [
      "end-from: 1",
      'unknown flag "end-from". Did you mean "end-form"? It can\'t be customized; these can: ',
    ],
    [
      "banana: 1",
      `unknown flag "banana". These can be customized: ${CUSTOMIZABLE_FLAGS.join(", ")}`,
    ],
  ])("for unknown flags are refused: %s", (written, message) => {
    expect(customized(written)).toEqual([expect.stringContaining(`shop.yaml:5:15: ${message}`)]);
  });

  test.each([
    ["is not there", "welcome: 7", "24: there is no content 7 in en [unknown-reference]"],
    ["is not published", "welcome: 2", "24: content 2 is not published"],
    ["is no id", "welcome: hello", "24: a whole number from 1 is needed here"],
  ])("need a content, and this one %s", (_name, written, message) => {
    expect(customized(written)).toEqual([expect.stringContaining(`shop.yaml:5:${message}`)]);
  });

  test("are given once for a language", () => {
    const text = `${file(`{ ${T} }`)}customized: { welcome: 1 }\n`;
    const more = { name: "more.yaml", text: "language: en\ncustomized: { welcome: 1 }\n" };
    expect(mistakes("", { contents: [{ name: "shop.yaml", text }, more] })).toStrictEqual([
      "more.yaml:2:15: welcome is customized twice in en [duplicate]",
    ]);
  });
});

describe("engine texts", () => {
  const all = texts[0]?.text ?? "";
  const wrong = (text: string, locale = "en"): readonly string[] =>
    mistakes("language: en\n", { texts: [{ name: "t.yaml", locale, text }] });

  test.each(FLAGS)("without %s are refused", (flag) => {
    expect(wrong(all.replace(`${flag}: text\n`, ""))).toStrictEqual([
      `t.yaml:1:1: the key "${flag}" is missing here [missing-key]`,
    ]);
  });

  test("with an unknown key, an empty text, or not in English are refused", () => {
    expect(wrong(`${all}welcom: x\n`)).toStrictEqual([
      `t.yaml:${FLAGS.length + 2}:1: unknown key "welcom". Did you mean "welcome"? [unknown-key]`,
    ]);
    expect(wrong(all.replace("welcome: text", 'welcome: ""'))).toStrictEqual([
      `t.yaml:${FLAGS.indexOf("welcome") + 1}:10: this must not be empty [empty-text]`,
    ]);
    expect(wrong(all, "fr")).toEqual([expect.stringContaining("English texts are missing")]);
  });
});
