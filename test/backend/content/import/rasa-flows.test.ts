import { expect, test } from "vitest";
import { readFiles } from "./read.ts";

const NLU = `nlu:
- intent: greet
  examples: |
    - hi
- intent: hours
  examples: |
    - when do you open
- intent: affirm
  examples: |
    - yes
- intent: explain
  examples: |
    - explain it
`;

test("a rule or story that quotes the reader and the bot becomes contents", () => {
  const { contents, left } = readFiles(
    {
      "a-story.yml":
        "rules:\n- rule: a\n  steps:\n  - { intent: greet, user: good day }\n  - bot: Hello!\n",
      "nlu.yml": NLU.split("- intent: hours")[0],
      "stories.yml": `stories:
- story: shipping
  steps:
  - user: |
      Do you ship to [Rome](city)?
    intent: ship
  - bot: In two days.
  - user: "By boat and/or plane?"
  - bot: By train.
`,
    },
    "en",
  );
  expect(contents["en"]).toEqual([
    { id: 1, title: "hi", alternatives: ["good day"], answer: "Hello!" },
    { id: 2, title: "Do you ship to Rome?", answer: "In two days." },
    { id: 3, title: "By boat and/or plane?", answer: "By train.", hidden: true },
  ]);
  expect(left).toEqual([
    'stories.yml:2: intent "By boat and/or plane?" “story "shipping"”: hidden',
  ]);
});

test("a content that answers the bot's own question is hidden, even if that question comes first", () => {
  const { contents } = readFiles(
    {
      "nlu.yml": NLU,
      "domain.yml": `responses:
  utter_anything: [{ text: "Anything else?" }]
  utter_more: [{ text: "What else?" }]
  utter_open: [{ text: At nine. }]
`,
      "rules.yml": `rules:
- rule: more
  steps:
  - action: utter_anything
  - intent: affirm
  - action: utter_more
- rule: from the start
  steps:
  - action: action_session_start
  - intent: hours
  - action: utter_open
`,
    },
    "en",
  );
  expect(contents["en"]).toEqual([
    { id: 1, title: "when do you open", answer: "At nine." },
    { id: 2, title: "yes", answer: "What else?", hidden: true },
  ]);
});

test("the first of several answers that depend on a value in the question is imported unpublished", () => {
  const domain =
    "responses:\n  utter_a: [{ text: Of A. }]\n  utter_b: [{ text: Of B. }]\n  utter_all: [{ text: Of all. }]\n";
  const rule = (product: string, action: string): string =>
    `- rule: ${action}\n  steps:\n  - intent: explain\n${product === "" ? "" : `    entities: [{ product: ${product} }]\n`}  - action: ${action}\n`;
  const yaml = (rules: string) => ({ "nlu.yml": NLU, "domain.yml": `${domain}rules:\n${rules}` });
  const both = rule("a", "utter_a") + rule("b", "utter_b");
  const depends = readFiles(yaml(both), "en");
  expect(depends.contents["en"]).toEqual([
    { id: 1, title: "explain it", answer: "Of A.", published: false },
  ]);
  expect(depends.left).toContain('nlu.yml:11: intent "explain": unpublished-condition');
  // An answer for all other cases is a content's answer.
  const general = readFiles(yaml(both + rule("", "utter_all")), "en");
  expect(general.contents["en"]).toEqual([{ id: 1, title: "explain it", answer: "Of all." }]);
  const only = readFiles(yaml(rule("a", "utter_a")), "en");
  expect(only.contents["en"]).toEqual([{ id: 1, title: "explain it", answer: "Of A." }]);
  // Rasa 1 writes the values into the label.
  const story =
    '## a\n* explain{"product": "a"}\n  - utter_a\n## b\n* explain{"product": "b"}\n  - utter_b\n';
  const markdown = readFiles({ "nlu.yml": NLU, "domain.yml": domain, "stories.md": story }, "en");
  expect(markdown.contents["en"]).toMatchObject([{ answer: "Of A.", published: false }]);
});

test("buttons that open an address become links, and flows and translations are listed", () => {
  const { contents, left } = readFiles(
    {
      "nlu.yml": NLU,
      "domain.yml": `responses:
  utter_greet:
  - text: Hello!
    translation: { de: Hallo! }
    buttons:
    - { title: Shop & more, type: web_url, url: "https://shop.example/a?b=(c)" }
    - { title: Docs, type: web_url, payload: "https://docs.example/" }
    - { title: Call, type: phone_number, payload: "+49301234" }
    - { title: Hours, payload: /hours }
    - { title: Script, type: web_url, url: "javascript:alert(1)" }
  utter_hours: [{ text: At nine. }]
`,
      "flows.yml": "flows:\n  transfer:\n    description: d\n    steps: [{ collect: amount }]\n",
    },
    "en",
  );
  expect(contents["en"]).toEqual([
    {
      id: 1,
      title: "hi",
      answer: [
        "Hello!",
        '<a href="https://shop.example/a?b=(c)">Shop &amp; more</a><br><a href="https://docs.example/">Docs</a><br><a href="tel:+49301234">Call</a>',
      ],
      options: [{ content: 2, label: "Hours" }],
    },
    { id: 2, title: "when do you open", answer: "At nine." },
  ]);
  expect(left).toEqual([
    'flows.yml: flow "transfer": answered-by-program',
    'domain.yml:2: response "utter_greet" “de: Hallo!”: other-wording',
    'nlu.yml:8: intent "affirm": no-answer',
    'nlu.yml:11: intent "explain": no-answer',
    'nlu.yml:2: "hi" “Script”: choice',
  ]);
});

test.each([
  ["/home/ann/test/domain.yml", "/home/ann/test/data/nlu.yml"],
  ["tests/my-bot/domain.yml", "tests/my-bot/nlu.yml"],
  ["results/domain.yml", "results/nlu.yml"],
  ["/domain.yml", "nlu.yml"],
  ["bot.zip/test_domain.yml", "bot.zip/test_nlu.yml"],
])("a bot is read although its path looks like one of tests: %s", (domain, nlu) => {
  const files = { [domain]: "responses:\n  utter_hours: [{ text: At nine. }]\n", [nlu]: NLU };
  expect(readFiles(files, "en").contents["en"]).toEqual([
    { id: 1, title: "when do you open", answer: "At nine." },
  ]);
});
