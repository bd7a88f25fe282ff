import * as fc from "fast-check";
import { FLAGS } from "../../src/direct-answers/flags.ts";
import { anyJson } from "../fixtures/any-json.ts";

const junk = fc.oneof(
  { depthSize: "small" },
  fc.constantFrom(null, true, false, 0, -1.5e300, "", [], {}, "escalate"),
  anyJson,
);
const optional = { requiredKeys: [] as [] };

/** Usually the intended kind of value, sometimes anything. */
function mostly<Value>(meant: fc.Arbitrary<Value>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 5, arbitrary: meant }, { weight: 1, arbitrary: junk });
}

const word = fc.constantFrom("Hello", "a <b>b</b>", "", "é", "\ud83d\ude00", "aw:yes:1");
const call = fc.constantFrom(
  "escalationStart",
  "escalationOffer",
  "ESCALATIONSTART",
  "sys-welcome",
);
const attributes = fc.record(
  {
    DIRECT_CALL: mostly(call),
    DYNAMIC_REDIRECT: mostly(call),
    ESCALATE: mostly(fc.constantFrom("TRUE", "true", "FALSE", true)),
    inbMainTitle: mostly(fc.constantFrom("No Results", "Prices", "PRIORITÉ", " no results ")),
    Topic: mostly(fc.constantFrom("Billing", "BILLING", "x")),
    __proto__x: word,
  },
  optional,
);
const action = fc.record(
  {
    parameters: mostly(
      fc.record(
        {
          callback: mostly(fc.constantFrom("escalationStart", "escalateToAgent", "customTrigger")),
          data: junk,
        },
        optional,
      ),
    ),
    type: word,
  },
  optional,
);

/** One answer that is, or nearly is, what an engine might send. */
export const anyTurnAnswer: fc.Arbitrary<unknown> = fc.record(
  {
    type: mostly(fc.constantFrom("answer", "polarQuestion", "multipleChoiceQuestion")),
    message: mostly(word),
    messageList: mostly(fc.array(mostly(word), { maxLength: 3 })),
    flags: mostly(
      fc.array(mostly(fc.constantFrom(...FLAGS, "escalate", "no-rating", "Escalate")), {
        maxLength: 4,
      }),
    ),
    options: mostly(
      fc.array(mostly(fc.record({ label: word, value: fc.nat(9), attributes }, optional)), {
        maxLength: 3,
      }),
    ),
    attributes: mostly(attributes),
    actions: mostly(fc.array(mostly(action), { maxLength: 4 })),
    intent: mostly(
      fc.record({ type: word, score: mostly(fc.constantFrom(0.2, 1.1, 0)) }, optional),
    ),
    parameters: mostly(
      fc.record({ contents: mostly(fc.record({ title: word }, optional)) }, optional),
    ),
  },
  optional,
);

/** A response of the message route: several answers, a bare one, or something else. */
export const anyTurn: fc.Arbitrary<unknown> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record(
      { answers: fc.array(mostly(anyTurnAnswer), { maxLength: 3 }), more: junk },
      { requiredKeys: ["answers"] },
    ),
  },
  { weight: 2, arbitrary: anyTurnAnswer },
  { weight: 1, arbitrary: fc.record({ answers: junk }) },
  { weight: 1, arbitrary: junk },
);
