import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRecognition, phrasesOf, withOwnWords } from "../../src/locales/recognition.ts";
import { spokenLanguage } from "../../src/locales/tag.ts";
import { LOCALES } from "../../src/locales/shipped.ts";
import { RECOGNITION, WORDS } from "../fixtures/recognition.ts";
import { LANGUAGES } from "./tables/languages.ts";

const { polarOf, isCancel } = RECOGNITION;

/** Languages that have phrases; test/locales/languages says what their readers type. */
const languages = Object.keys(WORDS);

test("every shipped language has phrases", () => {
  expect(languages.toSorted()).toEqual([...new Set(LOCALES.map(spokenLanguage))].toSorted());
});

describe.each(languages)("in %s", (language) => {
  const { yes = [], no = [], cancel = [], neither = [] } = LANGUAGES.get(language) ?? {};

  test("a phrase for yes, no or leaving is known, and a sentence that holds one is not", () => {
    expect(Math.min(yes.length, no.length, cancel.length, neither.length)).toBeGreaterThan(1);
    expect(yes.map((text) => [text, polarOf(text, language)])).toEqual(
      yes.map((text) => [text, "yes"]),
    );
    expect(no.map((text) => [text, polarOf(text, language)])).toEqual(
      no.map((text) => [text, "no"]),
    );
    expect(cancel.map((text) => [text, isCancel(text, language)])).toEqual(
      cancel.map((text) => [text, true]),
    );
    for (const text of neither) {
      expect([text, polarOf(text, language), isCancel(text, language)]).toEqual([
        text,
        null,
        false,
      ]);
    }
  });

  test("English and the bare keys are understood too", () => {
    expect([polarOf("yes", language), polarOf("no", language)]).toEqual(["yes", "no"]);
    expect(isCancel("cancel", language)).toBe(true);
  });

  test("no phrase means two things", () => {
    const phrases = WORDS[language];
    if (phrases === undefined) throw new Error("no phrases");
    for (const meaning of ["yes", "no", "cancel"] as const) {
      for (const phrase of phrasesOf(phrases[meaning])) {
        const polar = polarOf(phrase, language);
        const read = isCancel(phrase, language) ? "cancel" : polar;
        expect([phrase, read]).toEqual([phrase, meaning]);
      }
    }
  });
});

test("signs, drawn out words, regions and unknown languages are understood", () => {
  expect(polarOf("👍🏽", "fr")).toBe("yes");
  expect(polarOf("👎", "ja")).toBe("no");
  expect(polarOf("siiii", "es")).toBe("yes");
  expect(polarOf("noooo", "en")).toBe("no");
  expect(polarOf("Sim", "pt-BR")).toBe("yes");
  expect(polarOf("nei", "nb")).toBe("no");
  expect(polarOf("yes", "xx")).toBe("yes");
  expect(polarOf("", "en")).toBe(null);
  expect(polarOf("no ".repeat(50), "en")).toBe(null);
});

test("no text and no language make it throw", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string(), (text, language) => {
      expect(["yes", "no", null]).toContain(polarOf(text, language));
      expect(typeof isCancel(text, language)).toBe("boolean");
    }),
  );
});

test("an offer is answered as people answer one", () => {
  for (const text of ["Sure, why not?", "that’s fine", "yes, I would", "please"])
    expect(polarOf(text, "en")).toBe("yes");
  for (const text of ["No, I’m good thanks", "maybe later", "thanks, but no"])
    expect(polarOf(text, "en")).toBe("no");
  expect(polarOf("Ja, das ist in Ordnung", "de")).toBe("yes");
  expect(polarOf("Oui, ça me convient", "fr")).toBe("yes");
  expect(polarOf("大丈夫です", "ja")).not.toBe("yes");
});

describe("an owner's own words", () => {
  const recognition = createRecognition(
    withOwnWords(WORDS, [
      { language: "pt", yes: ["bora lá", "cancelar"], no: ["nem pensar!", "ok"] },
      { language: "fr", yes: ["nope"], person: ["SOS", "stop", "non"] },
      { language: "eo", yes: ["jes"], person: ["homon mi petas"] },
      { language: "eo", no: ["ne"] },
    ]),
  );
  const read = (text: string, language: string): "yes" | "no" | null =>
    recognition.polarOf(text, language);

  test("are understood as Afterword's are, beside them", () => {
    expect([read("Bora lá!", "pt-BR"), read("nem pensar", "pt"), read("sim", "pt")]).toEqual([
      "yes",
      "no",
      "yes",
    ]);
    expect([read("jes", "eo"), read("ne", "eo"), read("yes", "eo")]).toEqual(["yes", "no", "yes"]);
    expect(read("bora lá", "es")).toBe(null);
  });

  test("of two meanings are no answer, not in English either", () => {
    expect([read("ok", "pt"), read("okkk", "pt"), read("ok, ok", "pt")]).toEqual([
      null,
      null,
      null,
    ]);
    expect([read("cancelar", "pt"), recognition.isCancel("cancelar", "pt")]).toEqual([null, false]);
    expect([read("nope", "fr"), read("nope, nope", "fr")]).toEqual([null, null]);
    expect([read("ok", "fr"), read("nope", "es")]).toEqual(["yes", "no"]);
  });

  test("for a person leave out what means something else", () => {
    expect(recognition.personWords("fr").own).toBe("SOS");
    expect(recognition.personWords("fr")).toBe(recognition.personWords("fr"));
    expect(recognition.personWords("de").own).toBe(undefined);
  });

  test("make buttons of a language that Afterword does not know", () => {
    expect(recognition.polarLabels()).toMatchObject({ eo: ["Jes", "Ne"], pt: ["Sim", "Não"] });
  });
});
