import { compileShape, type CompiledShape } from "../../src/json/shape.ts";
import { quote } from "../../src/json/quote.ts";
import { scan } from "../../src/json/scan.ts";
import type { Edit, JsonNode, Shape } from "../../src/json/types.ts";
import { answerOf } from "../traffic.ts";

/** A body, named after its special property. */
export interface Body {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export const sizes: readonly number[] = [500, 1700, 4000, 16_000, 1_000_000];

const encoder = new TextEncoder();

/**
 * Bodies of about `size` bytes: as the bench's upstream sends them, and some that make a scanner
 * slow.
 */
export function bodiesOf(size: number): readonly Body[] {
  return [
    { name: "one flagged answer", bytes: encoder.encode(answerOf("flagged", size)) },
    { name: "without flags", bytes: encoder.encode(answerOf("closed", size)) },
    {
      name: "many flagged answers",
      bytes: manyAnswers(size, (k) => `Your order ${k} is on its way.`),
    },
    {
      name: "escapes and other scripts",
      bytes: manyAnswers(size, (k) => `\u6ce8\u6587 ${k} \u00e9t\u00e9 "caf\u00e9"\n\t\\`),
    },
  ];
}

const related: Shape = { fields: { relatedTitle: {} } };
const answer: Shape = {
  fields: {
    flags: { items: {} },
    message: {},
    messageList: { items: {} },
    attributes: { fields: { inbMainTitle: {}, title: {} } },
    parameters: { fields: { contents: { fields: { title: {}, related } } } },
  },
};

/** The shape that the gateway scans for. */
export const shape: CompiledShape = compileShape({
  fields: { ...answer.fields, answers: { items: answer } },
});
const text = quote("Nothing found. Try other words?");

/** The messages of all flagged answers and every related title. */
export function editsOf(bytes: Uint8Array): Edit[] {
  const edits: Edit[] = [];
  for (const one of itemsOf(fieldOf(scan(bytes, shape), "answers"))) {
    const contents = fieldOf(fieldOf(one, "parameters"), "contents");
    const places = [
      itemsOf(fieldOf(one, "flags")).length > 0 ? fieldOf(one, "message") : null,
      fieldOf(fieldOf(contents, "related"), "relatedTitle"),
    ];
    for (const place of places) {
      if (place?.kind === "string") edits.push({ start: place.start, end: place.end, bytes: text });
    }
  }
  return edits;
}

function fieldOf(node: JsonNode | null, name: string): JsonNode | null {
  return node?.kind === "object" ? (node.fields.get(name) ?? null) : null;
}

function itemsOf(node: JsonNode | null): readonly JsonNode[] {
  return node?.kind === "array" ? node.items : [];
}

function manyAnswers(size: number, say: (k: number) => string): Uint8Array {
  const list: string[] = [];
  for (let k = 0, length = 0; length < size; k++) {
    const message = say(k);
    const one = JSON.stringify({
      type: "answer",
      message,
      messageList: [message],
      options: null,
      flags: ["no-results"],
      attributes: { title: "Order status", SIDEBUBBLE_TEXT: "", DIRECT_CALL: "" },
      parameters: { contents: { title: "Order status", related: { relatedTitle: "See also:" } } },
    });
    list.push(one);
    length += one.length + 1;
  }
  return encoder.encode(`{"answers":[${list.join(",")}]}`);
}
