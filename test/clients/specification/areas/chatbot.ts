import {
  calls,
  causes,
  checks,
  choices,
  decided,
  defaults,
  direct,
  engine,
  flags,
} from "../files.ts";
import {
  forms,
  http,
  message,
  presets,
  published,
  recognized,
  related,
  submission,
} from "../files.ts";
import { section, testsOf } from "../rows.ts";
import type { Reference, Row } from "../rows.ts";

const cause = causes("$name: $returnedWhen");
const words = flags(
  "have the specification's English texts, but for the two that it only describes",
);
const customized = presets("is that content, without the flag");
const known = flags("say which can be customized and which have default content");
const hidden = direct("welcome and no-results come without their flag, known by title");
const tooLong = direct("256 code points of %s pass and 257 are too many");
const engineTexts = testsOf("locales/engine-texts.test.ts");
const tables = testsOf("locales/tables.test.ts");

/** A row of the table of flags: its cause, and its text. */
const flag = (
  name: string,
  when: string,
  ...further: readonly Reference[]
): readonly [string, string, ...Reference[]] => [`flag.${name}`, when, cause, words, ...further];

/** seed.md 8. */
export const CHATBOT: readonly Row[] = [
  ...section("8.1", [
    [
      "chatbot.message",
      "POST /conversation/message answers a preset with its flag",
      cause,
      http("a client that follows apis.chatbot gets through a whole conversation"),
    ],
    [
      "chatbot.message-rest",
      "silent on the other fields: ours are published, and every answer of the tests is held against them",
      engine("carry the whole shape, related contents and their title"),
      published(
        "shows nested fields by their path, with type, values and whether they must be there",
      ),
    ],
  ]),
  ...section("8.2", [
    ["chatbot.flag", "an answer's flag names the preset answer", cause],
    [
      "chatbot.replace",
      "whoever integrates it may know the flag and say something else",
      decided("with %s gets our text and keeps everything else"),
      decided("with a flag says our words, whatever the flags of the answer around it"),
      message("replaces the text and nothing else of the answer"),
    ],
    flag(
      "all-options-discarded",
      "no to every check question of a set",
      checks("a no to every one is all-options-discarded"),
    ),
    flag("character-limit-exceeded", "the message is too long; described, not quoted", tooLong),
    flag(
      "conversation-error-message",
      "a direct call failed; described, not quoted",
      calls("%s has no target: conversation-error-message"),
    ),
    flag(
      "end-form",
      "a form without a webhook is finished",
      forms("follows its content's answer, asks field by field, and ends with its actions"),
      submission("accepts, and neither it nor the bot master has a message: end-form"),
    ),
    flag(
      "follow-up-question",
      "a form was cancelled",
      forms("ends with the same words and the same flag when it is left before any error"),
    ),
    flag(
      "form-continue",
      "after the words about a wrong field",
      forms("answers an invalid value with an error, and asks whether to go on"),
      forms(
        "answers a value that is never valid with form-continue each time, and does not end by itself",
      ),
    ),
    flag(
      "form-retry",
      "the webhook names fields to be put right",
      forms("an invalid field of the form is form-retry; yes asks it again and submits again"),
    ),
    flag(
      "generic-error-message",
      "a field's value is wrong, and nobody wrote words for it",
      forms("the bot master's own error message has no flag"),
    ),
    flag(
      "multiple-options",
      "chained content has options, or several results one of which has no check question",
      choices(
        "one of them without a check question: all are offered, with the flag multiple-options",
      ),
      choices("says its answer, then offers all of its options"),
      choices("with a single option it asks with its own last text, and has no flag"),
      choices("no more are offered at once than the client shows, and a no brings the others"),
    ),
    flag(
      "no-question",
      "nothing was said, and the welcome was given before",
      direct("an empty first message is the welcome, the next empty one asks for a question"),
      direct(
        "a first question is not welcomed, and the first empty message after it shows the welcome",
      ),
    ),
    flag("no-results", "nothing fits", direct("nothing found is no-results")),
    flag(
      "no-subset-match",
      "the message is none of the options",
      choices("is answered no-subset-match, and what it asks for follows"),
    ),
    flag(
      "refinement",
      "too much fits",
      choices("too many to choose from: refinement, which offers nothing"),
    ),
    flag(
      "webhook-bad-request",
      "a webhook's response is not valid",
      forms("a refusal that names no field is webhook-bad-request"),
    ),
    flag(
      "webhook-wrong-field",
      "a webhook names a field that the form does not have; it is over then",
      forms("an invalid field that the form does not have is webhook-wrong-field"),
    ),
    flag(
      "welcome",
      "the first message of a conversation",
      direct("an empty first message is the welcome, the next empty one asks for a question"),
    ),
    ["flag.all-16", "these sixteen", flags("hold the 16 of the specification, in its order")],
    [
      "flag.customizable-all-options-discarded",
      "all-options-discarded can be customized",
      customized,
      known,
    ],
    [
      "flag.customizable-follow-up-question",
      "follow-up-question can be customized",
      customized,
      known,
    ],
    ["flag.customizable-no-question", "no-question can be customized", customized, known],
    ["flag.customizable-no-results", "no-results can be customized", customized, known],
    ["flag.customizable-welcome", "welcome can be customized", customized, known],
    [
      "flag.conversation-link",
      "follow-up-question had another name before",
      flags("of old is the flag it became"),
      decided("is known by the flag's old name, which stays"),
    ],
    ["chatbot.rule-1", "a customized direct answer has no flag", customized],
    [
      "chatbot.rule-2-since",
      "instances since the fourth quarter of 2018 have default content for three of them",
      defaults("of an instance created on %s is %j"),
      defaults("exists for three flags only"),
    ],
    [
      "chatbot.rule-2-active",
      "while it is active those flags do not come",
      hidden,
      presets("hides all-options-discarded behind its title"),
      presets("hides no other flag"),
      recognized("is not looked for when the instance's is inactive"),
    ],
    [
      "chatbot.rule-3-flag",
      "the related-contents line has no flag",
      engine("carry the whole shape, related contents and their title"),
    ],
    [
      "chatbot.rule-3-path",
      "it stands at parameters/contents/related/relatedTitle",
      engine("carry the whole shape, related contents and their title"),
      related("is not looked for beyond a missing or other level: %s"),
    ],
    [
      "chatbot.rule-3-text",
      "its default English text",
      engine("carry the whole shape, related contents and their title"),
    ],
    [
      "chatbot.rule-3-override",
      "replacing it overrides it",
      related("is replaced with and without flags: %j"),
      related("of an answer inside an answer is replaced"),
    ],
    [
      "chatbot.rule-3-when",
      "it comes when a content has related contents",
      engine("have no related part when a content has no related contents"),
      related("that is empty is written where related contents follow it, and stays where none do"),
    ],
    [
      "chatbot.rule-4",
      "thirty languages",
      engineTexts("exist in every shipped language, with every key"),
      tables("are one for each shipped locale: at least 30 languages and two regions"),
      direct("a conversation in %j is held in the language that this means"),
    ],
  ]),
  ...section("8.3", [
    [
      "chatbot.errors-rule-1",
      "seven kinds of trouble are told by a flag, not by a status",
      cause,
      tooLong,
    ],
    ["chatbot.errors-rule-2", "more than 256 characters is character-limit-exceeded", tooLong],
  ]),
];
