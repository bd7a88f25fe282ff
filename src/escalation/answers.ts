import type { InstanceConfig } from "../config/config.ts";
import { formatOf } from "../locales/formats.ts";
import { escapeMarkup } from "../locales/markup.ts";
import type { RenderedLine, TextFormat } from "../locales/types.ts";
import { listUndelivered } from "./records/messages.ts";
import { type QuestionOption, isPolar } from "./questions.ts";
import type { EscalationRecord, ReaderMessage } from "./stores/record.ts";

/** An answer in Afterword's own name. */
export interface Composed {
  /** As the reader is to see it: finished in the format of the channel, and not empty. */
  readonly text: string;
  readonly options?: readonly QuestionOption[];
  /** Path of the reader's event stream, for clients that listen; null if there is none. */
  readonly events?: string | null;
  /** The agent who says it; empty where the name is not known. */
  readonly agent?: string;
}

/**
 * One element of `answers` as JSON, in the shape that every known client reads (chatbot.md, 3.5):
 * `message` and `messageList` say the same, `flags` is there and empty. A yes and a no make a polar
 * question, other options a multiple choice.
 */
export function composeAnswer(composed: Composed): string {
  const { text, options = [], events = null, agent } = composed;
  const type =
    options.length === 0 ? "answer" : isPolar(options) ? "polarQuestion" : "multipleChoiceQuestion";
  return JSON.stringify({
    type,
    message: text,
    messageList: [text],
    options: options.length === 0 ? null : options.map(({ label, value }) => ({ label, value })),
    actionField: null,
    flags: [],
    attributes: {
      ...(events !== null && { AFTERWORD_EVENTS: events }),
      ...(agent !== undefined && { AFTERWORD_AGENT: agent }),
    },
    parameters: { contents: null },
  });
}

/** A whole response of POST /conversation/message. Without an answer clients show nothing. */
export function composeResponse(answers: readonly string[]): string {
  return `{"answers":[${answers.join(",")}]}`;
}

/** The messages that are not delivered yet as answers, and the record in which they are. */
export function deliverAll(
  record: EscalationRecord,
  instance: InstanceConfig,
): { readonly record: EscalationRecord; readonly answers: readonly string[] } {
  const answers = listUndelivered(record).map((message) =>
    messageAsAnswer(record, instance, message),
  );
  const { lastMessage } = record;
  return { record: { ...record, delivered: lastMessage, deliveredByTurn: lastMessage }, answers };
}

/** Writes one message in the form of an answer of the engine. */
export function messageAsAnswer(
  record: EscalationRecord,
  { formats }: InstanceConfig,
  message: ReaderMessage,
): string {
  const { options, kind, name = "" } = message;
  const { channel, eventId } = record;
  return composeAnswer({
    text: textOf(record, message, formatOf(formats, channel)),
    events: eventId === "" ? null : `/_afterword/conversations/${eventId}/events`,
    ...(options !== undefined && { options }),
    ...(kind !== "line" && { agent: name }),
  });
}

function textOf({ eventId }: EscalationRecord, message: ReaderMessage, format: TextFormat): string {
  const { kind, text, media } = message;
  if (kind === "line") return text;
  const id = media === undefined ? null : readMediaId(media.url);
  if (id === null) return toWrittenText(text, format);
  const address = `/_afterword/conversations/${eventId}/media/${encodeURIComponent(id)}`;
  return linkText(text, address, format);
}

/** The text of a line. */
export function textOfLine({ json }: RenderedLine): string {
  const text: unknown = JSON.parse(new TextDecoder().decode(json));
  return typeof text === "string" ? text : "";
}

/** Text that was typed elsewhere, so that it reads the same in this format: no markup. */
export function toWrittenText(text: string, format: TextFormat): string {
  const clean = text
    .toWellFormed()
    .replaceAll(/\r\n?|[\u0085\u2028\u2029]/gu, "\n")
    .trim();
  return format === "text" ? clean : escapeMarkup(clean).replaceAll("\n", "<br>");
}

/**
 * Creates a link with its label. `address` must be Afterword's own or checked, because it is
 * written unchanged.
 */
export function linkText(label: string, address: string, format: TextFormat): string {
  if (format === "text") return `${label} ${address}`;
  const href = escapeMarkup(address);
  return `<a href="${href}" target="_blank" rel="noopener noreferrer">${escapeMarkup(label)}</a>`;
}

/**
 * The id of a file of the chat, decoded: the last segment of its address, `/media/<id>`, without
 * query and fragment. Encode it once wherever it becomes a segment again.
 *
 * @param url as the chat wrote it, or the last segment of a request for the file
 * @returns null when there is nothing to ask for: no segment, one that a path is resolved by, or no
 *   well-formed text
 */
export function readMediaId(url: string): string | null {
  const path = url.replace(/[?#].*$/su, "");
  const id = decodeSegment(path.slice(path.lastIndexOf("/") + 1));
  // A lone surrogate cannot be encoded: encodeURIComponent throws.
  return id === "" || !id.isWellFormed() || id.split(/[/\\]/u).some(isDots) ? null : id;
}

/** A segment of a path as text: a `%` that codes nothing stands for itself. */
export function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Some servers ignore parameters behind dots. */
function isDots(segment: string): boolean {
  return /^\.\.?(?:;.*)?$/su.test(segment);
}
