// Suite: slow
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRecognition, withOwnWords } from "../../src/locales/recognition.ts";
import { hasChoice, phrasesOf, toSpokenForm } from "../../src/locales/spoken-form.ts";
import { toSpokenLanguage } from "../../src/locales/tag.ts";
import { LOCALES } from "../../src/locales/shipped.ts";
import { phrasesIn } from "../fixtures/phrase-line.ts";
import { RECOGNITION, WORDS } from "../fixtures/recognition.ts";
import { measure } from "./sentences/measure.ts";
import { LANGUAGES } from "./tables/languages.ts";
import { anyText } from "../fixtures/runs.ts";

const { polarOf, consentOf, isCancel } = RECOGNITION;

/** Languages that have phrases; test/locales/languages says what their readers type. */
const languages = Object.keys(WORDS);

test("every shipped language has phrases", () => {
  expect(languages.toSorted()).toEqual([...new Set(LOCALES.map(toSpokenLanguage))].toSorted());
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

  test("choices stand in pairs of brackets, ~ outside them, and polite words have none", () => {
    const words = WORDS[language];
    if (words === undefined) throw new Error("no words");
    const lists = [...Object.values(words), ...Object.values(words.person)];
    for (const line of lists.flatMap((list) => (typeof list === "string" ? phrasesOf(list) : []))) {
      const rest = line.replaceAll(/\[[^()[\]~…]+\]/g, "").replaceAll(/\([^()[\]~…]+\)/g, "a");
      expect([line, /^[^()[\]|]+$/.test(rest.trim())]).toEqual([line, true]);
    }
    const plain = [words.cancelAlone, words.polite, words.unsure, words.but, words.asking];
    expect(plain.join("")).not.toMatch(/[([]/);
    for (const labels of [words.yes, words.no]) expect(labels).toMatch(/^[^\n([]+\n/);
  });

  test("English and the bare keys are understood too", () => {
    // A Polish or Czech "no" is closer to a yes.
    const no = ["pl", "cs"].includes(language) ? null : "no";
    expect([polarOf("yes", language), polarOf("no", language)]).toEqual(["yes", no]);
    expect(consentOf("no", language)).toBe(no);
    expect(isCancel("cancel", language)).toBe(true);
  });

  test("no phrase means two things, but that a line without choices wins", () => {
    const words = WORDS[language];
    if (words === undefined) throw new Error("no phrases");
    const bare = (text: string): string => toSpokenForm(text, language).replaceAll(" ", "");
    const plain = (meaning: "yes" | "no" | "cancel"): ReadonlySet<string> =>
      new Set(
        phrasesOf(words[meaning])
          .filter((line) => !hasChoice(line))
          .map(bare),
      );
    for (const meaning of ["yes", "no", "cancel"] as const) {
      const lines = phrasesOf(words[meaning]);
      for (const phrase of lines.flatMap((line) => phrasesIn(line, 100))) {
        const polar = polarOf(phrase, language);
        const read = isCancel(phrase, language) ? "cancel" : polar;
        if (read !== null && read !== meaning && plain(read).has(bare(phrase))) continue;
        expect([phrase, read]).toEqual([phrase, meaning]);
      }
    }
  });
});

describe("a yes that goes on", () => {
  const labels = RECOGNITION.polarLabels();
  const between = " |, |. |… |... |\n| - | – | — |—|; |；|, |，|、|،|؛|! |: | (|／".split("|");

  test.each([...LANGUAGES.keys()])("is asked again in %s", (tag) => {
    const after = LANGUAGES.get(tag)?.afterYes ?? [];
    expect(after.length).toBe(3);
    const [yes = ""] = labels[toSpokenLanguage(tag)] ?? [];
    const texts = [yes, "Ok", "Yes", "👍"].flatMap((agreed) =>
      between.flatMap((mark) => after.map((rest) => `${agreed}${mark}${rest}`)),
    );
    expect(texts.filter((text) => consentOf(text, tag) === "yes")).toEqual([]);
    expect(texts.filter((text) => polarOf(text, tag) === "yes")).toEqual([]);
    expect([consentOf(yes, tag), consentOf(`👍 ${yes}!`, tag)]).toEqual(["yes", "yes"]);
  });

  test("is no consent, whatever comes; an offer may be accepted with a reason", () => {
    for (const [text, language, offer, consent] of [
      ["Yes please, thank you", "en", "yes", "yes"],
      ["ok, yes, that’s fine with me", "en", "yes", "yes"],
      ["yes, that is what I was looking for", "en", "yes", null],
      ["Yes, my name only", "en", null, null],
      ["ja, solange mich keiner anruft", "de", null, null],
      ["oui, à part mon nom", "fr", null, null],
      ["sim, só que hoje não", "pt-BR", null, null],
      ["да, без адреса", "ru", null, null],
      ["evet, gizli kalması şartıyla", "tr", null, null],
      ["ja, ohne Probleme", "de", "yes", "yes"],
      ["ναι, χωρίς πρόβλημα", "el", "yes", "yes"],
      ["Yes, maybe", "en", null, null],
      ["Yes, but when?", "en", null, null],
      ["Ok, I will look for it myself", "en", null, null],
      ["yes, sorry, but not today", "en", null, null],
      ["no, I found it already", "en", "no", "no"],
      ["no thanks", "en", "no", "no"],
      ["Ja, aber gerne!", "de", "yes", "yes"],
      ["да, наверное", "ru", null, null],
      ["네, 괜찮아요", "ko", "yes", "yes"],
      ["はい、でも今はちょっと", "ja", null, null],
      ["はい、ありがとうございます", "ja", "yes", "yes"],
      ["いいえ、でもありがとう", "ja", "no", "no"],
      ["好的，但是现在不行", "zh", "no", "no"],
    ] as const)
      expect([text, polarOf(text, language), consentOf(text, language)]).toEqual([
        text,
        offer,
        consent,
      ]);
  });
});

test("signs, drawn out words, regions and unknown languages are understood", () => {
  expect(polarOf("👍🏽", "fr")).toBe("yes");
  expect(polarOf("👎", "ja")).toBe("no");
  expect(polarOf("siiii", "es")).toBe("yes");
  expect(polarOf("noooo", "en")).toBe("no");
  expect(polarOf("thankk you, noo", "en")).toBe("no");
  expect([polarOf("+", "ru"), polarOf("🙆‍♀️", "ja")]).toEqual(["yes", "yes"]);
  expect([polarOf("+49 151 234", "de"), polarOf("no +", "es")]).toEqual([null, null]);
  expect(polarOf("Sim", "pt-BR")).toBe("yes");
  expect(polarOf("nei", "nb")).toBe("no");
  expect(polarOf("yes", "xx")).toBe("yes");
  expect(polarOf("", "en")).toBe(null);
  expect(polarOf("no ".repeat(50), "en")).toBe(null);
});

test("no text and no language make it throw", () => {
  fc.assert(
    fc.property(anyText(), fc.string(), (text, language) => {
      expect(["yes", "no", null]).toContain(polarOf(text, language));
      expect(typeof isCancel(text, language)).toBe("boolean");
    }),
  );
});

test("an offer is answered as people answer one", () => {
  for (const text of ["Sure, why not?", "that’s fine with me", "yes, I would", "please"])
    expect(polarOf(text, "en")).toBe("yes");
  for (const text of ["No, I’m good thanks", "maybe later", "thanks, but no"])
    expect(polarOf(text, "en")).toBe("no");
  expect(polarOf("Ja, das ist in Ordnung", "de")).toBe("yes");
  expect(polarOf("Oui, ça me convient", "fr")).toBe("yes");
  expect(polarOf("大丈夫です", "ja")).not.toBe("yes");
});

test("polite words and several phrases that mean the same change nothing", () => {
  for (const [text, language] of [
    ["Yes please, thank you very much", "en"],
    ["ja bitte, sehr gerne, danke", "de"],
    ["好的好的，谢谢您", "zh"],
    ["네 네 부탁드려요", "ko"],
    ["👍 danke", "de"],
    ["oui oui 👌", "fr"],
  ] as const)
    expect([text, polarOf(text, language)]).toEqual([text, "yes"]);
  for (const [text, language] of [
    ["ok, no thanks", "en"],
    ["Hallo, nein danke", "de"],
    ["no, no, muchas gracias", "es"],
    ["ok ok, no thanks", "en"],
  ] as const)
    expect([text, polarOf(text, language)]).toEqual([text, "no"]);
});

test("an answer before its reason is understood, and a question after it is not an answer", () => {
  for (const [text, language, meaning] of [
    ["no thanks, I found it already", "en", "no"],
    ["yes, that is what I was looking for", "en", "yes"],
    ["Non merci, j’ai trouvé la réponse", "fr", "no"],
    ["да, это мне подходит", "ru", "yes"],
    ["hi, no, no thanks, I found it", "en", "no"],
    ["thanks, yes, I found it, no", "en", null],
    ["yes, but how much is it?", "en", null],
    ["ναι, πόσο κοστίζει;", "el", null],
    ["I found it, no", "en", null],
    ["Please, help me with my password", "en", null],
    ["はい、でもいつですか", "ja", null],
    ["no", "en", "no"],
  ] as const)
    expect([text, polarOf(text, language)]).toEqual([text, meaning]);
});

test("a phrase that means yes and no at once is no answer", () => {
  for (const [text, language] of [
    ["no, that’s ok", "en"],
    ["that’s fine", "en"],
    ["nein ja", "de"],
    ["👍👎", "en"],
    ["no 👍", "es"],
    ["thanks", "en"],
    ["no results", "en"],
    ["bitte", "pl"],
  ] as const)
    expect([text, polarOf(text, language)]).toEqual([text, null]);
});

test("a word that leaves an answer open is asked about, and beside a yes or a no it changes nothing", () => {
  for (const [text, language, meaning] of [
    ["ไม่แน่ใจครับ", "th", null],
    ["ครับ", "th", "yes"],
    ["괜찮아요", "ko", null],
    ["아니요, 괜찮아요", "ko", "no"],
    ["כן, זה בסדר", "he", "yes"],
    ["mně je to v pohodě", "cs", null],
  ] as const)
    expect([text, polarOf(text, language)]).toEqual([text, meaning]);
});

test("one typing mistake in a longer word is understood", () => {
  expect(polarOf("natrülich", "de")).toBe("yes");
  expect(polarOf("certainement pas", "fr")).not.toBe("yes");
  expect(isCancel("abbrehcen", "de")).toBe(true);
  expect(isCancel("olvdalo", "es")).toBe(true);
  // If two words are equally close, the text is not understood; short words always differ by a
  // letter.
  expect(isCancel("abrechen", "de")).toBe(false);
  expect(polarOf("noi", "it")).toBe(null);
});

test("what readers spell by ear is read as the words that they mean", () => {
  expect(RECOGNITION.corrected("jveux parlé", "fr")).toBe("je veux parler");
  expect(RECOGNITION.corrected("Chciałabym", "pl")).toBe("chcialabym");
});

test("two letters can stand for one that a keyboard lacks", () => {
  expect(polarOf("natuerlich, waere schoen", "de")).toBe("yes");
  expect(polarOf("selvfoelgelig", "da")).toBe("yes");
  expect(polarOf("selvfolgelig", "no")).toBe("yes");
});

test("a form is left by a sentence that says why, and not by a value", () => {
  expect(isCancel("vergiss es, ich rufe morgen an", "de")).toBe(true);
  // A "please" is a yes only by itself.
  expect(isCancel("خروج من فضلك", "ar")).toBe(true);
  expect(polarOf("من فضلك", "ar")).toBe("yes");
  expect(isCancel("This takes too long. I want to stop!", "en")).toBe(true);
  expect(isCancel("取消吧，我打电话", "zh")).toBe(true);
  expect(isCancel("no, stop", "en")).toBe(true);
  expect(isCancel("no no thanks cancel that", "en")).toBe(true);
  expect(isCancel("nein abbrechen", "de")).toBe(true);
  expect(isCancel("sí cancelar", "es")).toBe(true);
  expect(isCancel("Stop, Norway", "en")).toBe(false);
  expect(isCancel("How do I cancel my order, please?", "en")).toBe(false);
});

test.each([...LANGUAGES.keys()])("a changed mind that goes on is a value, in %s", (tag) => {
  const { changedMind = [] } = LANGUAGES.get(tag) ?? {};
  expect(changedMind.length).toBeGreaterThan(0);
  expect(changedMind.filter((text) => isCancel(text, tag))).toEqual([]);
  const [changed = ""] = changedMind;
  const [first = "", ...rest] = changed.split(/[,،、，]| (?=ฉันเอา)/u);
  expect(rest.length).toBeGreaterThan(0);
  expect([first, isCancel(first, tag)]).toEqual([first, true]);
});

test("a changed mind beside another word for leaving leaves a form", () => {
  for (const [text, language, leaves] of [
    ["I changed my mind, no thanks", "en", true],
    ["Sorry, I changed my mind", "en", true],
    ["I changed my mind, I want to stop", "en", true],
    ["the blue one. I changed my mind", "en", false],
    ["I changed my mind, lo quiero azul", "es", false],
    ["Hören Sie auf", "de", true],
    ["forget it, I will call you", "en", true],
    ["vergiss es, ich rufe morgen an", "de", true],
  ] as const)
    expect([text, isCancel(text, language)]).toEqual([text, leaves]);
});

test.each([
  ["es", "sí y no"],
  ["fr", "oui et non"],
  ["it", "sì e no"],
  ["pt", "sim e não"],
])("a yes and a no at once are neither, in %s", (language, text) => {
  expect(polarOf(text, language)).toBeNull();
});

describe.each([
  { folder: "learnt", understoodAtLeast: 0.97, wrongAtMost: 0.01, personAtLeast: 0.97 },
  { folder: "held-back", understoodAtLeast: 0.95, wrongAtMost: 0.01, personAtLeast: 0.88 },
])("the $folder sentences", ({ folder, understoodAtLeast, wrongAtMost, personAtLeast }) => {
  const measured = measure(new URL(`./sentences/${folder}/`, import.meta.url));
  const sum = (of: "all" | "understood" | "wrong"): number =>
    measured.reduce((total, one) => total + one[of], 0);

  test("are understood, and hardly ever as something else", () => {
    expect(measured.map(({ language }) => language)).toEqual(languages.toSorted());
    expect(sum("understood") / sum("all")).toBeGreaterThan(understoodAtLeast);
    expect(sum("wrong") / sum("all")).toBeLessThan(wrongAtMost);
  });

  test("ask for a person where they mean to, and hardly ever where they do not", () => {
    const rates = measured.map(({ language, kinds: { person, ...others } }) => {
      const rest = Object.values(others);
      return {
        language,
        asked: person.all,
        recognized: person.understood,
        others: rest.reduce((total, { all }) => total + all, 0),
        misread: rest.reduce((total, { asPerson }) => total + asPerson, 0),
      };
    });
    const add = (of: "asked" | "recognized" | "others" | "misread"): number =>
      rates.reduce((total, one) => total + one[of], 0);
    console.log(
      `${folder}: ${add("recognized")} of ${add("asked")}, ${add("misread")} of ${add("others")}`,
    );
    expect(add("recognized") / add("asked")).toBeGreaterThan(personAtLeast);
    expect(add("misread") / add("others")).toBeLessThan(0.003);
    expect(rates.filter(({ asked, recognized }) => recognized / asked < 0.8)).toEqual([]);
  });

  test.each(measured)("are understood in $language", ({ all, understood, wrong }) => {
    expect(understood / all).toBeGreaterThan(0.88);
    expect(wrong / all).toBeLessThan(0.04);
  });
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
    expect(read("bora lá, obrigado", "pt")).toBe("yes");
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
