import type { InstanceConfig } from "../../config/config.ts";
import { composeAnswer, composeResponse, linkText, writtenText } from "../../escalation/compose.ts";
import type { EscalationRecord, ReaderMessage } from "../../escalation/record.ts";
import { undelivered } from "../../escalation/sayings.ts";
import type { TextFormat } from "../../locales/types.ts";
import type { Exchange } from "../exchange.ts";
import { fieldOf } from "../headers.ts";
import { mediaId } from "./media-id.ts";

/** What nobody has told the reader yet, as answers; and the record that knows it told. */
export function deliverAll(
  record: EscalationRecord,
  instance: InstanceConfig,
): { readonly record: EscalationRecord; readonly answers: readonly Uint8Array[] } {
  const answers = undelivered(record).map((said) => messageAsAnswer(record, instance, said));
  const { lastMessage: lastSaying } = record;
  return { record: { ...record, delivered: lastSaying, deliveredByTurn: lastSaying }, answers };
}

/** One saying as an answer of the engine would stand in a response. */
export function messageAsAnswer(
  record: EscalationRecord,
  instance: InstanceConfig,
  said: ReaderMessage,
): Uint8Array {
  const { options } = said;
  return composeAnswer({
    text: textOf(record, said, formatOf(instance, record.channel)),
    events: eventsPath(record),
    ...(options !== undefined && { options }),
  });
}

/** Where the reader's stream is, below the gateway's own address; null before there is one. */
export function eventsPath({ eventId }: EscalationRecord): string | null {
  return eventId === "" ? null : `/_afterword/conversations/${eventId}/events`;
}

/** Sends an answer of our own: the engine was not asked. */
export function sendAnswers(exchange: Exchange, answers: readonly Uint8Array[]): void {
  const body = composeResponse(answers);
  const headers = ["Content-Type", "application/json", "Content-Length", String(body.length)];
  headers.push("Cache-Control", "no-store");
  const origin = fieldOf(exchange.headers, "origin");
  // The session token in the request is what opens the conversation, not the page it comes from.
  if (origin !== null) headers.push("Access-Control-Allow-Origin", origin, "Vary", "Origin");
  exchange.reply.send(200, "OK", headers, body);
}

function textOf(record: EscalationRecord, said: ReaderMessage, format: TextFormat): string {
  if (said.kind === "line") return said.text;
  if (said.kind === "agent" || said.media === undefined) return writtenText(said.text, format);
  const id = mediaId(said.media.url);
  if (id === null) return writtenText(said.text, format);
  const address = `/_afterword/conversations/${record.eventId}/media/${encodeURIComponent(id)}`;
  return linkText(said.text, address, format);
}

function formatOf({ formats }: InstanceConfig, channel: string): TextFormat {
  const own = Object.hasOwn(formats, channel) ? formats[channel] : formats[""];
  return own ?? formats[""] ?? "html";
}
