import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRecognition, phrasesOf, withOwnWords } from "../../src/locales/recognition.ts";
import { RECOGNITION, WORDS } from "../fixtures/recognition.ts";

const { polarOf, isCancel } = RECOGNITION;

const languages =
  "ca de en es fr it ja ko nl pt zh ru ar hu eu ro gl da sv no tr cs fi pl el th id uk he vi".split(
    " ",
  );

/**
 * As readers type it: yes, no, cancel, and sentences that hold such a word and mean something else.
 */
const typed: Readonly<Record<string, readonly [string[], string[], string[], string[]]>> = {
  en: [
    ["Yes!", "yes, please", "OK", "of course"],
    ["No.", "no thanks", "nope", "Not really"],
    ["cancel", "Forget it!"],
    ["no results?", "yes or no"],
  ],
  fr: [
    ["Oui", "oui, bien sûr !", "D’accord", "ouais"],
    ["Non", "non merci", "pas du tout", "nan"],
    ["Annuler", "laisse tomber"],
    ["je ne dis pas non à un retour", "oui mais quand"],
  ],
  es: [
    ["Sí", "si", "¡Claro que sí!", "vale"],
    ["No", "no, gracias", "para nada", "ninguno"],
    ["Cancelar", "olvídalo"],
    ["no puedo entrar", "si pago hoy cuándo llega"],
  ],
  de: [
    ["Ja", "ja, gerne", "na klar", "stimmt"],
    ["Nein", "nein danke", "nö", "auf keinen Fall"],
    ["abbrechen", "vergiss es"],
    ["ich kann nicht", "ja wo denn"],
  ],
  it: [
    ["Sì", "si", "certo", "va bene"],
    ["No", "no grazie", "per niente", "mai"],
    ["annulla", "lascia stare"],
    ["non funziona", "sì ma quando"],
  ],
  pt: [
    ["Sim", "claro que sim", "com certeza", "isso"],
    ["Não", "nao", "não, obrigado", "nenhum"],
    ["cancelar", "esquece"],
    ["não consigo entrar", "sim ou não"],
  ],
  ca: [
    ["Sí", "és clar", "d'acord", "i tant"],
    ["No", "no, gràcies", "gens", "cap"],
    ["cancel·la", "deixa-ho"],
    ["no puc entrar", "sí però quan"],
  ],
  gl: [
    ["Si", "claro", "de acordo", "por suposto"],
    ["Non", "non, grazas", "para nada", "nunca"],
    ["cancelar", "déixao"],
    ["non podo entrar", "si pero cando"],
  ],
  eu: [
    ["Bai", "bai, noski", "ados", "jakina"],
    ["Ez", "ez, eskerrik asko", "inola ere ez", "bat ere ez"],
    ["utzi", "ezeztatu"],
    ["ezin dut sartu", "bai baina noiz"],
  ],
  ro: [
    ["Da", "sigur", "bineînțeles", "de acord"],
    ["Nu", "nu, mulțumesc", "deloc", "niciunul"],
    ["anulează", "renunț"],
    ["nu pot intra", "da dar când"],
  ],
  nl: [
    ["Ja", "ja graag", "natuurlijk", "klopt"],
    ["Nee", "nee bedankt", "helemaal niet", "liever niet"],
    ["annuleren", "laat maar"],
    ["ik kan niet inloggen", "ja maar wanneer"],
  ],
  da: [
    ["Ja", "ja tak", "selvfølgelig", "okay"],
    ["Nej", "nej tak", "slet ikke", "ingen af dem"],
    ["annuller", "glem det"],
    ["jeg kan ikke logge ind", "ja men hvornår"],
  ],
  sv: [
    ["Ja", "ja tack", "självklart", "stämmer"],
    ["Nej", "nej tack", "inte alls", "nä"],
    ["avbryt", "glöm det"],
    ["jag kan inte logga in", "ja men när"],
  ],
  no: [
    ["Ja", "ja takk", "selvfølgelig", "stemmer"],
    ["Nei", "nei takk", "aldri", "ingen av dem"],
    ["avbryt", "glem det"],
    ["jeg får ikke logget inn", "ja men når"],
  ],
  fi: [
    ["Kyllä", "joo", "totta kai", "selvä"],
    ["Ei", "ei kiitos", "ei todellakaan", "ei mikään"],
    ["peruuta", "anna olla"],
    ["en pääse sisään", "kyllä mutta milloin"],
  ],
  hu: [
    ["Igen", "persze", "rendben", "így van"],
    ["Nem", "nem, köszönöm", "egyáltalán nem", "egyik sem"],
    ["mégse", "hagyjuk"],
    ["nem tudok belépni", "igen de mikor"],
  ],
  pl: [
    ["Tak", "oczywiście", "jasne", "zgadza się"],
    ["Nie", "nie, dziękuję", "wcale nie", "żadne z nich"],
    ["anuluj", "nieważne"],
    ["nie mogę się zalogować", "tak ale kiedy"],
  ],
  cs: [
    ["Ano", "jo", "samozřejmě", "přesně tak"],
    ["Ne", "ne, děkuji", "vůbec ne", "žádný z nich"],
    ["zrušit", "to je jedno"],
    ["nemůžu se přihlásit", "ano ale kdy"],
  ],
  ru: [
    ["Да", "да, пожалуйста", "конечно", "верно"],
    ["Нет", "нет, спасибо", "неа", "не совсем"],
    ["отмена", "забудь"],
    ["не могу войти", "да но когда"],
  ],
  uk: [
    ["Так", "так, дякую", "звісно", "гаразд"],
    ["Ні", "ні, дякую", "зовсім ні", "жоден з них"],
    ["скасувати", "не треба"],
    ["не можу увійти", "так але коли"],
  ],
  el: [
    ["Ναι", "ναι, παρακαλώ", "φυσικά", "σωστα"],
    ["Όχι", "οχι", "όχι, ευχαριστώ", "καθόλου"],
    ["ακύρωση", "άσ' το"],
    ["δεν μπορώ να μπω", "ναι αλλά πότε"],
  ],
  tr: [
    ["Evet", "EVET", "tabii ki", "tamam"],
    ["Hayır", "HAYIR", "hiçbiri", "olmaz"],
    ["iptal", "İPTAL"],
    ["giriş yapamıyorum", "evet ama ne zaman"],
  ],
  ar: [
    ["نعم", "نعم، من فضلك", "بالتأكيد", "حسناً"],
    ["لا", "لا شكراً", "أبداً", "لا أريد"],
    ["إلغاء", "لا يهم"],
    ["لا أستطيع الدخول", "نعم لكن متى"],
  ],
  he: [
    ["כן", "כן, בבקשה", "בטח", "נכון"],
    ["לא", "לא תודה", "ממש לא", "לא נכון"],
    ["ביטול", "לא משנה"],
    ["אני לא מצליח להיכנס", "כן אבל מתי"],
  ],
  th: [
    ["ใช่", "ใช่ครับ", "ตกลง", "แน่นอน"],
    ["ไม่", "ไม่ใช่ค่ะ", "ไม่เอา", "ไม่เป็นไร"],
    ["ยกเลิก", "ช่างมัน"],
    ["เข้าสู่ระบบไม่ได้", "ใช่ แต่เมื่อไหร่"],
  ],
  vi: [
    ["Có", "vâng ạ", "đúng rồi", "đồng ý"],
    ["Không", "không, cảm ơn", "dạ không", "sai rồi"],
    ["hủy", "thôi"],
    ["tôi không đăng nhập được", "có nhưng khi nào"],
  ],
  id: [
    ["Ya", "iya", "tentu saja", "betul"],
    ["Tidak", "nggak", "tidak, terima kasih", "bukan"],
    ["batal", "lupakan saja"],
    ["saya tidak bisa masuk", "ya tapi kapan"],
  ],
  ja: [
    ["はい", "はい。", "お願いします", "そうです"],
    ["いいえ", "いいえ、違います", "違います", "結構です"],
    ["キャンセル", "やめます"],
    ["ログインできません", "はい、でもいつですか"],
  ],
  ko: [
    ["네", "네!", "맞아요", "좋습니다"],
    ["아니요", "아니", "괜찮아요", "필요 없어요"],
    ["취소", "그만할래요"],
    ["로그인이 안 돼요", "네 그런데 언제요"],
  ],
  zh: [
    ["是", "是的。", "好的", "可以"],
    ["不", "不是", "不用了", "都不是"],
    ["取消", "算了"],
    ["我不能登录", "是什么时候"],
  ],
};

describe.each(languages)("in %s", (language) => {
  const [yes, no, cancel, other] = typed[language] ?? [[], [], [], []];

  test("a phrase for yes, no or leaving is known, and a sentence that holds one is not", () => {
    expect([yes.length, no.length, cancel.length, other.length]).toEqual([4, 4, 2, 2]);
    expect(yes.map((text) => [text, polarOf(text, language)])).toEqual(
      yes.map((text) => [text, "yes"]),
    );
    expect(no.map((text) => [text, polarOf(text, language)])).toEqual(
      no.map((text) => [text, "no"]),
    );
    expect(cancel.map((text) => [text, isCancel(text, language)])).toEqual(
      cancel.map((text) => [text, true]),
    );
    for (const text of other) {
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
