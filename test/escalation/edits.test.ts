// Suite: slow
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { composeAnswer, composeResponse } from "../../src/escalation/answers.ts";
import {
  appendAnswers,
  sortEdits,
  silenceEscalation,
  signalEscalation,
} from "../../src/escalation/edits.ts";
import { readTurn, type TurnFacts } from "../../src/escalation/triggers/facts.ts";
import { splice } from "../../src/json/splice.ts";
import { writeJson } from "../fixtures/json-writer.ts";
import { anyTurn } from "./any-turn.ts";
import { decode, encode, parse } from "./bodies.ts";
import { runs } from "../fixtures/runs.ts";

type Json = Record<string, unknown>;

function read(bytes: Uint8Array): TurnFacts {
  const facts = readTurn(bytes);
  if (facts === null) throw new Error("this is no turn");
  return facts;
}

/** The answer objects of a parsed response that is a turn. */
function answersIn(value: unknown): unknown[] {
  const root = value as Json;
  return Object.hasOwn(root, "answers") ? (root["answers"] as unknown[]) : [root];
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

describe("signalEscalation", () => {
  const signalled = (answer: string): string => {
    const bytes = encode(`{"answers":[${answer}]}`);
    return decode(splice(bytes, signalEscalation(bytes, read(bytes), 0))).slice(12, -2);
  };

  test.each([
    ["{}", '{"flags":["escalate"]}'],
    ["{ }", '{"flags":["escalate"] }'],
    ['{"message":"a"}', '{"flags":["escalate"],"message":"a"}'],
    ['{"flags":null}', '{"flags":["escalate"]}'],
    ['{"flags":[ ]}', '{"flags":["escalate" ]}'],
    ['{"flags":["no-results" ]}', '{"flags":["no-results","escalate" ]}'],
    ['{"flags":[7]}', '{"flags":[7,"escalate"]}'],
  ])("makes of %s %s", (answer, expected) => {
    expect(signalled(answer)).toBe(expected);
    expect(signalled(expected)).toBe(expected);
  });

  test.each(['{"flags":"escalate"}', '{"flags":{}}', '{"flags":true}', "3"])(
    "leaves %s alone",
    (answer) => {
      expect(signalled(answer)).toBe(answer);
    },
  );

  test.each([
    ['{"answers":[{"flags":["\\u0065scalate"]}]}', 0],
    ['{"answers":[{"flags":0}]}', 0],
    ['{"answers":[]}', -1],
    ['{"answers":[{}]}', 1],
  ])("has no edit for %s, answer %i", (body, answer) => {
    const bytes = encode(body);
    expect(signalEscalation(bytes, read(bytes), answer)).toEqual([]);
  });

  test("signals in a bare answer", () => {
    const bytes = encode('{"message":"bare"}');
    expect(signalEscalation(bytes, read(bytes), 0)).toHaveLength(1);
  });

  test("changes one element of one array and nothing else, and not twice", () => {
    fc.assert(
      fc.property(anyTurn, fc.integer(), fc.nat(2), (response, seed, index) => {
        const bytes = writeJson(response, seed);
        const facts = readTurn(bytes);
        if (facts === null) return;
        const edits = signalEscalation(bytes, facts, index);
        const result = splice(bytes, edits);
        const expected = parse(bytes);
        if (edits.length > 0) {
          const answer = answersIn(expected)[index] as Json;
          const flags = (answer["flags"] ?? []) as unknown[];
          answer["flags"] = [...flags, "escalate"];
        } else expect(result).toBe(bytes);
        expect(parse(result)).toEqual(expected);
        expect(signalEscalation(result, read(result), index)).toEqual([]);
      }),
      { numRuns: runs(3_000) },
    );
  });
});

describe("quietEscalation", () => {
  const callbacks = ["escalationStart", "escalateToAgent"];
  const quiet = (body: string): string => {
    const bytes = encode(body);
    return decode(splice(bytes, silenceEscalation(bytes, read(bytes), callbacks)));
  };

  test.each([
    ['{"flags":["escalate"]}', '{"flags":[]}'],
    ['{"flags":[ "escalate" ]}', '{"flags":[  ]}'],
    ['{"flags":["escalate" , "no-rating"]}', '{"flags":["no-rating"]}'],
    ['{"flags":["a" , "escalate","b"]}', '{"flags":["a","b"]}'],
    ['{"flags":["a", "escalate" , "escalate" ]}', '{"flags":["a" ]}'],
    ['{"flags":["escalate", "escalate"]}', '{"flags":[]}'],
    ['{"flags":["a"]}', '{"flags":["a"]}'],
    ['{"flags":null}', '{"flags":null}'],
    [
      '{"flags":[],"actions":[{"parameters":{"callback":"escalationStart"}},{"parameters":{"callback":"x"}}]}',
      '{"flags":[],"actions":[{"parameters":{"callback":"x"}}]}',
    ],
  ])("makes of %s %s", (body, expected) => {
    expect(quiet(body)).toBe(expected);
  });

  test("takes away what it is asked to, wherever it stands, and keeps all else", () => {
    let edited = 0;
    fc.assert(
      fc.property(anyTurn, fc.integer(), (response, seed) => {
        const bytes = writeJson(response, seed);
        const facts = readTurn(bytes);
        if (facts === null) return;
        const edits = silenceEscalation(bytes, facts, callbacks);
        if (edits.length > 0) edited++;
        const expected = parse(bytes);
        for (const answer of answersIn(expected).filter(isObject)) {
          const { flags, actions } = answer;
          if (Array.isArray(flags)) answer["flags"] = flags.filter((flag) => flag !== "escalate");
          if (Array.isArray(actions))
            answer["actions"] = actions.filter((one) => !isEscalation(one));
        }
        expect(parse(splice(bytes, sortEdits(edits)))).toEqual(expected);
      }),
      { numRuns: runs(3_000) },
    );
    expect(edited).toBeGreaterThan(runs(300));
  });

  function isEscalation(action: unknown): boolean {
    const parameters = isObject(action) ? action["parameters"] : null;
    return isObject(parameters) && callbacks.includes(String(parameters["callback"]));
  }
});

describe("appendAnswers", () => {
  const one = composeAnswer({ text: "One" });
  const two = composeAnswer({ text: "Two" });

  test("puts answers behind the engine's, and an answer alone into a list", () => {
    const added = (body: string): string => {
      const bytes = encode(body);
      return decode(splice(bytes, appendAnswers(read(bytes), ["1", "2"])));
    };
    expect(added('{"answers":[],"a":0}')).toBe('{"answers":[1,2],"a":0}');
    expect(added('{"answers":[ {} ]}')).toBe('{"answers":[ {},1,2 ]}');
    expect(added(' {"message":"a"}\n')).toBe(' {"answers":[{"message":"a"},1,2]}\n');
    expect(added('\ufeff{"flags":[]}')).toBe('\ufeff{"answers":[{"flags":[]},1,2]}');
  });

  test("can be combined with the other edits, whatever the turn", () => {
    fc.assert(
      fc.property(anyTurn, fc.integer(), fc.nat(2), (response, seed, count) => {
        const bytes = writeJson(response, seed);
        const facts = readTurn(bytes);
        if (facts === null) return;
        const answers = [one, two].slice(0, count);
        const quiet = silenceEscalation(bytes, facts, ["escalationStart"]);
        const edits = sortEdits([...quiet, ...appendAnswers(facts, answers)]);
        const before = answersIn(parse(splice(bytes, sortEdits(quiet))));
        const after = answersIn(parse(splice(bytes, edits)));
        expect(after).toEqual([...before, ...answers.map((answer): unknown => JSON.parse(answer))]);
        if (count === 0 && quiet.length === 0) expect(splice(bytes, edits)).toBe(bytes);
      }),
      { numRuns: runs(2_000) },
    );
  });
});

test("a composed response is a turn", () => {
  const answers = [composeAnswer({ text: "One" }), composeAnswer({ text: "Two" })];
  expect(read(encode(composeResponse(answers))).answers).toHaveLength(2);
  expect(composeResponse([])).toBe('{"answers":[]}');
});
