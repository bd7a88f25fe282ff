import { expect, test } from "vitest";
import { readFiles } from "./read.ts";

const nlu = (...intents: readonly (readonly [string, ...(readonly string[])])[]): string =>
  `version: "3.1"\nnlu:\n${intents
    .map(([name, ...examples]) => {
      return `- intent: ${name}\n  examples: |\n${examples.map((one) => `    - ${one}\n`).join("")}`;
    })
    .join("")}`;

test("intents are answered by the response of their name, in the language of config.yml", () => {
  const { format, contents, left } = readFiles({
    "nlu.yml": nlu(["hours", "when do you open", "opening [hours](x)"]),
    "domain.yml": 'responses:\n  utter_hours:\n  - text: "At **nine**."\n',
    "config.yml": "recipe: default.v1\nlanguage: nl # Dutch\npipeline: []\n",
  });
  expect(format).toBe("rasa");
  expect(contents).toEqual({
    nl: [
      {
        id: 1,
        title: "when do you open",
        alternatives: ["opening hours"],
        answer: "At <b>nine</b>.",
      },
    ],
  });
  expect(left).toEqual([]);
});

test.each([
  ["to [Berlin](city)", "to Berlin"],
  ["to [Berlin](city:BER) now", "to Berlin now"],
  ['to [Berlin]{"entity": "city", "value": "BER"}', "to Berlin"],
  ['[a][{"entity": "x"}, {"entity": "y"}] to [b](y)', "a to b"],
  ["[not markup] at all", "[not markup] at all"],
])("the markup of an entity becomes plain text: %s", (example, phrase) => {
  const { contents } = readFiles(
    { "nlu.yml": nlu(["x", example]), "domain.yml": "responses:\n  utter_x:\n  - text: A\n" },
    "en",
  );
  expect(contents["en"]).toMatchObject([{ title: phrase }]);
});

test("each retrieval intent becomes a content, whichever file it is in", () => {
  const { contents } = readFiles(
    {
      "data/nlu.yml": nlu(["faq/name", "your name?"], ["faq/sun", "sunny?"]),
      "data/responses.yml":
        'responses:\n  utter_faq/name:\n  - text: Bot.\n    image: "https://x.example/a.jpg"\n  utter_faq/sun:\n  - text: Yes.\n',
      "data/rules.yml": "rules:\n- rule: r\n  steps:\n  - intent: faq\n  - action: utter_faq\n",
    },
    "en",
  );
  expect(contents["en"]).toEqual([
    { id: 1, title: "your name?", answer: ["Bot.", '<img src="https://x.example/a.jpg" alt="">'] },
    { id: 2, title: "sunny?", answer: "Yes." },
  ]);
});

test("rules take precedence over stories, consecutive responses form one answer, and buttons become options", () => {
  const { contents, left } = readFiles(
    {
      "nlu.yml": nlu(["greet", "hi"], ["good", "fine"], ["bye", "cu"]),
      "domain.yml":
        "responses:\n  utter_greet:\n  - text: Hello!\n    buttons:\n    - { title: Great, payload: '/good{\"a\": 1}' }\n    - { title: Lost, payload: /lost }\n  utter_how:\n  - text: How are you?\n  utter_good:\n  - text: Good.\n  utter_bye:\n  - text: Bye.\n  utter_ciao:\n  - text: Ciao.\n",
      "rules.yml": "rules:\n- rule: bye\n  steps:\n  - intent: bye\n  - action: utter_bye\n",
      "stories.yml":
        "stories:\n- story: s\n  steps:\n  - intent: greet\n  - action: utter_greet\n  - action: utter_how\n  - intent: good\n  - action: utter_how\n- story: t\n  steps:\n  - intent: bye\n  - action: utter_ciao\n- story: u\n  steps:\n  - slot_was_set:\n    - a: b\n  - or:\n    - intent: good\n    - intent: bye\n  - action: utter_how\n",
    },
    "en",
  );
  expect(contents["en"]).toEqual([
    {
      id: 1,
      title: "hi",
      answer: ["Hello!", "How are you?"],
      options: [{ content: 2, label: "Great" }],
    },
    { id: 2, title: "fine", answer: "Good." },
    { id: 3, title: "cu", answer: "Bye." },
  ]);
  expect(left).toEqual([
    'stories.yml:9: story "t" “bye”: other-way',
    'domain.yml:13: response "utter_ciao" “Ciao.”: no-question',
    'nlu.yml:3: "hi" “Lost”: choice',
  ]);
});

test("a response that is only given within a dialog becomes a hidden content, which options can show", () => {
  const { contents, left } = readFiles(
    {
      "nlu.yml": nlu(["greet", "hi"], ["mood_good", "fine"]),
      "domain.yml":
        "responses:\n  utter_greet:\n  - text: Hello!\n    buttons: [{ title: Great, payload: /mood_good }]\n  utter_on:\n  - text: Carry on.\n",
      "stories.yml":
        "stories:\n- story: s\n  steps:\n  - intent: greet\n  - action: utter_greet\n  - intent: mood_good\n  - action: utter_on\n",
    },
    "en",
  );
  expect(contents["en"]).toEqual([
    { id: 1, title: "hi", answer: "Hello!", options: [{ content: 2, label: "Great" }] },
    { id: 2, title: "fine", answer: "Carry on.", hidden: true },
  ]);
  expect(left).toEqual(['nlu.yml:6: intent "mood_good" “story "s"”: hidden']);
});

test("slots, forms, code, channels and other wordings are listed, and no reader sees a slot", () => {
  const { contents, left, synonyms } = readFiles(
    {
      "nlu.yml": `${nlu(["a", "a?"], ["b", "b?"], ["c", "c?"], ["d", "d?"])}- synonym: parcel\n  examples: |\n    - package\n- lookup: city\n  examples: |\n    - Berlin\n`,
      "domain.yml":
        "intents: [a, b]\nentities: [city]\nslots:\n  name: { type: text }\nforms:\n  booking: {}\nactions: [action_look, utter_a]\nresponses:\n  utter_a:\n  - text: Hi {name}.\n  - text: Hi.\n  - text: Slack.\n    channel: slack\n  utter_b:\n  - text: You are {name}.\n  utter_c:\n  - text: Look.\n    custom: { x: 1 }\n",
      "rules.yml":
        "rules:\n- rule: c\n  steps:\n  - intent: c\n  - action: utter_c\n  - action: action_look\n- rule: d\n  steps:\n  - intent: d\n  - action: action_look\n",
    },
    "en",
  );
  expect(contents["en"]).toEqual([
    { id: 1, title: "a?", answer: "Hi." },
    { id: 2, title: "b?", answer: "You are {name}.", published: false },
    { id: 3, title: "c?", answer: "Look.", published: false },
  ]);
  expect(synonyms).toEqual([["parcel", "package"]]);
  expect(left).toEqual([
    'nlu.yml:18: lookup "city": entity',
    'domain.yml: slot "name": form',
    'domain.yml: form "booking": form',
    'domain.yml: entity "city": entity',
    'domain.yml: action "action_look": program',
    'domain.yml:9: response "utter_a" “slack: Slack.”: channel',
    'domain.yml:9: response "utter_a" “Hi {name}.”: other-wording',
    'nlu.yml:6: intent "b" “{name}”: unpublished-value',
    'domain.yml:16: response "utter_c" “custom”: rich',
    'nlu.yml:9: intent "c" “action_look”: unpublished-program',
    'rules.yml:7: rule "d" “d”: answered-by-program',
    'nlu.yml:12: intent "d": no-answer',
  ]);
});

test("the domain of Rasa 1 is read, test stories are ignored, and older training data is listed", () => {
  const { contents, left } = readFiles(
    {
      "nlu.yml": nlu(["x", "x?"]),
      "domain.yml": "templates:\n  utter_x:\n  - X!\n",
      "tests/test_stories.yml":
        "stories:\n- story: t\n  steps:\n  - intent: x\n  - action: utter_y\n",
      // `rasa test` writes into this folder.
      "results/failed_stories.yml":
        "stories:\n- story: t\n  steps:\n  - intent: x\n  - action: utter_y\n",
      "results/intent_report.json": { accuracy: 1 },
      "data/old.json": { rasa_nlu_data: { common_examples: [] } },
    },
    "en",
  );
  expect(contents["en"]).toEqual([{ id: 1, title: "x?", answer: "X!" }]);
  expect(left).toEqual(["data/old.json: file: file-rasa"]);
  const json = { rasa_nlu_data: { common_examples: [{ text: "hi", intent: "greet" }] } };
  expect(readFiles({ "nlu.json": json })).toMatchObject({
    format: "rasa",
    contents: {},
    left: ["nlu.json: file: file-rasa"],
  });
});

test("a quoted text may continue in the first column of the next line, as in Rasa", () => {
  const { contents } = readFiles(
    {
      "nlu.yml": nlu(["x", "x?"]),
      "domain.yml":
        'responses:\n  utter_x:\n    - text:  "We have \\"two\\" \n    programmes.\nReally."\n  utter_y:\n    - text: "Y"\n',
    },
    "en",
  );
  expect(contents["en"]).toMatchObject([{ answer: 'We have "two" programmes. Really.' }]);
});

test("a mistake in YAML is reported with its line, and aliases that expand without end are refused", () => {
  expect(readFiles({ "nlu.yml": "nlu:\n- intent: a\n\texamples: x\n" }).found).toMatchObject([
    { file: "nlu.yml", line: 3 },
  ]);
  const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${"bcdefgh"
    .split("")
    .map((key, index) => {
      const before = "abcdefg"[index];
      return `${key}: &${key} [${Array.from({ length: 9 }, () => `*${before}`).join(",")}]\n`;
    })
    .join("")}nlu: *h\n`;
  expect(readFiles({ "nlu.yml": bomb }).found).toMatchObject([
    { message: "anchors and aliases would grow to an enormous document" },
  ]);
});

const MARKDOWN = `<!-- Questions
## intent:none
- of readers -->
## intent:hours <!-- the shop's -->
- when do you open
* opening [hours](topic:times) <!-- on Sunday, too -->
+ open today?

## intent: faq/name
- your name?
## intent:order
- where is order [12](number)
## synonym:parcel
- package
- delivery
## regex:zipcode
- [0-9]{5}
## lookup:cities
data/cities.txt
## lookup:sizes
- S
- M
`;

const DOMAIN = `intents:
- hours
- order
- faq
templates:
  utter_hours:
  - text: "At **nine**."
  utter_track:
  - text: "Open the link."
actions:
- utter_hours
- utter_track
`;

test("training data of Rasa 1 in Markdown is read with its domain, stories and retrieval intents", () => {
  const { format, contents, synonyms, left, found } = readFiles(
    {
      "data/nlu.md": MARKDOWN,
      "data/responses.md": "## ask name\n* faq/name\n    - I am a bot.\n",
      "data/stories.md":
        '## track\n* order{"number": "12"} OR hurry\n  - slot{"number": "12"}\n  - utter_track\n* hours\n  - utter_track\n\n## checked\n> greeted\n* hours\n  - utter_track\n',
      "domain.yml": DOMAIN,
      "config.yml": "language: en\n",
      "README.md": "# A bot\n* hours\n",
    },
    null,
  );
  expect(format).toBe("rasa");
  expect(found).toEqual([]);
  expect(contents["en"]).toEqual([
    {
      id: 1,
      title: "when do you open",
      alternatives: ["opening hours", "open today?"],
      answer: "At <b>nine</b>.",
    },
    { id: 2, title: "your name?", answer: "I am a bot." },
    { id: 3, title: "where is order 12", answer: "Open the link." },
  ]);
  expect(synonyms).toEqual([["parcel", "package", "delivery"]]);
  expect(left).toEqual([
    'data/nlu.md:16: regex "zipcode": entity',
    'data/nlu.md:18: lookup "cities": entity',
    'data/nlu.md:20: lookup "sizes": entity',
    "README.md: file: file-rasa",
  ]);
});

test("Markdown prose is not read as a bot, and an unclosed comment hides what follows", () => {
  expect(() =>
    readFiles({ "faq.md": "# FAQ\n\n* When do you open?\n\n  - At nine.\n" }, "en"),
  ).toThrow("not recognized");
  const { contents } = readFiles(
    {
      "faq.md": "## intent:hours\r\n- when do you open\r\n<!-- later\r\n- open today?\r\n",
      "domain.yml": DOMAIN,
    },
    "en",
  );
  expect(contents["en"]).toMatchObject([{ title: "when do you open" }]);
  expect(contents["en"]?.[0]).not.toHaveProperty("alternatives");
});
