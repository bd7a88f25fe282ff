import { describe, expect, it } from "vitest";
import { loadMatchingWords } from "../../src/config/load/matching-words.ts";
import { createMatcher } from "../../src/matching/matcher.ts";

const bases: Readonly<Record<string, readonly (readonly string[])[]>> = {
  zh: [
    ["怎么修改配送地址？", "收货地址写错了", "换一个送货地址"],
    ["退货运费谁承担？", "退货要付钱吗", "退货邮费"],
    ["什么时候发货", "物流信息不更新", "快递几天到"],
    ["支持货到付款吗", "支付方式有哪些", "信用卡分期付款手续费"],
  ],
  ja: [
    ["返品送料は誰が負担しますか", "返品の手続き"],
    ["領収書の再発行", "請求書を送ってほしい"],
    ["会員登録を取り消したい", "退会したい"],
  ],
  th: [
    ["ค่าจัดส่งเท่าไหร่", "ส่งฟรีเมื่อไหร่"],
    ["เปลี่ยนที่อยู่จัดส่ง", "กรอกที่อยู่ผิด"],
    ["ขอใบกำกับภาษี", "ใบเสร็จรับเงิน"],
  ],
  de: [["Wie bekomme ich einen Werkstatttermin?"], ["Öffnungszeiten"], ["Reifen wechseln"]],
  ko: [["무료주차장이 있나요?"], ["영업시간"], ["환불 방법"]],
};

describe("a question that stands literally in the phrases of one content", () => {
  it.each([
    ["zh", "运费", 1],
    ["zh", "货运费", 1],
    ["zh", "期付款", 3],
    ["ja", "送料", 0],
    ["ja", "再発", 1],
    ["ja", "消したい", 2],
    ["th", "จัดส่งเท่าไหร่", 0],
    ["th", "กำกับภาษี", 2],
    ["de", "termin", 0],
    ["ko", "주차장", 0],
  ])("is found or offered in %s: %j", (language, question, id) => {
    const contents = (bases[language] ?? []).map((phrases, at) => ({ id: at, phrases }));
    const matcher = createMatcher(contents, { language, words: loadMatchingWords(language) });
    const { hits, offer, rivals } = matcher.search(question);
    expect(hits[0]?.id).toBe(id);
    expect(hits[0]?.score).toBeGreaterThanOrEqual(offer);
    expect(rivals).toEqual([]);
  });

  it("leaves words that say nothing unanswered", () => {
    const contents = (bases["ja"] ?? []).map((phrases, id) => ({ id, phrases }));
    const matcher = createMatcher(contents, { language: "ja", words: loadMatchingWords("ja") });
    const { hits, offer } = matcher.search("ですか");
    expect(hits[0]?.score ?? 0).toBeLessThan(offer);
  });
});
