import { RECOGNITION } from "../fixtures/recognition.ts";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { TriggerConfig } from "../../src/config/escalation-config.ts";
import { DEFAULT_ESCALATION } from "../../src/config/escalation-defaults.ts";
import { createGate } from "../../src/direct-answers/gate.ts";
import { quietEscalation } from "../../src/escalation/edits.ts";
import { readTurn } from "../../src/escalation/facts.ts";
import { triggerNeedles } from "../../src/escalation/needles.ts";
import { judge, NO_COUNTS } from "../../src/escalation/triggers.ts";
import { MODERN, PLAIN } from "../direct-answers/fixtures.ts";
import { writeJson } from "../fixtures/json-writer.ts";
import { anyTurn, anyTurnAnswer } from "./any-turn.ts";
import { encode, only, scene } from "./bodies.ts";

const rule = (given: Partial<TriggerConfig["rules"][number]>): TriggerConfig =>
  only({ rules: [{ name: "r", when: {}, ...given }] });

const configurations: readonly TriggerConfig[] = [
  DEFAULT_ESCALATION.triggers,
  { ...DEFAULT_ESCALATION.triggers, noResults: 1, errors: 1, words: false },
  only({ callbacks: ["customTrigger"], escalateFlag: true }),
  only({ directCalls: ["sys-welcome"] }),
  rule({ flag: "no-rating" }),
  rule({ title: "Priorité" }),
  rule({ title: "価格" }),
  rule({ attribute: { name: "Topic", value: "billing" } }),
  rule({ scoreBelow: 0.5 }),
  rule({ turns: 1 }),
  rule({ when: { channel: "web" } }),
];

// Made once: the tables of a gate take longer than ten thousand searches.
const cases = configurations.flatMap((triggers) =>
  [PLAIN, MODERN].map((rules) => ({
    triggers,
    rules,
    isOpen: createGate(rules, triggerNeedles(triggers)),
  })),
);

/** Answers with one or two members, so that nothing else opens the gate. */
const sparse = fc.record({
  answers: fc.array(
    fc.oneof(
      anyTurnAnswer.map((answer) => pick(answer, ["attributes"])),
      anyTurnAnswer.map((answer) => pick(answer, ["actions"])),
      anyTurnAnswer.map((answer) => pick(answer, ["intent", "parameters"])),
      anyTurnAnswer.map((answer) => ({ ...pick(answer, ["options"]), type: "polarQuestion" })),
    ),
    { minLength: 1, maxLength: 2 },
  ),
});

function pick(answer: unknown, names: readonly string[]): object {
  const entries = Object.entries(answer as object).filter(([name]) => names.includes(name));
  return { flags: [], ...Object.fromEntries(entries) };
}

test("a closed gate means that nothing is told and that there is nothing to take away", () => {
  let closed = 0;
  fc.assert(
    fc.property(
      fc.oneof(anyTurn, sparse),
      fc.integer(),
      fc.constantFrom(...cases),
      (response, seed, { triggers, rules, isOpen }) => {
        const bytes = writeJson(response, seed);
        if (isOpen(bytes)) return;
        closed++;
        const facts = readTurn(bytes);
        if (facts === null) return;
        const turn = { facts, question: null, digest: "a", at: 0 };
        const said = scene({ channel: "web" });
        const { reason, counts } = judge(triggers, NO_COUNTS, turn, said, rules, RECOGNITION);
        expect(reason).toBeNull();
        expect(counts).toMatchObject({ noResults: 0, errors: 0 });
        expect(quietEscalation(bytes, facts, triggers.callbacks)).toEqual([]);
      },
    ),
    { numRuns: 6_000 },
  );
  expect(closed).toBeGreaterThan(500);
});

test("an ordinary answer leaves the gate of an ordinary configuration closed", () => {
  const gate = createGate(PLAIN, triggerNeedles(DEFAULT_ESCALATION.triggers));
  const answer = {
    type: "answer",
    message: "Your order is on its way.",
    messageList: ["Your order is on its way."],
    options: null,
    flags: [],
    attributes: { title: "Order status", DIRECT_CALL: "", SIDEBUBBLE_TEXT: "" },
    intent: { type: "CONTENT", score: 1.1 },
    actions: [{ parameters: { callback: "openBasket" } }],
  };
  expect(gate(encode({ answers: [answer] }))).toBe(false);
  const offered = { ...answer, attributes: { DIRECT_CALL: "escalationOffer" } };
  expect(gate(encode({ answers: [offered] }))).toBe(true);
});

test.each<[string, TriggerConfig, object]>([
  ["the attribute ESCALATE", only({ escalateFlag: true }), { attributes: { ESCALATE: "TRUE" } }],
  ["a direct call", only({ directCalls: ["a-b"] }), { attributes: { DIRECT_CALL: "a-b" } }],
  [
    "a callback",
    only({ callbacks: ["callMe"] }),
    { actions: [{ parameters: { callback: "callMe" } }] },
  ],
  ["a rule's title", rule({ title: "Prices" }), { parameters: { contents: { title: "PRICES" } } }],
  [
    "a rule's attribute",
    rule({ attribute: { name: "Topic", value: "1" } }),
    { attributes: { TOPIC: 1 } },
  ],
  ["a rule's score", rule({ scoreBelow: 0.5 }), { intent: { score: 0.1 } }],
  ["a rule that counts turns", rule({ turns: 1, title: "Prices" }), {}],
])("%s alone opens the gate", (_, triggers, answer) => {
  const body = encode({ answers: [{ message: "Hello", flags: [], ...answer }] });
  expect(createGate(PLAIN, triggerNeedles(triggers))(body)).toBe(true);
  expect(createGate(PLAIN, triggerNeedles(only({})))(body)).toBe(false);
});
