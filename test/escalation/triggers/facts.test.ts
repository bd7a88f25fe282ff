import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { answerOptions, answerTexts, readTurn } from "../../../src/escalation/triggers/facts.ts";
import { writeJson } from "../../fixtures/json-writer.ts";
import { anyTurn } from "../any-turn.ts";
import { encode, turn } from "../bodies.ts";
import { runs } from "../../fixtures/runs.ts";

describe("readTurn", () => {
  test("reads the signs of a hand-over in an answer", () => {
    const facts = turn({
      type: "polarQuestion",
      flags: ["escalate", 3, "no-rating"],
      attributes: { DIRECT_CALL: "escalationOffer", ESCALATE: true, Topic: "Billing", n: 1, o: {} },
      options: [
        { label: "Yes", value: 1, attributes: { DYNAMIC_REDIRECT: "escalationStart" } },
        { label: "No", value: 2 },
      ],
      actions: [{ parameters: { callback: "escalateToAgent", data: {} } }, { parameters: null }],
      intent: { type: "AIML", score: 1.15 },
      parameters: { contents: { title: "Talk" } },
    });
    expect(facts.kind).toBe("answers");
    expect(facts.answers[0]).toMatchObject({
      type: "polarQuestion",
      flags: ["escalate", "no-rating"],
      directCalls: ["escalationOffer", "escalationStart"],
      callbacks: ["escalateToAgent"],
      titles: ["Talk"],
      score: 1.15,
    });
    expect(Object.fromEntries(facts.answers[0]?.attributes ?? [])).toEqual({
      direct_call: "escalationOffer",
      escalate: "true",
      topic: "Billing",
      n: "1",
    });
  });

  test("does not take one of several options for an offer", () => {
    const options = [
      { label: "A person", value: 1, attributes: { DIRECT_CALL: "escalationStart" } },
    ];
    expect(turn({ type: "multipleChoiceQuestion", options }).answers[0]?.directCalls).toEqual([]);
  });

  test("reads only a response with answers as a turn", () => {
    const facts = readTurn(encode({ message: "Hello", flags: ["welcome"] }));
    expect(facts).toMatchObject({ kind: "bare", list: null, answers: [{ flags: ["welcome"] }] });
  });

  test.each([
    '{"errors":[{"code":400,"message":"Session expired"}]}',
    '{"answers":null}',
    "[]",
    "null",
    "",
    '{"answers":[',
  ])("does not read %s as a turn", (body) => {
    expect(readTurn(encode(body))).toBeNull();
  });

  test("keeps the place of an element that is not an answer", () => {
    const facts = turn(null, { flags: ["no-results"] });
    expect(facts.answers.map(({ flags }) => flags)).toEqual([[], ["no-results"]]);
  });

  test("never throws, whatever the bytes", () => {
    fc.assert(
      fc.property(anyTurn, fc.integer(), fc.nat(), fc.nat(255), (response, seed, where, byte) => {
        const bytes = writeJson(response, seed);
        for (const body of [
          bytes,
          bytes.with(where % bytes.length, byte),
          bytes.slice(where % 9),
        ]) {
          const facts = readTurn(body);
          if (facts === null) continue;
          expect(answerTexts(body, facts)).toHaveLength(facts.answers.length);
          answerOptions(body, facts);
        }
      }),
      { numRuns: runs(2_000) },
    );
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        readTurn(bytes);
      }),
    );
  });
});

describe("the words of an answer", () => {
  const texts = (...answers: readonly unknown[]): readonly string[] =>
    answerTexts(encode({ answers }), turn(...answers));

  test("are its message, or its list where there is none, and the labels of its options", () => {
    expect(texts({ message: "Hi", messageList: ["Hi"] })).toEqual(["Hi"]);
    expect(texts({ message: "", messageList: ["One", "Two", 3] })).toEqual(["One\nTwo"]);
    expect(texts({ message: "Which?", options: [{ label: "A" }, { label: "" }, 4] })).toEqual([
      "Which?\n- A",
    ]);
    expect(texts({ message: null }, 7)).toEqual(["", ""]);
  });

  test("have options with values as a client sends them back", () => {
    const answer = {
      options: [{ label: "A", value: 12 }, { label: "B", value: "b" }, { label: "C" }],
    };
    expect(answerOptions(encode({ answers: [answer] }), turn(answer))).toEqual([
      { value: "12", label: "A" },
      { value: "b", label: "B" },
    ]);
  });
});
