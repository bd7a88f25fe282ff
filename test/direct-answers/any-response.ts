import * as fc from "fast-check";
import { FLAGS } from "../../src/direct-answers/flags.ts";
import { anyJson } from "../fixtures/any-json.ts";

const ODD = [
  "",
  "a",
  "flags",
  "relatedTitle",
  "\u2028",
  "\ud83d\ude00",
  '"flags":["welcome"]',
  "<b>&</b>",
  "__proto__",
  "no-results",
  "Sorry, nothing.",
  " SORRY, nothing.\n",
  "De\u0301sole\u0301, rien.",
  "R\u00c9SUM\u00c9",
];
const text = fc.oneof(fc.string({ unit: "grapheme", maxLength: 12 }), fc.constantFrom(...ODD));
const junk = fc.oneof(
  { depthSize: "small" },
  fc.constantFrom(null, true, false, 0, -1.5e300, [], {}),
  text,
  anyJson,
);
const title = fc.oneof(
  fc.constantFrom(
    "No Results",
    " no results",
    "NO RESULTS\n",
    "Hello",
    "Something else",
    "Kein Ergebnis",
    "\u212a",
    "ＫK",
    "RÉSUMÉ",
    "re\u0301sume\u0301",
    "constructor",
  ),
  junk,
);
const flag = fc.oneof(
  fc.constantFrom(...FLAGS, "conversation-link", "escalate", "no-rating", "NO-RESULTS", "toString"),
  junk,
);
const flags = fc.oneof(
  { weight: 6, arbitrary: fc.array(flag, { maxLength: 4 }) },
  { weight: 3, arbitrary: fc.constant([]) },
  { weight: 1, arbitrary: junk },
);
const optional = { requiredKeys: [] as [] };

const parameters = fc.record(
  {
    contents: fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record(
          {
            title,
            related: fc.oneof(
              {
                weight: 4,
                arbitrary: fc.record(
                  {
                    relatedTitle: fc.oneof(text, junk),
                    relatedContents: fc.oneof(fc.array(junk, { maxLength: 3 }), junk),
                  },
                  optional,
                ),
              },
              { weight: 1, arbitrary: junk },
            ),
          },
          optional,
        ),
      },
      { weight: 1, arbitrary: junk },
    ),
  },
  optional,
);

const attributes = fc.oneof(
  { weight: 3, arbitrary: fc.record({ inbMainTitle: title, title }, optional) },
  { weight: 1, arbitrary: junk },
);
const fields = {
  message: fc.oneof({ weight: 4, arbitrary: text }, { weight: 1, arbitrary: junk }),
  messageList: fc.oneof(
    {
      weight: 4,
      arbitrary: fc.array(
        fc.oneof({ weight: 4, arbitrary: text }, { weight: 1, arbitrary: junk }),
        { maxLength: 3 },
      ),
    },
    { weight: 1, arbitrary: junk },
  ),
  flags,
  options: fc.oneof(fc.array(junk, { maxLength: 3 }), junk),
  attributes,
  parameters: fc.oneof({ weight: 3, arbitrary: parameters }, { weight: 1, arbitrary: junk }),
};
const subAnswers = fc.array(
  fc.oneof({ weight: 6, arbitrary: fc.record(fields, optional) }, { weight: 1, arbitrary: junk }),
  { maxLength: 2 },
);

/** An answer as an engine might send it, or nearly. */
export const anyAnswer: fc.Arbitrary<unknown> = fc.record(
  {
    ...fields,
    type: text,
    subAnswers: fc.oneof({ weight: 4, arbitrary: subAnswers }, { weight: 1, arbitrary: junk }),
  },
  optional,
);

/** A response of the message route: several answers, a bare one, or something else. */
export const anyResponse: fc.Arbitrary<unknown> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record(
      {
        answers: fc.array(
          fc.oneof({ weight: 8, arbitrary: anyAnswer }, { weight: 1, arbitrary: junk }),
          { maxLength: 3 },
        ),
        more: junk,
      },
      { requiredKeys: ["answers"] },
    ),
  },
  { weight: 2, arbitrary: anyAnswer },
  { weight: 1, arbitrary: fc.record({ answers: junk }) },
  { weight: 1, arbitrary: junk },
);
