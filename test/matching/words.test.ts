import { loadMatchingWords } from "../../src/config/load/matching-words.ts";
import { describe, expect, it } from "vitest";
import { createAnalyser, wordsOf } from "../../src/matching/analysis.ts";
import { foldText } from "../../src/matching/fold.ts";
import { createSpeller } from "../../src/matching/spelling.ts";

const same: readonly (readonly [language: string, one: string, other: string])[] = [
  ["de", "Größe GROẞE", "groesse grosse"],
  ["da", "Får æble på ø", "faar aeble paa oe"],
  ["sv", "Återköp", "aterkop"],
  ["fr", "Où est mon œuvre", "ou est mon oeuvre"],
  ["tr", "İADE IŞIK", "iade ışık"],
  ["tr", "şifremi değiştir", "sifremi degistir"],
  ["vi", "đổi mật khẩu", "doi mat khau"],
  ["pl", "Łódź", "lodz"],
  ["el", "ΠΑΡΑΓΓΕΛΊΑΣ", "παραγγελιας"],
  ["ar", "أَيْنَ الطَّلَبِيَّة", "اين الطلبيه"],
  ["ar", "٢٤ ساعة", "24 ساعه"],
  ["he", "שָׁלוֹם", "שלום"],
  ["ja", "ﾊﾟｽﾜｰﾄﾞ", "パスワード"],
  ["zh", "ＡＢＣ１２３", "abc123"],
];

describe("what counts as the same", () => {
  it.each(same)("in %s: %j and %j", (language, one, other) => {
    expect(foldText(one, language)).toBe(foldText(other, language));
  });

  it("is not what another letter makes another word", () => {
    expect(foldText("が", "ja")).not.toBe(foldText("か", "ja"));
    expect(foldText("ปา", "th")).not.toBe(foldText("ป่า", "th"));
  });
});

describe("the words of a text", () => {
  it("are cut by a dictionary where the language writes no spaces", () => {
    expect(wordsOf("営業時間を教えてください", "ja")).toContain("時間");
    expect(wordsOf("ร้านเปิดกี่โมง", "th")).toEqual(["ร้าน", "เปิด", "กี่", "โมง"]);
    expect(wordsOf("如何修改密码？", "zh")).toEqual(["如何", "修改", "密码"]);
  });

  it("are cut so in a question of another language too", () => {
    expect(wordsOf("how do I change 密码", "en")).toContain("密码");
  });

  it("are whole where they stand in a list and the dictionary cuts them", () => {
    const words = createAnalyser("zh", loadMatchingWords("zh")).tokensOf("有外卖吗");
    expect(words.map(({ word }) => word)).toContain("外卖");
  });

  it("lose elisions, possessives and what is not a word", () => {
    expect(wordsOf("Qu'est-ce que l’adresse ?", "fr")).toEqual([
      "qu",
      "est",
      "ce",
      "que",
      "l",
      "adresse",
    ]);
    expect(wordsOf("Don't touch the shop's #1!", "en")).toEqual([
      "dont",
      "touch",
      "the",
      "shop",
      "1",
    ]);
    expect(wordsOf("iPhone'un fiyatı", "tr")).toEqual(["iphone", "fiyati"]);
  });

  it("are no more than 96", () => {
    expect(wordsOf("a ".repeat(400), "en")).toHaveLength(96);
  });
});

const inflected: readonly (readonly [language: string, one: string, other: string])[] = [
  ["en", "shipping", "shipped"],
  ["de", "Lieferungen", "Lieferung"],
  ["es", "devoluciones", "devolución"],
  ["fr", "livraisons", "livraison"],
  ["it", "spedizioni", "spedizione"],
  ["nl", "bestellingen", "bestelling"],
  ["ru", "доставку", "доставка"],
  ["fi", "tilauksen", "tilaus"],
  ["hu", "rendelésem", "rendelés"],
  ["tr", "siparişim", "sipariş"],
  ["ko", "배송은", "배송"],
  ["ko", "환불하려고요", "환불받고"],
  ["ko", "바꿨어요", "바꾸려면"],
  ["ko", "바꿀", "바꿔서"],
  ["ko", "고기는", "고기"],
  ["ko", "강아지도", "강아지"],
  ["ko", "외국인인가", "외국인"],
  ["ko", "주소인가요", "주소"],
  ["ko", "파손돼서", "파손된"],
  ["ru", "новый", "новая"],
  ["uk", "новий", "нова"],
  ["uk", "спиляти", "спилювання"],
  ["tr", "bebeğim", "bebek"],
  ["ar", "فروع", "فرع"],
  ["ar", "والطلب", "الطلب"],
  ["ar", "الإلغاء", "إلغاء"],
  ["ar", "نغادر", "المغادرة"],
  ["he", "להזמנה", "הזמנה"],
  ["he", "ולהחזיר", "מחזירים"],
  ["he", "תשלום", "לשלם"],
  ["ko", "맡기러", "맡길"],
  ["ko", "시간표좀", "시간표"],
];

describe("stems", () => {
  it.each(inflected.filter(([language]) => language !== "fi" && language !== "es"))(
    "in %s: %j and %j share one",
    (language, one, other) => {
      const analyser = createAnalyser(language, loadMatchingWords(language));
      expect(analyser.tokensOf(one)[0]?.stem).toBe(analyser.tokensOf(other)[0]?.stem);
    },
  );

  it.each(inflected)("in %s: of %j at least two letters stay", (language, one) => {
    const stem = createAnalyser(language, loadMatchingWords(language)).tokensOf(one)[0]?.stem ?? "";
    expect(stem.length).toBeGreaterThanOrEqual(2);
  });

  it.each([
    ["de", "Nussallergie", "allergy"],
    ["ko", "제주공항은", "flight"],
  ])("in %s: %j is about what its last part is about", (language, word, subject) => {
    const [token] = createAnalyser(language, loadMatchingWords(language)).tokensOf(word);
    expect(token?.concepts).toContain(subject);
  });

  it("go by the language, whatever region or script stands behind it", () => {
    const [plain, tagged] = ["pt", "pt-BR"].map((tag) =>
      createAnalyser(tag, loadMatchingWords(tag)).tokensOf("pedidos"),
    );
    expect(tagged).toEqual(plain);
  });
});

describe("a misspelt word", () => {
  const speller = createSpeller(
    new Map([
      ["delivery", 5],
      ["times", 3],
      ["timer", 1],
      ["cancel", 2],
      ["card", 4],
    ]),
  );

  it.each([
    ["delivry", "delivery"],
    ["delievry", "delivery"],
    ["dleivrey", "delivery"],
    ["tiems", "times"],
    ["cancle", "cancel"],
    ["crad", "card"],
  ])("%j is taken for %j", (typed, meant) => {
    expect(speller.correct(typed)).toBe(meant);
  });

  it("is taken for the commoner of two that are as near", () => {
    expect(speller.correct("timez")).toBe("times");
  });

  it.each(["delivery", "cart", "xylophone", "a", "time5", ""])("%j is left alone", (typed) => {
    expect(speller.correct(typed)).toBeNull();
  });
});
