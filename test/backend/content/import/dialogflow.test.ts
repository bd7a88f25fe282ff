import { expect, test } from "vitest";
import { readFiles } from "./read.ts";

const says = (...texts: readonly string[]) =>
  texts.map((text) => ({
    id: "x",
    data: text.split("|").map((part) => ({ text: part, userDefined: false })),
    isTemplate: false,
    count: 0,
  }));
const intent = (
  name: string,
  messages: readonly object[],
  more: object = {},
  response: object = {},
) => ({
  id: "x",
  name,
  auto: true,
  contexts: [],
  responses: [{ affectedContexts: [], parameters: [], messages, ...response }],
  fallbackIntent: false,
  events: [],
  ...more,
});
const speech = (lang: string, ...texts: readonly string[]) => ({ type: "0", lang, speech: texts });
const agent = { language: "en", supportedLanguages: ["pt-br"], onePlatformApiVersion: "v2" };

test("an intent becomes a content in the languages of its phrases and answers", () => {
  const { format, contents, synonyms, left } = readFiles({
    "bot/agent.json": agent,
    "bot/package.json": { version: "1.0.0" },
    "bot/intents/hours.json": intent("Hours", [
      { type: 0, lang: "en", speech: "At nine." },
      { type: 3, lang: "en", imageUrl: "https://x.example/a.png" },
      { type: "quick_reply", lang: "en", title: "More?", replies: ["Where are you", "no"] },
      speech("pt-br", "Às nove."),
    ]),
    "bot/intents/hours_usersays_en.json": says("when do |you open", "hours"),
    "bot/intents/hours_usersays_pt-br.json": says("a que horas abre"),
    "bot/intents/place.json": intent("Place", [speech("en", "Here, for $5.")]),
    "bot/intents/place_usersays_en.json": says("where are you"),
    "bot/entities/size_entries_en.json": [
      { value: "small", synonyms: ["small", "little"] },
      { value: "any", synonyms: ["@size:size", "x"] },
    ],
  });
  expect(format).toBe("dialogflow");
  expect(contents).toEqual({
    en: [
      {
        id: 1,
        title: "when do you open",
        alternatives: ["hours"],
        answer: ["At nine.", "More?", '<img src="https://x.example/a.png" alt="">'],
        options: [{ content: 2, label: "Where are you" }],
      },
      { id: 2, title: "where are you", answer: "Here, for $5." },
    ],
    "pt-BR": [{ id: 1, title: "a que horas abre", answer: "Às nove." }],
  });
  expect(synonyms).toEqual([["small", "little"]]);
  expect(left).toEqual(['bot/intents/hours.json: "when do you open" “no”: choice']);
});

test("an agent of api.ai is read, which has phrases and answers in one file", () => {
  const { contents } = readFiles(
    {
      "intents/a.json": { name: "a", userSays: says("a?"), responses: [{ speech: "A." }] },
      "intents/b.json": { name: "b", userSays: says("b?"), responses: [{ speech: ["B.", "C."] }] },
    },
    "es",
  );
  expect(contents["es"]).toEqual([
    { id: 1, title: "a?", answer: "A." },
    { id: 2, title: "b?", answer: "B." },
  ]);
});

test("an agent that has answers for platforms only gives the answer for the first platform", () => {
  const spoken = { type: "simple_response", lang: "en", textToSpeech: "At nine." };
  const written = { type: "0", lang: "en", speech: ["Mill Lane.", "12 Mill Lane."] };
  const { contents, left } = readFiles({
    "agent.json": agent,
    "intents/hours.json": intent("Hours", [
      { ...spoken, platform: "google" },
      { ...spoken, platform: "skype" },
    ]),
    "intents/hours_usersays_en.json": says("when do you open"),
    "intents/where.json": intent("Where", [
      { ...written, platform: "telegram" },
      { ...written, platform: "facebook", speech: ["Mill Lane!"] },
    ]),
    "intents/where_usersays_en.json": says("where are you"),
  });
  expect(contents["en"]).toEqual([
    { id: 1, title: "when do you open", answer: "At nine." },
    { id: 2, title: "where are you", answer: "Mill Lane." },
  ]);
  expect(left).toEqual([
    'intents/hours.json: intent "Hours" “google: At nine.”: channel',
    'intents/hours.json: intent "Hours" “skype: At nine.”: channel',
    'intents/where.json: intent "Where" “telegram: Mill Lane.”: channel',
    'intents/where.json: intent "Where" “facebook: Mill Lane!”: channel',
    'intents/where.json: intent "Where" “12 Mill Lane.”: other-wording',
  ]);
});

test("contents that need a form, a program or a place in a dialog are not shown, and are all listed", () => {
  const google = {
    type: "simple_response",
    platform: "google",
    lang: "en",
    textToSpeech: "Spoken.",
  };
  const { contents, left } = readFiles({
    "agent.json": agent,
    "intents/welcome.json": intent("Welcome", [speech("en", "Hi!")], {
      events: [{ name: "WELCOME" }],
    }),
    "intents/fallback.json": intent("Fallback", [speech("en", "What?", "Hm?")], {
      fallbackIntent: true,
    }),
    "intents/order.json": intent(
      "Order",
      [speech("en", "Thanks.")],
      {},
      {
        parameters: [
          { name: "size", required: true },
          { name: "x", required: false },
        ],
      },
    ),
    "intents/order_usersays_en.json": says("a pizza"),
    "intents/hook.json": intent("Hook", [speech("en", "Later.")], { webhookUsed: true }),
    "intents/hook_usersays_en.json": says("weather"),
    "intents/yes.json": intent("Yes", [speech("en", "Fine.")], { contexts: ["Order-followup"] }),
    "intents/yes_usersays_en.json": [
      ...says("yes"),
      { data: [{ text: "@a:a" }], isTemplate: true },
    ],
    "intents/name.json": intent("Name", [speech("en", "Hi $name", "Hello")]),
    "intents/name_usersays_en.json": says("my name"),
    "intents/voice.json": intent("Voice", [google, { type: 4, lang: "en", payload: {} }]),
    "intents/voice_usersays_en.json": says("speak"),
    "intents/empty.json": intent("Empty", [speech("en")]),
    "intents/empty_usersays_en.json": says("nothing"),
    "entities/zip.json": { name: "zip", isRegexp: true },
    "customSmalltalkResponses_en.json": [{ action: "smalltalk.x", customAnswers: ["y"] }],
  });
  expect(contents["en"]).toEqual([
    { id: 1, title: "a pizza", answer: "Thanks.", published: false },
    { id: 2, title: "weather", answer: "Later.", published: false },
    { id: 3, title: "yes", answer: "Fine.", hidden: true },
    { id: 4, title: "my name", answer: "Hi $name", published: false },
    { id: 5, title: "speak", answer: "Spoken." },
  ]);
  expect(left).toEqual([
    "intents/yes_usersays_en.json: @a:a: template",
    'entities/zip.json: entity "zip": entity',
    "customSmalltalkResponses_en.json: customSmalltalkResponses: 1: small-talk",
    'intents/welcome.json: intent "Welcome" “Hi!”: line',
    'intents/fallback.json: intent "Fallback" “What?”: line',
    'intents/fallback.json: intent "Fallback" “Hm?”: line',
    'intents/order.json: intent "Order" “size”: unpublished-form',
    'intents/hook.json: intent "Hook" “webhook”: unpublished-program',
    'intents/yes.json: intent "Yes" “Order-followup”: hidden',
    'intents/name.json: intent "Name" “Hello”: other-wording',
    'intents/name.json: intent "Name" “$name”: unpublished-value',
    'intents/voice.json: intent "Voice" “google: Spoken.”: channel',
    'intents/voice.json: intent "Voice" “payload”: rich',
    'intents/empty.json: intent "Empty": no-answer',
  ]);
});
