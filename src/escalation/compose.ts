import { escapeMarkup } from "../locales/markup.ts";
import type { TextFormat, RenderedLine } from "../locales/types.ts";
import { isPolar, type AnswerOption } from "./choice.ts";

/** An answer in Afterword's own name. */
export interface Composed {
  /** As the reader is to see it: finished in the format of the channel, and not empty. */
  readonly text: string;
  readonly options?: readonly AnswerOption[];
  /** Path of the reader's event stream, for clients that listen; null: there is none. */
  readonly events?: string | null;
}

/**
 * One element of `answers` as JSON, in the shape that every known client reads (chatbot.md, 3.5):
 * `message` and `messageList` say the same, `flags` is there and empty. A yes and a no make a polar
 * question, other options a multiple choice.
 */
export function composeAnswer({ text, options = [], events = null }: Composed): Uint8Array {
  const type =
    options.length === 0 ? "answer" : isPolar(options) ? "polarQuestion" : "multipleChoiceQuestion";
  return jsonBytes({
    type,
    message: text,
    messageList: [text],
    options: options.length === 0 ? null : options.map(({ label, value }) => ({ label, value })),
    actionField: null,
    flags: [],
    attributes: events === null ? {} : { AFTERWORD_EVENTS: events },
    parameters: { contents: null },
  });
}

/**
 * A whole response of POST /conversation/message. Without an answer it is one that clients pass
 * over in silence.
 */
export function composeResponse(answers: readonly Uint8Array[]): Uint8Array {
  return joined([OPENING, ...separated(answers), CLOSING]);
}

/** The text of a line that was said. */
export function textOfLine({ json }: RenderedLine): string {
  const text: unknown = JSON.parse(UTF8.decode(json));
  return typeof text === "string" ? text : "";
}

/** What somebody typed elsewhere, as it reads the same in this format: nothing of it is markup. */
export function writtenText(text: string, format: TextFormat): string {
  const clean = text
    .toWellFormed()
    .replaceAll(/\r\n?|[\u0085\u2028\u2029]/gu, "\n")
    .trim();
  return format === "text" ? clean : escapeMarkup(clean).replaceAll("\n", "<br>");
}

/** A link with its label. `address` is ours or was looked at: it is written as it stands. */
export function linkText(label: string, address: string, format: TextFormat): string {
  if (format === "text") return `${label} ${address}`;
  const href = escapeMarkup(address);
  return `<a href="${href}" target="_blank" rel="noopener noreferrer">${escapeMarkup(label)}</a>`;
}

/** Pieces of JSON with commas between. */
export function separated(values: readonly Uint8Array[]): readonly Uint8Array[] {
  return values.flatMap((value, index) => (index === 0 ? [value] : [COMMA, value]));
}

/** Bytes one after another. */
export function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const result = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    result.set(piece, at);
    at += piece.length;
  }
  return result;
}

const UTF8 = new TextDecoder();
const ENCODER = new TextEncoder();
const OPENING = ENCODER.encode('{"answers":[');
const CLOSING = ENCODER.encode("]}");
const COMMA = ENCODER.encode(",");

function jsonBytes(value: unknown): Uint8Array {
  return ENCODER.encode(JSON.stringify(value));
}
