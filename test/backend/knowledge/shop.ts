import { readContent } from "../../../src/backend/content/parse.ts";
import type { Content } from "../../../src/backend/content/types.ts";
import { texts } from "../content/written.ts";

/** A small shop's knowledge, with every kind of content that the interface distinguishes. */
export const english = `
language: en
categories:
  - { id: 1, name: Orders }
  - { id: 11, name: Delivery, parent: 1 }
  - { id: 12, name: Express, parent: 11 }
  - { id: 2, name: Returns }
contents:
  - id: 1
    title: Where is my order?
    categories: [11]
    order: 20
    alternatives: [Track my parcel, Order status]
    answer: "<p>Open the <b>tracking link</b> in your e-mail &amp; wait.</p>"
    related: [2, 8]
    modified: 2026-05-04
    attributes: { CROSS_SELLING: "4, 2, 8, nonsense, 99" }
  - id: 2
    title: Delivery costs
    categories: [12, 11]
    order: 10
    alternatives: [How much is shipping?, Track my parcel]
    answer: "<p>Standard delivery is 3.90.</p>"
    modified: 2026-06-01
    attributes: { RATINGS: "false" }
  - id: 3
    title: How do I return an item?
    categories: [2]
    order: 30
    alternatives: [Send something back]
    answer: ["<p>You have 30 days.</p>", "<p>Print the <i>label</i>.</p>"]
    sideBubble: "<p>Keep the receipt.</p>"
    options: [{ content: 4, label: Money }, { content: 5, label: Damaged }]
    attributes: { CROSS_SELLING: "4", PUSH: "2" }
  - id: 4
    title: When do I get my refund?
    categories: [2]
    order: 40
    alternatives: [Money back]
    answer: "<p>Within 5 working days.</p>"
    options: [{ content: 3, label: Back }]
    attributes: { PUSH: "1" }
  - id: 5
    title: The item is damaged
    categories: [2]
    order: 50
    answer: "<script>alert('refund')</script><p>Send a picture.</p>"
  - { id: 6, title: Opening hours <b>today</b>, answer: "<p>9 to 18.</p>", order: 60, userTypes: [0, 3] }
  - { id: 7, title: Hidden treasure, answer: "<p>Found.</p>", order: 70, hidden: true, alternatives: [Secret riches] }
  - { id: 8, title: Unpublished draft, answer: "<p>Soon.</p>", order: 80, published: false, categories: [2] }
  - { id: 9, title: Summer sale, answer: "<p>Over.</p>", order: 90, expires: 2026-01-02, categories: [2] }
  - { id: 10, title: Winter gala, answer: "<p>Now.</p>", order: 100, publishFrom: 2026-01-03, alternatives: [Gala tickets] }
  - { id: 11, title: Staff canteen, answer: "<p>Lunch.</p>", order: 110, userTypes: [3], environments: [development] }
appData:
  ratings: { good: "1", bad: "2" }
`;

export const japanese = `
language: ja
contents:
  - id: 3
    title: 商品を返品したい
    alternatives: [返品の方法を教えてください]
    answer: "<p>30日以内に返品できます。</p>"
  - id: 4
    title: 返金はいつ届きますか
    alternatives: [お金はいつ戻りますか]
    answer: "<p>5営業日以内です。</p>"
  - id: 1
    title: 注文した荷物はどこですか
    answer: "<p>追跡リンクを開いてください。</p>"
`;

const read = new Map<string, Content>();

/** Reads the contents of these files, once for the many tests that share them. */
export function contentFrom(...files: readonly string[]): Content {
  const key = JSON.stringify(files);
  const content = read.get(key) ?? contentOf(files);
  read.set(key, content);
  return content;
}

function contentOf(files: readonly string[]): Content {
  const contents = files.map((text, index) => ({ name: `${index}.yaml`, text }));
  const { content, diagnostics } = readContent({ contents, texts });
  if (content === null) throw new Error(JSON.stringify(diagnostics));
  return content;
}
