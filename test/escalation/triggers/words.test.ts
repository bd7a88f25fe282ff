// Suite: slow
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { TriggerConfig } from "../../../src/config/escalation-config.ts";
import { phrasesIn } from "../../fixtures/phrase-line.ts";
import { RECOGNITION, WORDS } from "../../fixtures/recognition.ts";
import { asksForPerson } from "../../../src/escalation/triggers/words.ts";
import { LOCALES } from "../../../src/locales/shipped.ts";
import { phrasesOf, toSpokenForm } from "../../../src/locales/spoken-form.ts";
import { toSpokenLanguage } from "../../../src/locales/tag.ts";
import { LANGUAGES } from "../../locales/tables/languages.ts";
import { cpuTime } from "../../fixtures/cpu-time.ts";
import { only } from "../bodies.ts";
import { anyText } from "../../fixtures/runs.ts";

const OURS = only({ words: true });

test("a word that is typed over and over, or with letters too many, asks for a person", () => {
  for (const [text, language] of [
    ["agent agent AGENT!", "en"],
    ["人工人工人工", "zh"],
    ["aggent, now", "en"],
    ["נציגגג", "he"],
  ] as const)
    expect([text, asksForPerson(OURS, RECOGNITION, text, language)]).toEqual([text, true]);
});

test("polite words within a request, spelling by ear and a complaint about the bot before it change nothing", () => {
  for (const [text, language] of [
    ["can i just please talk maybe to a human", "en"],
    ["kann ich mal bitte mit jetzt einem Menschen reden", "de"],
    ["wanna tlk w sum1", "en"],
    ["jveux parlé a un conseiller", "fr"],
    ["хачу поговорить с аператором", "ru"],
    ["this bot is useless I want a human", "en"],
    ["Der Bot nervt ich will einen Menschen", "de"],
    ["bot nic nie rozumie chce czlowieka", "pl"],
  ] as const)
    expect([text, asksForPerson(OURS, RECOGNITION, text, language)]).toEqual([text, true]);
  for (const [text, language] of [
    ["is the bot a person", "en"],
    ["the bot said a person would write", "en"],
    ["der Bot sagte ein Mensch schreibt mir", "de"],
    ["please do not talk maybe to anyone", "en"],
  ] as const)
    expect([text, asksForPerson(OURS, RECOGNITION, text, language)]).toEqual([text, false]);
});

test("a request that mixes listed ones asks for a person, and a sentence of other words does not", () => {
  for (const [text, language] of [
    ["could I maybe get put through to someone in your support team for a chat", "en"],
    ["könnte ich vielleicht einmal direkt mit einem Ihrer Kollegen chatten", "de"],
    ["je souhaite vite être mis en relation avec un de vos conseillers", "fr"],
    ["szeretnék végre egy igazi kollégával csevegni", "hu"],
  ] as const)
    expect([text, asksForPerson(OURS, RECOGNITION, text, language)]).toEqual([text, true]);
  for (const [text, language] of [
    ["the agent said someone would call", "en"],
    ["are your agents real people", "en"],
    ["I don't want to talk to a human", "en"],
    ["mein Kollege hat mit Ihnen gesprochen", "de"],
    ["mon conseiller est en vacances", "fr"],
    ["su asesor me llamó ayer", "es"],
  ] as const)
    expect([text, asksForPerson(OURS, RECOGNITION, text, language)]).toEqual([text, false]);
  const text = "könnte ich vielleicht einmal direkt mit einem Ihrer Kollegen chatten";
  expect(asksForPerson(only({}), RECOGNITION, text, "de")).toBe(false);
});

test("a callback is a request for a person, with a number too; other calls are none", () => {
  for (const [text, language] of [
    ["Please call me back on +44 20 7946 0000", "en"],
    ["bitte um Rückruf unter 0171 2345678", "de"],
    ["appelez-moi au 06.12.34.56.78", "fr"],
    ["передзвоніть мені на номер 067 123 45 67", "uk"],
    ["電話ください", "ja"],
  ] as const)
    expect([text, asksForPerson(OURS, RECOGNITION, text, language)]).toEqual([text, true]);
  for (const [text, language] of [
    ["call me a taxi", "en"],
    ["the courier called me twice on 0171 2345678", "en"],
    ["0171 2345678", "en"],
    ["rufen Sie mir ein Taxi", "de"],
    ["больше мне не звоните", "ru"],
  ] as const)
    expect([text, asksForPerson(OURS, RECOGNITION, text, language)]).toEqual([text, false]);
});

/**
 * Texts as readers type them: some ask for a person, and some contain such words with another
 * meaning.
 */
const typed = Object.keys(WORDS).map((language) => {
  const { asksForPerson: asks = [], asksForNobody: means = [] } = LANGUAGES.get(language) ?? {};
  return { language, asks, means };
});

test("every language that has words has sentences in test/locales/languages", () => {
  expect(typed.filter(({ asks, means }) => asks.length === 0 || means.length === 0)).toEqual([]);
});

describe.each(typed)("in $language", ({ language, asks, means }) => {
  test.each(asks)("a person is asked for by: %s", (text) => {
    expect(asksForPerson(OURS, RECOGNITION, text, language)).toBe(true);
    expect(
      asksForPerson(OURS, RECOGNITION, `  ${text.toLocaleUpperCase(language)} !`, language),
    ).toBe(true);
    expect(asksForPerson(only({}), RECOGNITION, text, language)).toBe(false);
  });

  test.each(means)("a person is not asked for by: %s", (text) => {
    expect(asksForPerson(OURS, RECOGNITION, text, language)).toBe(false);
  });

  test("each phrase that asks by itself is a request, and so is each with each word for a person", () => {
    const words = WORDS[language]?.person;
    const [person = ""] = phrasesOf(words?.person ?? "");
    const lines = [...phrasesOf(words?.ask ?? ""), ...phrasesOf(words?.alone ?? "")];
    for (const phrase of lines.flatMap((line) => phrasesIn(line, 50))) {
      expect([
        phrase,
        asksForPerson(OURS, RECOGNITION, phrase.replace("~", person), language),
      ]).toEqual([phrase, true]);
    }
    for (const one of phrasesOf(words?.person ?? "").flatMap((line) => phrasesIn(line, 50))) {
      const [ask = ""] = phrasesOf(words?.ask ?? "");
      expect(asksForPerson(OURS, RECOGNITION, ask.replace("~", one), language)).toBe(true);
    }
  });

  test("no line stands twice in one list", () => {
    for (const list of Object.values(WORDS[language]?.person ?? {})) {
      const lines = String(list).split("\n").filter(Boolean);
      const phrases = lines.map((phrase) => {
        const start = phrase.startsWith("…") ? "…" : "";
        const rest = phrase.endsWith("…") ? "…" : "";
        return start + toSpokenForm(phrase.replace("~", "zz"), language) + rest;
      });
      expect(phrases.filter((phrase, index) => phrases.indexOf(phrase) !== index)).toEqual([]);
      expect(phrases).not.toContain("");
    }
  });
});

describe("the owner's own words", () => {
  const more = (moreWords: TriggerConfig["moreWords"]): TriggerConfig => only({ moreWords });

  test("are understood in their language, its regions, and everywhere under *", () => {
    const triggers = more({ pt: ["falar com humano"], "*": ["SOS!"] });
    expect(asksForPerson(triggers, RECOGNITION, "Falar com humano.", "pt")).toBe(true);
    expect(asksForPerson(triggers, RECOGNITION, "falar com humano", "pt-BR")).toBe(true);
    expect(asksForPerson(triggers, RECOGNITION, "falar com humano", "es")).toBe(false);
    expect(asksForPerson(triggers, RECOGNITION, "sos", "xx")).toBe(true);
    expect(asksForPerson(triggers, RECOGNITION, "sos signal", "xx")).toBe(false);
  });

  test("of a region are understood there alone", () => {
    const triggers = more({ "pt-BR": ["atendente"] });
    expect(asksForPerson(triggers, RECOGNITION, "atendente", "pt-BR")).toBe(true);
    expect(asksForPerson(triggers, RECOGNITION, "atendente", "pt")).toBe(false);
  });

  test("stand among the language's own words around them", () => {
    const triggers = { ...more({ en: ["talk to Bob"] }), words: true };
    expect(asksForPerson(triggers, RECOGNITION, "Hi, can I talk to Bob please", "en")).toBe(true);
    expect(asksForPerson(triggers, RECOGNITION, "talk to Bobby", "en")).toBe(false);
  });

  test("are text and no pattern, and an empty one is none", () => {
    const triggers = more({ en: [".*", "a(", "~"], "*": ["…"] });
    for (const text of ["hello", "", "a human"])
      expect(asksForPerson(triggers, RECOGNITION, text, "en")).toBe(false);
    expect(asksForPerson(triggers, RECOGNITION, "a(", "en")).toBe(true);
  });
});

test("every shipped table has words, and a regional tag those of its language", () => {
  expect(LOCALES.filter((tag) => WORDS[toSpokenLanguage(tag)] === undefined)).toEqual([]);
  expect(asksForPerson(OURS, RECOGNITION, "quero falar com um atendente", "pt-BR")).toBe(true);
  expect(asksForPerson(OURS, RECOGNITION, "轉真人客服", "zh-Hant")).toBe(true);
  expect(asksForPerson(OURS, RECOGNITION, "eg vil snakke med ein person", "nn-NO")).toBe(true);
});

test("a language without words has none but the owner's", () => {
  expect(asksForPerson(OURS, RECOGNITION, "agent", "xx")).toBe(false);
  expect(asksForPerson(OURS, RECOGNITION, "I want to talk to a human", "xx")).toBe(false);
});

test("no text without a request for a person or an option is one", () => {
  expect(asksForPerson(OURS, RECOGNITION, null, "en")).toBe(false);
  expect(asksForPerson(OURS, RECOGNITION, "", "en")).toBe(false);
});

test("any text is read in time, and an unrelated word in front of a wish removes it", async () => {
  const languages = fc.constantFrom(...Object.keys(WORDS), "xx");
  fc.assert(
    fc.property(anyText(), languages, (text, language) => {
      asksForPerson(OURS, RECOGNITION, text, language);
    }),
  );
  const word = fc.stringMatching(/^[bcdfg]{5}$/);
  fc.assert(
    fc.property(word, (odd) => {
      expect(asksForPerson(OURS, RECOGNITION, `${odd} talk to a human`, "en")).toBe(false);
      expect(asksForPerson(OURS, RECOGNITION, `talk to a human ${odd}`, "en")).toBe(false);
    }),
  );
  for (const text of ["i want to ", "can i just ", "please "]) {
    const long = text.repeat(10_000);
    expect(await cpuTime(() => asksForPerson(OURS, RECOGNITION, long, "en"))).toBeLessThan(1000);
  }
});
