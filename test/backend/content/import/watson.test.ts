import { expect, test } from "vitest";
import { readFiles } from "./read.ts";

const intent = (name: string, ...examples: readonly string[]) => ({
  intent: name,
  examples: examples.map((text) => ({ text })),
});
const text = (...values: readonly string[]) => ({
  generic: [{ response_type: "text", values: values.map((one) => ({ text: one })) }],
});
const read = (workspace: object) =>
  readFiles({ "w.json": { language: "en", intents: [], dialog_nodes: [], ...workspace } });

test("a node whose condition is an intent becomes a content, with the intent's examples", () => {
  const { format, contents, left } = read({
    intents: [intent("hours", "when do you open", "opening hours"), intent("help", "help")],
    dialog_nodes: [
      { dialog_node: "f", type: "folder" },
      { dialog_node: "n", parent: "f", conditions: "#hours || #help", output: text("At nine.") },
    ],
  });
  expect(format).toBe("watson");
  expect(contents["en"]).toEqual([
    {
      id: 1,
      title: "when do you open",
      alternatives: ["opening hours", "help"],
      answer: "At nine.",
    },
  ]);
  expect(left).toEqual([]);
});

test.each(["#buy-or-rent", "(#buy-or-rent)or(#rent)", "#rent OR #buy-or-rent"])(
  "an intent may have `or` in its name: %s",
  (conditions) => {
    const { contents } = read({
      intents: [intent("buy-or-rent", "rent?"), intent("rent")],
      dialog_nodes: [{ dialog_node: "n", conditions, output: text("Both.") }],
    });
    expect(contents["en"]).toMatchObject([{ title: "rent?", answer: "Both." }]);
  },
);

test.each([
  [{ text: "One." }, "One."],
  [{ text: ["One.", "Two."] }, "One."],
  [{ text: { values: ["One.", "Two."], selection_policy: "random" } }, "One."],
  [{ text: { values: ["One.", "Two."], selection_policy: "multiline" } }, ["One.", "Two."]],
  [{ generic: [...text("One.").generic, ...text("Two.").generic] }, ["One.", "Two."]],
  [
    { generic: [{ response_type: "image", source: "https://x.example/a.png" }] },
    '<img src="https://x.example/a.png" alt="">',
  ],
])("an output in any form that Watson has used becomes the answer: %j", (output, answer) => {
  const { contents } = read({
    intents: [intent("a", "a?")],
    dialog_nodes: [{ dialog_node: "n", conditions: "intents[0].intent == 'a'", output }],
  });
  expect(contents["en"]).toEqual([{ id: 1, title: "a?", answer }]);
});

test("a choice becomes an option if a content has its text as a phrase", () => {
  const option = (label: string, to: string) => ({ label, value: { input: { text: to } } });
  const { contents, left } = read({
    intents: [intent("a", "a?"), intent("b", "What does it cost?")],
    dialog_nodes: [
      {
        dialog_node: "n",
        conditions: "#a",
        output: {
          generic: [
            {
              response_type: "option",
              title: "More?",
              options: [option("Price", "what does it cost?"), option("No", "no")],
            },
          ],
        },
      },
      { dialog_node: "m", conditions: "#b", output: text("It costs $5.") },
    ],
  });
  expect(contents["en"]).toEqual([
    { id: 1, title: "a?", answer: "More?", options: [{ content: 2, label: "Price" }] },
    { id: 2, title: "What does it cost?", answer: "It costs $5." },
  ]);
  expect(left).toEqual(['w.json: "a?" “No”: choice']);
});

test("conditions, slots, nodes that follow a node, and nodes without a question are listed", () => {
  const { contents, left, synonyms } = read({
    intents: [
      intent("a", "a?"),
      intent("order", "a pizza"),
      intent("alone", "x"),
      intent("v", "v?"),
    ],
    entities: [
      {
        entity: "size",
        values: [
          { type: "synonyms", value: "small", synonyms: ["little"] },
          { type: "patterns", value: "zip", patterns: ["\\d+"] },
        ],
      },
    ],
    counterexamples: [{ text: "x" }],
    dialog_nodes: [
      { dialog_node: "w", conditions: "welcome", output: text("Hi!") },
      { dialog_node: "e", conditions: "anything_else", output: text("What?", "Hm?") },
      { dialog_node: "n", title: "A", conditions: "#a", next_step: { dialog_node: "w" } },
      {
        dialog_node: "n1",
        parent: "n",
        type: "response_condition",
        conditions: "$x",
        output: text("X"),
      },
      { dialog_node: "n2", parent: "n", type: "response_condition", output: text("Usually.") },
      { dialog_node: "n3", parent: "n", conditions: "#a", output: text("Then.") },
      { dialog_node: "n4", parent: "n3", conditions: "#alone", output: text("At last.") },
      {
        dialog_node: "o",
        title: "O",
        conditions: "#order",
        type: "frame",
        output: text("Thanks."),
      },
      { dialog_node: "s", parent: "o", type: "slot", variable: "$size" },
      { dialog_node: "h", parent: "s", type: "event_handler", output: { text: "What size?" } },
      { dialog_node: "c", conditions: "#a && @size", output: text("Both.") },
      { dialog_node: "v", title: "V", conditions: "#v", output: text("Dear $name") },
    ],
  });
  expect(contents["en"]).toEqual([
    { id: 1, title: "a?", answer: "Usually." },
    { id: 2, title: "a pizza", answer: "Thanks.", published: false },
    { id: 3, title: "v?", answer: "Dear $name", published: false },
  ]);
  expect(synonyms).toEqual([["small", "little"]]);
  expect(left).toEqual([
    'w.json: node "w" (welcome) “Hi!”: line',
    'w.json: node "e" “Hm?”: other-wording',
    'w.json: node "e" (anything_else) “What?”: line',
    'w.json: response_condition "A" › "n1" ($x) “X”: condition',
    'w.json: node "A" › "n3" (#a) “Then.”: below',
    'w.json: node "n3" › "n4" (#alone) “At last.”: below',
    'w.json: node "A" “w”: goes-on',
    'w.json: slot "O" › "s": form',
    'w.json: event_handler "s" › "h" “What size?”: form',
    'w.json: node "O": unpublished-form',
    'w.json: node "c" (#a && @size) “Both.”: other-condition',
    'w.json: node "V" “$name”: unpublished-value',
    'w.json: intent "alone" “x”: no-answer',
    'w.json: entity "size": entity',
    'w.json: counterexample "x": counterexample',
  ]);
});

test("a dialog of ten thousand levels is listed to its end", () => {
  const nodes = Array.from({ length: 10_000 }, (_, at) => ({
    dialog_node: `n${at}`,
    ...(at === 0 ? { conditions: "#a" } : { parent: `n${at - 1}` }),
    output: text("A"),
  }));
  const { contents, left } = read({ intents: [intent("a", "a?")], dialog_nodes: nodes });
  expect(contents["en"]).toHaveLength(1);
  expect(left).toHaveLength(9999);
});

test("actions that only give an answer become contents", () => {
  const concat = (...parts: readonly object[]) => ({
    output: {
      generic: [{ response_type: "text", values: [{ text_expression: { concat: parts } }] }],
    },
  });
  const action = (title: string, name: string, ...steps: readonly object[]) => ({
    title,
    condition: { intent: name },
    steps,
  });
  const { contents, left } = readFiles({
    "skill.json": {
      type: "action",
      language: "fr",
      workspace: {
        intents: [intent("i", "Où êtes-vous ?"), intent("j", "Je réserve")],
        actions: [
          action("Lieu", "i", concat({ scalar: "12, rue du Moulin" })),
          action("Réserver", "j", { ...concat({ scalar: "Quand ?" }), question: { type: "date" } }),
          { title: "Accueil", condition: { expression: "welcome" } },
        ],
      },
    },
  });
  expect(contents["fr"]).toEqual([
    { id: 1, title: "Où êtes-vous ?", answer: "12, rue du Moulin" },
    { id: 2, title: "Je réserve", answer: "Quand ?", published: false },
  ]);
  expect(left).toEqual([
    'skill.json: action "Réserver": unpublished-form',
    'skill.json: action "Accueil": no-question',
  ]);
});
