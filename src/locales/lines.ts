import { quote } from "../json/quote.ts";
import { compileCondition } from "./condition.ts";
import { positionsOf } from "./markup.ts";
import { isBlank } from "./plain-text.ts";
import { findPluralCategory, type SlotUse, readSlotValue } from "./slots.ts";
import type {
  Count,
  Line,
  LineContext,
  Phrase,
  RenderedLine,
  TableSet,
  Template,
  TextFormat,
} from "./types.ts";

/** The lines of one table set, ready to be written into a JSON document. */
export interface LineTable {
  /**
   * The line for a key in the context's locale and channel, or null when no candidate has all its
   * values. Candidates are tried in the table's order; within a line the conditions first. A
   * channel or key without a table of its own uses the channel `""`.
   */
  render(key: string, context: LineContext, count: Count): RenderedLine | null;
}

/** Lines are compiled when they are first needed. */
export function createLineTable(set: TableSet): LineTable {
  return new CompiledLines(set);
}

class CompiledLines implements LineTable {
  readonly #set: TableSet;
  /** By locale, and channel if there is one; then by key. */
  readonly #texts = new Map<string, Map<string, Text>>();

  constructor(set: TableSet) {
    this.#set = set;
  }

  render(key: string, context: LineContext, count: Count): RenderedLine | null {
    const { locale, channel } = context;
    // Channel names come from clients: only those of the set are remembered.
    const spoken = channel !== "" && Object.hasOwn(this.#set.channels, channel) ? channel : "";
    const where = spoken === "" ? locale : `${locale}\n${spoken}`;
    let texts = this.#texts.get(where);
    if (texts === undefined) this.#texts.set(where, (texts = new Map()));
    let text = texts.get(key);
    if (text === undefined) {
      text = compile(this.#set, key, locale, spoken);
      texts.set(key, text);
    }
    return render(text, context, count);
  }
}

function compile(set: TableSet, key: string, locale: string, channel: string): Text {
  const lines = linesOf(set, channel, locale, key) ?? linesOf(set, "", locale, key) ?? [];
  return firstOf(lines.flatMap((line) => compileLine(key, line)));
}

function linesOf(
  set: TableSet,
  channel: string,
  locale: string,
  key: string,
): readonly Line[] | null {
  const tables = readOwn(set.channels, channel);
  const table = tables === null ? null : readOwn(tables, locale);
  return table === null ? null : readOwn(table.lines, key);
}

function readOwn<T>(record: { readonly [name: string]: T }, name: string): T | null {
  return Object.hasOwn(record, name) ? (record[name] ?? null) : null;
}

/** The text of a line: always the same, or dependent on the context. Null means nothing. */
type Text = RenderedLine | Render | null;
type Render = (context: LineContext, count: Count) => RenderedLine | null;

function render(text: Text, context: LineContext, count: Count): RenderedLine | null {
  return typeof text === "function" ? text(context, count) : text;
}

/** The first of these that has all its values. */
function firstOf(texts: readonly Text[]): Text {
  const some = texts.filter((text) => text !== null);
  const [first = null] = some;
  if (typeof first !== "function") return first;
  return (context, count) => {
    for (const text of some) {
      const rendered = render(text, context, count);
      if (rendered !== null) return rendered;
    }
    return null;
  };
}

function compileLine(key: string, line: Line): readonly Text[] {
  const conditional = (line.when ?? []).map(({ when, ...phrase }, index): Text => {
    const holds = compileCondition(when);
    const text = compilePhrase(phrase, `${key}.when[${index}]`, line, key);
    return (context, count) => (holds(context) ? render(text, context, count) : null);
  });
  return [...conditional, compilePhrase(line.say ?? {}, key, line, key)];
}

function compilePhrase(phrase: Phrase, rule: string, line: Line, key: string): Text {
  const compileText = (template: Template, path: string): Text =>
    compileTemplate(template, { locale: line.locale, origin: line.origin, rule: path });
  if (phrase.plural !== undefined) {
    const forms = new Map(
      Object.entries(phrase.plural).map(([category, form]) => [
        category,
        compileText(form, `${rule}.plural.${category}`),
      ]),
    );
    return (context, count) => {
      const counted = count();
      if (counted === null) return null;
      const form =
        forms.get(findPluralCategory(line.locale, counted)) ?? forms.get("other") ?? null;
      return render(form, context, count);
    };
  }
  if (phrase.variants !== undefined) {
    const variants = phrase.variants.map((variant, index) =>
      compileText(variant, `${rule}.variants[${index}]`),
    );
    return (context, count) => {
      // The hash chooses where to begin. A variant that lacks a value is skipped for the next.
      const start = variants.length > 1 ? hashStably([key, ...context.seed()]) : 0;
      const from = start % variants.length;
      const inTurn = [...variants.slice(from), ...variants.slice(0, from)];
      return render(firstOf(inTurn), context, count);
    };
  }
  return phrase.text === undefined ? null : compileText(phrase.text, rule);
}

/** A value is inserted once: braces inside it stay text. */
function compileTemplate({ format, parts }: Template, source: RenderedLine["source"]): Text {
  if (parts.every((part) => typeof part === "string")) {
    const text = parts.join("");
    return isBlank(text) ? null : { json: quote(text), source };
  }
  const uses = usesOf(parts, format);
  return (context, count) => {
    let text = "";
    for (const [index, part] of parts.entries()) {
      const use = uses[index] ?? CONTENT;
      const piece =
        typeof part === "string"
          ? part
          : readSlotValue(part.slot, context, count, source.locale, use);
      if (piece === null) return null;
      text += piece;
    }
    return { json: quote(text), source };
  };
}

/** How the value of each part is written. */
function usesOf(parts: Template["parts"], format: TextFormat): readonly SlotUse[] {
  if (format === "html") return positionsOf(parts);
  const around = parts.filter((part) => typeof part === "string").join("");
  return parts.map(() => ({ kind: "plain", around }));
}

const CONTENT: SlotUse = { kind: "content" };

/** 32-bit FNV-1a over the separated pieces, low bits mixed; equal in every process and release. */
function hashStably(pieces: readonly (string | Uint8Array)[]): number {
  let hash = 0x811c9dc5;
  for (const piece of pieces) {
    for (const byte of typeof piece === "string" ? UTF8.encode(piece) : piece) {
      hash = Math.imul(hash ^ byte, PRIME);
    }
    // 0xff occurs in no UTF-8: ["ab","c"] and ["a","bc"] differ.
    hash = Math.imul(hash ^ 0xff, PRIME);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

const PRIME = 0x01000193;
const UTF8 = new TextEncoder();
