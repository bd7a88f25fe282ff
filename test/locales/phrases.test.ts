import { beforeEach, describe, expect, test } from "vitest";
import type { RecognitionWords } from "../../src/locales/phrases.ts";
import {
  createRecognition,
  type OwnWords,
  type Recognition,
  withOwnWords,
} from "../../src/locales/recognition.ts";
import { hasChoice, patternOf, phrasesOf, toSpokenForm } from "../../src/locales/spoken-form.ts";

// A handful of phrases, so that each rule is seen by itself, in milliseconds. recognition.test.ts
// tests the shipped words.

type Lists = Partial<Omit<RecognitionWords, "person">> & {
  readonly person?: Partial<RecognitionWords["person"]>;
};

function language({ person, ...lists }: Lists): RecognitionWords {
  const none = { person: "", ask: "", alone: "", before: "", after: "" };
  return { yes: "", no: "", cancel: "", ...lists, person: { ...none, ...person } };
}

const ENGLISH = language({
  yes: "yes\nok\nplease\nall good\nthats fine\nnot bad at all\nnever mind me\ndont stop\n(sure|indeed) [my] friend\n(lets|we can) go on",
  no: "no\nno way\nnot ok\nnever\ndont\n(better|rather) not today",
  cancel: "stop\nforget it\nnever mind\nno leave it be\nget (me|us) out",
  polite: "please\nthanks\nthank you very much\nhi",
  unsure: "whatever\nas you like\nthats fine",
  person: {
    person: "human\nagent",
    ask: "talk to ~\nget support",
    alone: "agent\nhelp [me]",
    before: "ok\nyes\nhi\nstop\nnot bad at all",
    after: "now\nbecause…",
  },
});
const FRENCH = language({
  yes: "oui\nd’accord\nclair\n",
  no: "non\nsans façon\n",
  cancel: "arrêter\n",
});
const JOINED = language({
  yes: "はい\nお願 いします",
  no: "いいえ\n結構 です",
  cancel: "中止\n(全部|もう) 取 消\n(やめ|停止)ます",
  polite: "ありがとう ございます\nでも",
  unsure: "何 でも",
  person: { joined: true, before: "は い" },
});

// Words are read once and kept by their object: each test reads them anew.
let recognition: Recognition;
beforeEach(() => {
  recognition = createRecognition(structuredClone({ en: ENGLISH, fr: FRENCH, ja: JOINED }));
});

/** How a text is understood: as an answer, or as leaving a form. */
function read(text: string, tag = "en", { polarOf, isCancel } = recognition): string | null {
  const polar = polarOf(text, tag);
  const leaves = isCancel(text, tag);
  if (polar !== null && leaves) throw new Error(`"${text}" is ${polar} and leaves a form`);
  return leaves ? "cancel" : polar;
}

/** Each text with its reading. */
function readAll(texts: readonly (readonly [string, string | null])[], tag = "en"): void {
  expect(texts.map(([text]) => [text, read(text, tag)])).toEqual(texts);
}

describe("an answer", () => {
  test("is understood as it is listed, whatever its case, accents and punctuation", () => {
    readAll([
      ["yes", "yes"],
      ["  YES!! ", "yes"],
      ["No way…", "no"],
      ["now ay", null],
      ["Forget it.", "cancel"],
      ["banana", null],
      ["", null],
      ["?!", null],
    ]);
    readAll(
      [
        ["D'ACCORD", "yes"],
        ["daccord", "yes"],
        ["sans facon", "no"],
        ["arreter", "cancel"],
      ],
      "fr-CA",
    );
  });

  test("of a line with choices is any of them, and a line without choices wins", () => {
    readAll([
      ["indeed friend", "yes"],
      ["sure my friend", "yes"],
      ["sure your friend", null],
      ["sure indeed my friend", null],
      ["rather not today", "no"],
      ["rather nottoday", null],
      ["we can go on", "yes"],
      ["get us out", "cancel"],
      ["get out", null],
    ]);
    const words = language({ yes: "good (one|day)\nfine", no: "good day\n(fine|bad) day" });
    const { polarOf } = createRecognition({ en: words });
    expect([polarOf("good one", "en"), polarOf("good day", "en")]).toEqual(["yes", "no"]);
  });

  test("is understood in English too, whatever the language", () => {
    readAll(
      [
        ["no", "no"],
        ["oui", "yes"],
        ["stop", "cancel"],
        ["sure my friend", "yes"],
        ["oui please", null],
      ],
      "fr",
    );
    expect([read("yes", "xx"), read("yes", "constructor"), read("oui", "xx")]).toEqual([
      "yes",
      "yes",
      null,
    ]);
  });

  test("whose letters are drawn out is understood, and a doubled letter too", () => {
    readAll([
      ["nooooo", "no"],
      ["yeees pleeeease", "yes"],
      ["noo", "no"],
      ["noo way", "no"],
    ]);
    readAll([["はいいい", "yes"]], "ja");
    readAll([["okkkk", "yes"]], "fr");
  });

  test("of more than 100 characters is not understood", () => {
    const spaced = (length: number): string => "no".padEnd(length);
    expect([read(spaced(100)), read(spaced(101))]).toEqual(["no", null]);
    const reason = (length: number): string => "no, it".padEnd(length, " is");
    expect([read(reason(100)), read(reason(101))]).toEqual(["no", null]);
    expect([read("👍".padEnd(100)), read("👍".padEnd(101))]).toEqual(["yes", null]);
  });
});

describe("polite words", () => {
  test("may stand around an answer without changing it", () => {
    readAll([
      ["hi yes thanks", "yes"],
      ["no thanks, thank you very much", "no"],
      ["thanks stop", "cancel"],
      ["yes banana", null],
      ["banana yes", null],
    ]);
  });

  test("by themselves answer nothing, and one that is listed as a yes is one", () => {
    readAll([
      ["thanks", null],
      ["hi thanks", null],
      ["please", "yes"],
      ["please please", "yes"],
      ["please thanks", "yes"],
      ["no please", "no"],
      ["please stop", "cancel"],
      ["stop please", "cancel"],
      ["thanks 👍", "yes"],
      ["hi thanks 👍", "yes"],
    ]);
  });
});

describe("several phrases in a row", () => {
  test("that mean the same mean that", () => {
    readAll([
      ["yes yes ok", "yes"],
      ["no no way", "no"],
      ["stop forget it", "cancel"],
      ["no rather not today", "no"],
    ]);
  });

  test("of which the first opens a request give way to what is said after it", () => {
    readAll([
      ["ok no", "no"],
      ["ok ok no way", "no"],
      ["ok stop", "cancel"],
      ["yes stop", "cancel"],
      ["please ok no", "no"],
      ["all good no", null],
      ["all good stop", null],
      ["ok all good no", null],
      ["all good ok no", null],
    ]);
  });

  test("are asked again when the last is a yes, or the first the button’s yes", () => {
    readAll([
      ["no ok", null],
      ["yes no", null],
      ["ok yes no", null],
      ["stop yes", null],
      ["stop no", "no"],
    ]);
  });

  test("leave a form after a no", () => {
    readAll([
      ["no stop", "cancel"],
      ["no way ok stop", "cancel"],
      ["no all good stop", null],
      ["agent stop", null],
      ["ok help me", null],
    ]);
  });

  test("are read as the longest of them", () => {
    readAll([
      ["thanks never mind", "cancel"],
      ["thanks not ok", "no"],
      ["thanks not bad at all", "yes"],
      ["not bad at all thanks", "yes"],
      ["ok never mind thanks", "cancel"],
      ["thanks never mind me", "yes"],
      ["thanks dont stop", "yes"],
      ["dont thanks stop", "cancel"],
      ["no, leave it be", "cancel"],
    ]);
  });

  test("of which one was mistyped are understood", () => {
    readAll([
      ["thnaks no", "no"],
      ["yes thakns", "yes"],
      ["indede friend", "yes"],
    ]);
  });
});

describe("a word that leaves an answer open", () => {
  test("is asked again, with polite words too, and beside an answer it changes nothing", () => {
    readAll([
      ["whatever", null],
      ["whatever thanks", null],
      ["whatever please", null],
      ["thats fine", null],
      ["yes whatever", "yes"],
      ["no thats fine", "no"],
      ["as you like stop", "cancel"],
      ["whatever 👍", null],
    ]);
  });
});

describe("a phrase of two meanings", () => {
  const polar = (text: string, tag = "nl"): string | null =>
    createRecognition({
      en: language({ yes: "right\nyes", no: "nope\nno", cancel: "quit" }),
      nl: language({ yes: "ja\nnope\ngoed", no: "nee\ngoed", cancel: "nope nope" }),
    }).polarOf(text, tag);

  test("is asked again: in one language, and in the language and in English", () => {
    expect([polar("ja"), polar("nee"), polar("right")]).toEqual(["yes", "no", "yes"]);
    expect([polar("goed"), polar("goed goed"), polar("goedddd")]).toEqual([null, null, null]);
    expect([polar("nope"), polar("nope", "fr")]).toEqual([null, "no"]);
    expect([polar("goed, dank"), polar("nope, dank")]).toEqual([null, null]);
    expect([polar("nee, goed, dank"), polar("nee, nope, dank")]).toEqual(["no", "no"]);
    expect([polar("ja ja"), polar("ja goed"), polar("ja nope")]).toEqual(["yes", null, null]);
  });

  test("is not the owner’s wish for a person", () => {
    const own = (person: readonly string[]): string | undefined => {
      const words = withOwnWords({ en: ENGLISH, fr: FRENCH }, [{ language: "fr", person }]);
      return createRecognition(words).personWords("fr").own;
    };
    expect(own(["SOS", "oui", "no", "Chef!"])).toBe("SOS\nChef!");
    expect(own([])).toBe("");
  });
});

describe("a reason", () => {
  test("may follow an answer", () => {
    readAll([
      ["no, I found it", "no"],
      ["no thanks. I found it; bye", null],
      ["yes! that was it", "yes"],
      ["hi, no, I found it", "no"],
      ["hi thanks, no, I found it", "no"],
      ["no, no, I found it", "no"],
      ["please, no, I found it", "no"],
      ["no\nI found it", "no"],
      [", no , I found it", "no"],
      ["forget it, I found it", "cancel"],
      ["agent, I lost it", null],
      ["🎉, no, I found it", "no"],
    ]);
  });

  test("may hold what is neither, and no wish for a person", () => {
    readAll([
      ["no, whatever, I found it", "no"],
      ["no, whatever thanks, I found it", "no"],
      ["no, yes no, I found it", "no"],
      ["no, all good no, I found it", "no"],
      ["no, no agent, I found it", "no"],
      ["no, 👍👎, I found it", "no"],
      ["no, yes 👎, I found it", "no"],
      ["no, talk to, I found it", "no"],
      ["no, get support", null],
      ["no, agent, I found it", null],
    ]);
  });

  test("is not read before the answer, and contains no other answer and no question", () => {
    readAll([
      ["I found it, no", null],
      ["no I found it", null],
      ["no I found it,", null],
      ["no, I found it, yes", null],
      ["no, what is it?", null],
      ["please, help with it", null],
      ["whatever, I found it", null],
    ]);
    readAll([["いいえ、見つけました", null]], "ja");
  });

  test("may stand before or after a wish to leave a form, which has several words", () => {
    readAll([
      ["I found it, forget it", "cancel"],
      ["this takes long! forget it. ", "cancel"],
      [" . forget it. I found it", "cancel"],
      ["this, forget it, is long", null],
      ["Stop, Norway", null],
      [" stop , Norway", null],
      ["Norway, stop", null],
    ]);
    readAll([["中止、見つけました", "cancel"]], "ja");
  });
});

describe("emoji", () => {
  test.each(["👍", "👌", "✅", "✔", "🆗", "💯", "🙆", "➕", "+"])("%s mean yes", (sign) => {
    expect([read(sign), read(`${sign}${sign}`), read(`yes ${sign}`)]).toEqual([
      "yes",
      "yes",
      "yes",
    ]);
    expect([read(`no ${sign}`), read(`banana ${sign}`)]).toEqual([null, null]);
  });

  test.each(["👎", "❌", "✖", "🚫", "🙅"])("%s mean no", (sign) => {
    expect([read(sign), read(`no ${sign}`), read(`no${sign}thanks`)]).toEqual(["no", "no", "no"]);
    expect([read(`yes ${sign}`), read(`stop ${sign}`)]).toEqual([null, null]);
  });

  test("have colours and people, and mean nothing together or when they are others", () => {
    expect([read("👍🏽"), read("🙅‍♀️"), read("✔️", "vi"), read("yes 🎉")]).toEqual([
      "yes",
      "no",
      "yes",
      "yes",
    ]);
    expect([read("👍👎"), read("👍 👎 yes"), read("🎉")]).toEqual([null, null, null]);
  });
});

describe("a language without spaces between words", () => {
  test("phrases are understood with and without them, and in a row", () => {
    readAll(
      [
        ["お願いします", "yes"],
        ["お願い し ます", "yes"],
        ["結構です", "no"],
        ["もう取消", "cancel"],
        ["停止 ます", "cancel"],
        ["全部 取消", "cancel"],
        ["いいえありがとうございます", "no"],
        ["はい、ありがとう ございます", "yes"],
        ["何でも", null],
        ["何でもはい", "yes"],
        ["はい結構です", null],
        ["お願いします結構です", null],
        ["はい中止", "cancel"],
        ["お願いします中止", null],
        ["いいえ見", null],
      ],
      "ja",
    );
  });

  test("gets no correction of letters", () => {
    expect(recognition.corrected("ありがとうござります", "ja")).toBe("ありがとうござります");
  });
});

describe("a typing mistake", () => {
  const words = language({
    yes: "certain\n(quite|frequent)",
    no: "stop\nabout\nsoo\nso\ncable\ntable",
  });
  const corrected = (text: string): string =>
    createRecognition({ en: { ...words } }).corrected(text, "en");

  test.each([
    ["a letter too few", "ertain cetain certai"],
    ["a letter too many", "xcertain certxain certainx"],
    ["another letter", "xertain cerxain certaix"],
    ["two in each other’s place", "ecrtain cetrain certani"],
    ["doubled letters", "ccertain ceertaiin certainn"],
  ])("is put right: %s", (_, typed) => {
    expect(corrected(typed)).toBe("certain certain certain");
  });

  test.each([
    "cxrtaxn",
    "tcerain",
    "ceratni",
    "ertainc",
    "pcrtain",
    "exrtain",
    "certainxy",
    "cert",
    "xcertaim",
    "babot",
  ])("is left when there are more: %s", (typed) => {
    expect(corrected(typed)).toBe(typed);
  });

  test("is put right in words of five letters and more, in lines with choices too", () => {
    expect(corrected("Abotu QUIET frequebt, certin!")).toBe("about quite frequent certain");
    expect(corrected("abou sotp stoip")).toBe("abou sotp stoip");
  });

  test("is left where two words are as near, and a word that is one is none", () => {
    expect(corrected("xable cabl ctable")).toBe("xable cabl ctable");
    expect(corrected("soo so sooo sstop")).toBe("soo so so stop");
  });
});

describe("the form in which phrases are compared", () => {
  test.each([
    ["en", "…It’s  the CAFÉ: '№ 1', `a´ b‘", "its the cafe no 1 a b"],
    ["tr", "IŞIK ışık İyi ıyı", "isik isik iyi iyi"],
    ["en", "ı", "ı"],
    ["ar", "مُدَرِّسَة على", "مدرسه علي"],
    ["fa", "ة ى", "ة ى"],
    ["de", "Straße Müller Mueller oel Goethe schaetze", "strasse muller muller ol gothe schatze"],
    ["da", "kræver KRAEVER krav Århus Aarhus øl oel", "kraver kraver krav arhus arhus ol ol"],
    ["no", "Være vaere noe Aas ås øl", "vare vare noe as as ol"],
    ["en", "Aaron goes ß ø", "aaron goes ß ø"],
    ["vi", "ĐÃ đá", "đã đá"],
    ["th", "ไม่ได้ครับ", "ไม่ได้ครับ"],
    ["ja", "ガ か が １２", "ガ か が 12"],
    ["ko", "네, 괜찮아요", "네 괜찮아요"],
    ["hi", "हाँ", "ह"],
  ])("in %s: %s", (tag, text, form) => {
    expect(toSpokenForm(text, tag)).toBe(form);
  });

  test("has simplified characters in Chinese, and there alone", () => {
    const typed = "來吶寧徹斷沒療紙罵虛討調貴辦錄雙飛";
    expect(toSpokenForm(typed, "zh")).toBe("来呐宁彻断没疗纸骂虚讨调贵办录双飞");
    expect(toSpokenForm(typed, "ja")).toBe(typed);
  });

  test("of a line with choices is a pattern", () => {
    expect([hasChoice("(a|b)"), hasChoice("a [b]"), hasChoice("a b~")]).toEqual([
      true,
      true,
      false,
    ]);
    expect(phrasesOf("\na\n\nb c\n")).toEqual(["a", "b c"]);
    const pattern = "(Stop|end it) the [live] chat";
    expect(patternOf(pattern, "en")).toBe("(?:stop|end it) ?the ?(?:live)? ?chat");
    expect(patternOf(pattern, "en", " ?")).toBe("(?:stop|end ?it) ?the ?(?:live)? ?chat");
    expect(patternOf("(a|b)c[d]!(é)", "fr")).toBe("(?:a|b)c(?:d)?(?:e)");
    expect(patternOf("[a] [b] … c", "en", "")).toBe("(?:a)? ?(?:b)? ?c");
  });
});

describe("the words of a language", () => {
  test("label its buttons, if it has both", () => {
    const labelled = { en: ENGLISH, fr: FRENCH, xx: language({ yes: "jes" }) };
    const none = { ...labelled, yy: language({ no: "ne" }), zz: language({}) };
    expect(createRecognition(none).polarLabels()).toEqual({
      en: ["Yes", "No"],
      fr: ["Oui", "Non"],
    });
    const bracketed = createRecognition({ xx: language({ yes: "Élan\nb", no: "\nñu ok\n" }) });
    expect(bracketed.polarLabels()).toEqual({ xx: ["Élan", "Ñu ok"] });
  });

  test("for a person are those of its list, and none of a language without words", () => {
    expect(recognition.personWords("en")).toEqual(ENGLISH.person);
    expect(recognition.personWords("xx")).toEqual(language({}).person);
    expect(recognition.personWords("constructor")).toEqual(language({}).person);
  });
});

describe("an owner’s own words", () => {
  const owners: readonly OwnWords[] = [
    { language: "fr", yes: ["ok (d'ac)", "banco|top"], no: ["que nenni"], cancel: ["[basta]"] },
    { language: "eo", yes: ["jes"], person: ["homo (nun)"] },
    { language: "eo", no: ["ne"] },
  ];
  const words = withOwnWords({ en: ENGLISH, fr: FRENCH }, owners);
  let own: Recognition;
  beforeEach(() => {
    own = createRecognition(structuredClone(words));
  });

  test("for a person are the same object each time", () => {
    expect(own.personWords("eo")).toBe(own.personWords("eo"));
    expect(own.personWords("eo").own).toBe("homo  nun ");
  });

  test("stand beside the shipped ones, and their brackets stand for nothing", () => {
    expect(Object.keys(words)).toEqual(["en", "fr", "eo"]);
    expect([words["fr"]?.yes, words["fr"]?.no, words["fr"]?.cancel]).toEqual([
      `${FRENCH.yes}ok  d'ac \nbanco top\n`,
      `${FRENCH.no}que nenni\n`,
      `${FRENCH.cancel} basta \n`,
    ]);
    expect(words["fr"]?.person).toEqual({ ...FRENCH.person, own: "" });
    expect(words["eo"]).toEqual(
      language({ yes: "jes\n", no: "ne\n", person: { own: "homo  nun \n" } }),
    );
    expect(words["en"]).toBe(ENGLISH);
  });

  test("are understood, and put typing mistakes right", () => {
    expect([read("Ok, d’ac!", "fr", own), read("banco", "fr", own)]).toEqual(["yes", null]);
    expect([read("que neni oui", "fr", own), read("basta", "fr", own)]).toEqual([null, "cancel"]);
    expect([read("jes", "eo", own), read("ne", "eo", own), read("oui", "eo", own)]).toEqual([
      "yes",
      "no",
      null,
    ]);
    expect([own.corrected("hoomo nnun", "eo"), own.corrected("nenin", "fr")]).toEqual([
      "homo nun",
      "nenni",
    ]);
  });
});
