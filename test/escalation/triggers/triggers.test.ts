import { RECOGNITION } from "../../fixtures/recognition.ts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type TriggerConfig,
  type TriggerRule,
  DEFAULT_ESCALATION,
} from "../../../src/config/escalation-config.ts";
import type { InstanceRules } from "../../../src/direct-answers/types.ts";
import { readTurn, type TurnFacts } from "../../../src/escalation/triggers/facts.ts";
import { type Counts, NO_COUNTS } from "../../../src/escalation/stores/record.ts";
import { isQuiet, countRating, resetSettled } from "../../../src/escalation/triggers/counts.ts";
import { judge, type Judgement } from "../../../src/escalation/triggers/triggers.ts";
import { MODERN, PLAIN, REPLACING } from "../../direct-answers/fixtures.ts";
import { writeJson } from "../../fixtures/json-writer.ts";
import { anyTurn } from "../any-turn.ts";
import { encode, only, scene, turn } from "../bodies.ts";
import { runs } from "../../fixtures/runs.ts";

const NOTHING_FOUND = { message: "Nothing", flags: ["no-results"] };
const HELPED = { message: "Here it is", flags: [] };
const BROKEN = { message: "Oops", flags: ["conversation-error-message"] };
const WELCOME = { message: "Hello", flags: ["welcome"] };

let clock = 0;

/** Judges one turn; turns have different requests unless the test passes one. */
function judged(
  triggers: TriggerConfig,
  facts: TurnFacts | null,
  counts: Counts = NO_COUNTS,
  more: {
    rules?: InstanceRules;
    question?: string | null;
    at?: number;
    digest?: string;
    channel?: string;
    locale?: string;
  } = {},
): Judgement {
  clock += 60_000;
  const { question = null, at = clock, digest = `request ${clock}`, channel = "" } = more;
  const { locale = "en", rules = PLAIN } = more;
  return judge(
    triggers,
    counts,
    { facts, question, digest, at },
    scene({ channel }, locale),
    rules,
    RECOGNITION,
  );
}

/** The reasons of consecutive turns. */
function row(
  triggers: TriggerConfig,
  turns: readonly TurnFacts[],
  rules = PLAIN,
): (string | null)[] {
  let counts = NO_COUNTS;
  return turns.map((facts) => {
    const judgement = judged(triggers, facts, counts, { rules });
    counts = judgement.counts;
    return judgement.reason;
  });
}

describe("what is reported in one turn", () => {
  const rule = (given: Partial<TriggerRule>): Partial<TriggerConfig> => ({
    rules: [{ name: "vip", when: {}, ...given }],
  });

  test.each<[string, Partial<TriggerConfig>, unknown, string | null]>([
    ["the flag", { escalateFlag: true }, { flags: ["no-rating", "escalate"] }, "escalate"],
    ["the flag, switched off", {}, { flags: ["escalate"] }, null],
    ["the attribute", { escalateFlag: true }, { attributes: { ESCALATE: "TRUE" } }, "escalate"],
    [
      "the attribute as a boolean",
      { escalateFlag: true },
      { attributes: { Escalate: true } },
      "escalate",
    ],
    [
      "an attribute that denies",
      { escalateFlag: true },
      { attributes: { ESCALATE: "FALSE" } },
      null,
    ],
    [
      "a flag of the owner's",
      { flags: ["webhook-bad-request"] },
      { flags: ["webhook-bad-request"] },
      "flag:webhook-bad-request",
    ],
    [
      "its old name",
      { flags: ["follow-up-question"] },
      { flags: ["conversation-link"] },
      "flag:follow-up-question",
    ],
    [
      "a callback",
      { callbacks: ["escalateToAgent"] },
      { actions: [{}, { parameters: { callback: "escalateToAgent" } }] },
      "callback:escalateToAgent",
    ],
    [
      "another callback",
      { callbacks: ["escalateToAgent"] },
      { actions: [{ parameters: { callback: "createTicket" } }] },
      null,
    ],
    [
      "a direct call",
      { directCalls: ["escalationOffer"] },
      { attributes: { DIRECT_CALL: "escalationOffer" } },
      "direct-call:escalationOffer",
    ],
    [
      "a redirect",
      { directCalls: ["escalationStart"] },
      { attributes: { DYNAMIC_REDIRECT: "escalationStart" } },
      "direct-call:escalationStart",
    ],
    [
      "a redirect of an option",
      { directCalls: ["escalationStart"] },
      { type: "polarQuestion", options: [{ attributes: { DYNAMIC_REDIRECT: "escalationStart" } }] },
      "direct-call:escalationStart",
    ],
    ["a rule about a flag", rule({ flag: "no-rating" }), { flags: ["no-rating"] }, "rule:vip"],
    [
      "a rule about a title",
      rule({ title: " Prices" }),
      { attributes: { inbMainTitle: "PRICES " } },
      "rule:vip",
    ],
    [
      "a rule about another title",
      rule({ title: "Prices" }),
      { attributes: { title: "Price" } },
      null,
    ],
    [
      "a rule about an attribute",
      rule({ attribute: { name: "topic", value: "billing" } }),
      { attributes: { Topic: "Billing" } },
      "rule:vip",
    ],
    [
      "a rule about an attribute that is not there",
      rule({ attribute: { name: "topic", value: "" } }),
      {},
      null,
    ],
    ["a rule about a score", rule({ scoreBelow: 0.5 }), { intent: { score: 0.49 } }, "rule:vip"],
    ["a score that is high enough", rule({ scoreBelow: 0.5 }), { intent: { score: 0.5 } }, null],
    ["a score that is not there", rule({ scoreBelow: 0.5 }), { intent: {} }, null],
    [
      "a rule about the channel",
      rule({ when: { channel: "voice", "variables.plan": "gold" } }),
      {},
      "rule:vip",
    ],
    [
      "a rule about a plan the reader does not have",
      rule({ when: { "variables.plan": "tin" } }),
      {},
      null,
    ],
    [
      "a rule of which one half holds",
      rule({ flag: "no-results", scoreBelow: 0.5 }),
      { flags: ["no-results"] },
      null,
    ],
    ["a rule about the first turn", rule({ turns: 1 }), {}, "rule:vip"],
    ["a rule about the second turn", rule({ turns: 2 }), {}, null],
  ])("%s", (_, triggers, answer, reason) => {
    expect(judged(only(triggers), turn(answer), NO_COUNTS, { channel: "voice" }).reason).toBe(
      reason,
    );
  });

  test("belongs to the answer that contains it", () => {
    const facts = turn(HELPED, { flags: ["escalate"] }, HELPED);
    expect(judged(only({ escalateFlag: true }), facts)).toMatchObject({ answer: 1 });
  });

  test("is known by the title where default content hides the flag", () => {
    const facts = turn({ flags: [], attributes: { inbMainTitle: "No Results" } });
    const triggers = only({ flags: ["no-results"] });
    expect(judged(triggers, facts, NO_COUNTS, { rules: MODERN }).reason).toBe("flag:no-results");
    expect(judged(triggers, facts).reason).toBeNull();
  });

  test("has priority over a row", () => {
    const triggers = only({ noResults: 1, escalateFlag: true });
    const answer = { flags: ["no-results", "escalate"] };
    expect(judged(triggers, turn(answer)).reason).toBe("escalate");
  });
});

describe("the reader's own words", () => {
  test("have priority over everything, and need no answer", () => {
    const triggers = DEFAULT_ESCALATION.triggers;
    const question = "I want to talk to a human";
    const facts = turn(HELPED, { flags: ["escalate"] });
    expect(judged(triggers, facts, NO_COUNTS, { question })).toMatchObject({
      reason: "words",
      answer: 1,
    });
    expect(judged(triggers, null, NO_COUNTS, { question })).toMatchObject({
      reason: "words",
      counts: NO_COUNTS,
    });
    expect(judged(only({}), facts, NO_COUNTS, { question }).reason).toBeNull();
  });
});

describe("answers without a result in a row", () => {
  const two = only({ noResults: 2 });

  test("are counted by turns, also if a turn has several answers", () => {
    expect(row(two, [turn(NOTHING_FOUND, NOTHING_FOUND), turn(NOTHING_FOUND)])).toEqual([
      null,
      "no-results",
    ]);
  });

  test("are reported until they are settled", () => {
    const turns = [turn(NOTHING_FOUND), turn(NOTHING_FOUND), turn(NOTHING_FOUND)];
    expect(row(two, turns)).toEqual([null, "no-results", "no-results"]);
    const { counts } = judged(two, turn(NOTHING_FOUND), { ...NO_COUNTS, noResults: 1 });
    expect(resetSettled(counts)).toMatchObject({ noResults: 0, turns: 1 });
    expect(judged(two, turn(NOTHING_FOUND), resetSettled(counts)).reason).toBeNull();
  });

  test("end where an answer helped, in a turn of its own or beside one that did not", () => {
    const mixed = turn(NOTHING_FOUND, HELPED);
    expect(row(two, [turn(NOTHING_FOUND), turn(HELPED), turn(NOTHING_FOUND)])).toEqual([
      null,
      null,
      null,
    ]);
    expect(row(two, [turn(NOTHING_FOUND), mixed, turn(NOTHING_FOUND)])).toEqual([null, null, null]);
  });

  test.each(["all-options-discarded", "no-subset-match"])(
    "are also turns that end with %s, unless an answer follows in the same response",
    (flag) => {
      const missed = { message: "None of them", flags: [flag] };
      expect(row(two, [turn(missed), turn(missed)])).toEqual([null, "no-results"]);
      expect(row(two, [turn(missed), turn(NOTHING_FOUND)])).toEqual([null, "no-results"]);
      expect(row(two, [turn(missed), turn(missed, HELPED)])).toEqual([null, null]);
    },
  );

  test.each([
    ["a welcome", WELCOME],
    ["a form's next question", { flags: ["form-continue"] }],
    ["an empty question", { flags: ["no-question"] }],
    ["an error", BROKEN],
  ])("are not ended by %s", (_, between) => {
    const turns = [turn(NOTHING_FOUND), turn(between), turn(NOTHING_FOUND)];
    expect(row(two, turns)).toEqual([null, null, "no-results"]);
  });

  test("are not counted where nothing was answered", () => {
    const once = { ...NO_COUNTS, noResults: 1, turns: 1 };
    expect(judged(two, turn(), once)).toMatchObject({
      counts: { noResults: 1, turns: 2 },
      reason: null,
      answer: -1,
    });
    expect(judged(two, null, once).counts).toEqual(once);
  });

  test("are known by the title where default content hides the flag", () => {
    const hidden = turn({ flags: [], attributes: { inbMainTitle: " NO results" } });
    expect(row(two, [hidden, hidden], MODERN)).toEqual([null, "no-results"]);
    expect(row(two, [hidden, hidden])).toEqual([null, null]);
  });

  test("are known by the engine's own text where its default content is replaced", () => {
    const response = turn({ flags: [], message: "Sorry, nothing." });
    expect(row(two, [response, response], REPLACING)).toEqual([null, "no-results"]);
    expect(row(two, [response, response], MODERN)).toEqual([null, null]);
  });

  test("belong to the answer that says so", () => {
    const facts = turn(NOTHING_FOUND, WELCOME);
    expect(judged(only({ noResults: 1 }), facts)).toMatchObject({
      reason: "no-results",
      answer: 0,
    });
  });

  test("are counted once when a client sends its request again, and reported again", () => {
    const first = judged(two, turn(NOTHING_FOUND), NO_COUNTS, { digest: "a", at: 1000 });
    const again = judged(two, turn(NOTHING_FOUND), first.counts, { digest: "a", at: 6000 });
    expect(again).toMatchObject({ repeated: true, reason: null, counts: first.counts });
    const later = judged(two, turn(NOTHING_FOUND), first.counts, { digest: "a", at: 6001 });
    expect(later).toMatchObject({ repeated: false, reason: "no-results" });
    const judgement = judged(two, turn(NOTHING_FOUND), resetSettled(later.counts), {
      digest: "a",
      at: 6002,
    });
    expect(judgement).toMatchObject({ repeated: true, reason: "no-results", answer: 0 });
  });
});

describe("errors in a row", () => {
  const two = only({ errors: 2 });

  test.each([
    "conversation-error-message",
    "generic-error-message",
    "webhook-bad-request",
    "webhook-wrong-field",
  ])("are answers with the flag %s", (flag) => {
    expect(row(two, [turn({ flags: [flag] }), turn(BROKEN)])).toEqual([null, "errors"]);
  });

  test("end where an answer helped", () => {
    expect(row(two, [turn(BROKEN), turn(HELPED), turn(BROKEN)])).toEqual([null, null, null]);
  });
});

describe("negative ratings in a row", () => {
  const two = only({ negativeRatings: 2, negative: ["2", "bad"] });
  const rate = (value: unknown): Uint8Array =>
    encode({ type: "rate", data: { code: "r-1", value, comment: null } });

  test("are counted from numbers and texts, and reported with the next answer", () => {
    const one = countRating(two, NO_COUNTS, rate(2));
    expect(one).toMatchObject({ negativeRatings: 1 });
    const both = countRating(two, one ?? NO_COUNTS, rate(" bad "));
    expect(both).toMatchObject({ negativeRatings: 2 });
    const judgement = judged(two, turn(HELPED, HELPED), both ?? NO_COUNTS);
    expect(judgement).toMatchObject({ reason: "negative-ratings", answer: 1 });
    expect(judged(two, turn(HELPED), resetSettled(judgement.counts)).reason).toBeNull();
  });

  test("end with any other rating", () => {
    const one = countRating(two, NO_COUNTS, rate("2"));
    expect(one).toMatchObject({ negativeRatings: 1 });
    expect(countRating(two, one ?? NO_COUNTS, rate("1"))).toMatchObject({ negativeRatings: 0 });
  });

  test.each([
    encode({ type: "click", data: { code: "c-1", value: 2 } }),
    encode({ type: "rate", data: { code: "r-1" } }),
    encode({ type: "rate" }),
    encode({ type: "rate", data: { value: [2] } }),
    encode("[2]"),
    encode("not JSON"),
    Uint8Array.of(0xff, 0xfe),
  ])("are not counted from another event", (body) => {
    expect(countRating(two, NO_COUNTS, body)).toBeNull();
  });
});

test("a conversation without a row is not reported", () => {
  expect(isQuiet(NO_COUNTS)).toBe(true);
  expect(isQuiet({ ...NO_COUNTS, turns: 9, escalations: 1 })).toBe(true);
  for (const name of ["noResults", "errors", "negativeRatings"] as const) {
    expect(isQuiet({ ...NO_COUNTS, [name]: 1 })).toBe(false);
  }
});

test("judging never throws, whatever the bytes, and counts at most one of each", () => {
  const triggers = { ...DEFAULT_ESCALATION.triggers, errors: 1 };
  fc.assert(
    fc.property(anyTurn, fc.integer(), fc.string(), (response, seed, question) => {
      const facts = readTurn(writeJson(response, seed));
      const { counts, answer } = judged(triggers, facts, NO_COUNTS, { rules: MODERN, question });
      expect(counts.noResults).toBeLessThanOrEqual(1);
      expect(counts.errors).toBeLessThanOrEqual(1);
      expect(counts.turns).toBe(facts === null ? 0 : 1);
      expect(answer).toBeLessThan(facts?.answers.length ?? 0);
    }),
    { numRuns: runs(2_000) },
  );
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      countRating(triggers, NO_COUNTS, bytes);
    }),
  );
});
