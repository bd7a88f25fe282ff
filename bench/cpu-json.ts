/**
 * What reading an answer costs, beside what JSON.parse costs: `node bench/cpu-json.ts`. Median ns of one call, in rounds that
 * alternate between the contenders.
 */
import { findBytes, hasNonEmptyArrayMember } from "../src/json/find.ts";
import { compileNeedles, hasEscapedAscii, mayHold } from "../src/json/needles.ts";
import { quote } from "../src/json/quote.ts";
import { scan } from "../src/json/scan.ts";
import { compileShape } from "../src/json/shape.ts";
import { splice } from "../src/json/splice.ts";
import type { Edit, JsonNode, Shape } from "../src/json/types.ts";

const ROUNDS = 60;
const BYTES_PER_ROUND = 400_000;
const MEGABYTE = 1 << 20;

const RELATED: Shape = { fields: { relatedTitle: {} } };
const CONTENTS: Shape = { fields: { title: {}, related: RELATED } };
const ANSWER: Shape = {
  fields: {
    flags: { items: {} },
    message: {},
    messageList: { items: {} },
    attributes: { fields: { inbMainTitle: {}, title: {} } },
    parameters: { fields: { contents: CONTENTS } },
  },
};
const SHAPE = compileShape({ fields: { ...ANSWER.fields, answers: { items: ANSWER } } });
const NEEDLES = compileNeedles({ nonEmptyArrays: ["flags"], names: ["relatedTitle"] });
const TEXT = quote("Nothing found. Try other words?");
const DECODER = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const ENCODER = new TextEncoder();

console.log("one flagged answer body, ns per call");
for (const size of [500, 1700, 4000, 16_000, MEGABYTE]) {
  const bytes = answers(size, ["no-results"], "You might also be interested in:");
  const parse = (): unknown => JSON.parse(DECODER.decode(bytes));
  const medians = race(bytes.length, {
    scan: () => scan(bytes, SHAPE),
    "scan+splice": () => splice(bytes, editsOf(scan(bytes, SHAPE))),
    parse,
    "parse+stringify": () => ENCODER.encode(JSON.stringify(parse())),
  });
  console.log(`${String(bytes.length).padStart(8)} bytes`, line(medians));
}

console.log("\nthe search before the scan, 1 MB without a needle, ns per call");
const BODIES: { readonly [name: string]: Uint8Array } = {
  'answers with "flags":[]': answers(MEGABYTE, [], null),
  'nothing but "flags":[]': full('"flags":[],'),
  "full of \\n": full("\\n"),
  "full of \\/": full("\\/"),
  'full of \\"': full('\\"'),
  "full of \\u00e9": full("\\u00e9"),
  "full of zeros": full("0"),
};
const FLAGS = ENCODER.encode('"flags"');
const RELATED_TITLE = ENCODER.encode('"relatedTitle"');
for (const [name, bytes] of Object.entries(BODIES)) {
  const medians = race(bytes.length, {
    mayHold: () => mayHold(bytes, NEEDLES),
    hasEscapedAscii: () => hasEscapedAscii(bytes),
    hasNonEmptyArrayMember: () => hasNonEmptyArrayMember(bytes, FLAGS),
    findBytes: () => findBytes(bytes, RELATED_TITLE),
  });
  console.log(name.padEnd(26), line(medians));
}

function race(
  bytes: number,
  contenders: { readonly [name: string]: () => unknown },
): Map<string, number> {
  const calls = Math.max(1, Math.round(BYTES_PER_ROUND / bytes));
  const times = new Map<string, number[]>();
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, run] of Object.entries(contenders)) {
      const start = performance.now();
      for (let call = 0; call < calls; call++) run();
      const taken = ((performance.now() - start) * 1e6) / calls;
      times.set(name, [...(times.get(name) ?? []), taken]);
    }
  }
  return new Map([...times].map(([name, list]) => [name, medianOf(list)]));
}

function medianOf(list: number[]): number {
  return list.sort((a, b) => a - b)[list.length >> 1] ?? Number.NaN;
}

function line(medians: ReadonlyMap<string, number>): string {
  return [...medians].map(([name, ns]) => `${name} ${ns.toFixed(0)}`.padEnd(32)).join("");
}

/** The messages of all flagged answers and every related title. */
function editsOf(root: JsonNode | null): Edit[] {
  const edits: Edit[] = [];
  for (const answer of itemsOf(fieldOf(root, "answers"))) {
    const contents = fieldOf(fieldOf(answer, "parameters"), "contents");
    const places = [
      itemsOf(fieldOf(answer, "flags")).length > 0 ? fieldOf(answer, "message") : null,
      fieldOf(fieldOf(contents, "related"), "relatedTitle"),
    ];
    for (const place of places) {
      if (place?.kind === "string") edits.push({ start: place.start, end: place.end, bytes: TEXT });
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

function full(unit: string): Uint8Array {
  return ENCODER.encode(unit.repeat(Math.floor(MEGABYTE / unit.length)));
}

function answers(size: number, flags: readonly string[], relatedTitle: string | null): Uint8Array {
  const list: string[] = [];
  let length = 0;
  for (let k = 0; length < size; k++) {
    const message = `Your order number ${k} is on its way. <a href="https://shop.example/orders/${k}">Follow it here</a>, or ask me anything else about it.`;
    const related =
      relatedTitle === null
        ? null
        : { relatedTitle, relatedContents: [{ id: k, title: "Returns and refunds" }] };
    const answer = JSON.stringify({
      type: "answer",
      message,
      messageList: [message],
      options: null,
      actionField: null,
      flags,
      attributes: { title: "Order status", SIDEBUBBLE_TEXT: "", DIRECT_CALL: "" },
      intent: { type: "CONTENT", score: 1.1 },
      parameters: {
        contents: {
          title: "Order status",
          trackingCode: { clickCode: `c-${k * 7919}`, rateCode: `r-${k * 104_729}` },
          url: { value: "https://shop.example/help", target: "_blank" },
          related,
        },
      },
    });
    list.push(answer);
    length += answer.length + 1;
  }
  return ENCODER.encode(`{"answers":[${list.join(",")}]}`);
}
