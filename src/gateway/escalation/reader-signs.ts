import { toHex } from "../../json/bytes.ts";
import { chatOf, type EscalationRecord } from "../../escalation/stores/record.ts";
import type { Records } from "../../escalation/records/records.ts";
import type { ChatService } from "../../escalation/services/chat-service.ts";
import { withChat, withReader } from "../../escalation/records/signs.ts";
import { memberOf } from "../../api/call/read.ts";
import { parseJson } from "../../json/values.ts";
import { pauseIdle } from "../../wait.ts";
import type { Core } from "../core.ts";
import { createCrossOriginFields, refuse } from "../exchange/errors.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { readAhead } from "../upstream/forward.ts";

export interface SignParts {
  readonly core: Core;
  readonly records: Records;
  readonly advance: (record: EscalationRecord) => Promise<EscalationRecord>;
  /** Returns the chat service of a record's instance; null if it has none any more. */
  readonly serviceOf: (record: EscalationRecord) => ChatService | null;
}

/**
 * Answers a POST to the address of the stream: `{"typing":true}` while the reader types, `{"read":12}`
 * when the reader has seen the answers up to this id. Both are passed on to an agent, but not to the
 * bot.
 */
export async function takeReaderSign(
  { records, advance, serviceOf }: SignParts,
  exchange: Exchange,
  record: EscalationRecord,
): Promise<void> {
  const body = await exchange.body?.peek(readAhead);
  if (body !== undefined && body.rest !== null) {
    return refuse(exchange, 413, "A typing or read event is smaller than this.");
  }
  const sign = parseJson(new TextDecoder().decode(body?.bytes));
  const typing = memberOf(sign, "typing");
  const read = memberOf(sign, "read");
  const isTyping = typeof typing === "boolean";
  const isRead = typeof read === "number" && Number.isSafeInteger(read) && read > 0;
  if (!isTyping && !isRead) {
    return refuse(exchange, 422, 'Send {"typing": true or false} or {"read": <an id>}.');
  }
  const chat = chatOf(record);
  if (chat !== null && isTyping) {
    const type = typing ? "writing" : "not-writing";
    // A failure is ignored, because the next event corrects what the agent sees.
    await serviceOf(record)?.activity(chat.id, chat.user, type);
  }
  if (chat !== null && isRead) {
    const now = await records.change(record.key, record.instance, (stored) => {
      const after = withReader(stored, read);
      return after === stored ? null : after;
    });
    await advance(now);
  }
  exchange.reply.send(
    204,
    "No Content",
    ["Cache-Control", "no-store", ...createCrossOriginFields(exchange.headers)],
    null,
  );
}

/** Tells agents when a reader with an open stream has left the page, and when the reader is back. */
export interface ReaderPresence {
  /** Called after the reader has opened a stream of this conversation. */
  enter(record: EscalationRecord): void;
  /** Called after the reader has closed the last stream of this conversation. */
  leave(record: EscalationRecord): void;
}

/** @param isListening true while this process has a stream of the conversation with this key */
export function createReaderPresence(
  { core, records, serviceOf }: SignParts,
  isListening: (key: string) => boolean,
): ReaderPresence {
  /** Keys of the conversations whose record is being written; true if it must be written again. */
  const writing = new Map<string, boolean>();

  return {
    enter(record) {
      if (chatOf(record) !== null) ignoreFailure(writeListener(record));
    },
    leave: (record) => ignoreFailure(noteGone(record)),
  };

  /** Writes a record once at a time. Streams that open meanwhile cause one further write together. */
  async function writeListener(record: EscalationRecord): Promise<void> {
    const { key } = record;
    if (writing.has(key)) return void writing.set(key, true);
    try {
      do {
        writing.set(key, false);
        await noteReturn(record);
      } while (writing.get(key) === true);
    } finally {
      writing.delete(key);
    }
  }

  /** Records that the reader is back, so that no other process regards the reader as gone. */
  async function noteReturn({ key, instance }: EscalationRecord): Promise<void> {
    const listener = toHex(core.platform.random(8));
    let wasAway = false;
    const now = await records.change(key, instance, (stored) => {
      const chat = chatOf(stored);
      if (chat === null) return null;
      wasAway = chat.away === true;
      return { ...withReader(stored, 0), listener };
    });
    const chat = chatOf(now);
    if (wasAway && chat !== null) await serviceOf(now)?.activity(chat.id, chat.user, "back");
  }

  async function noteGone({ key, instance }: EscalationRecord): Promise<void> {
    const { listener } = await records.load(key, instance);
    // A process that ends in the meantime reports nothing, because its readers reconnect to another.
    await pauseIdle(reconnecting);
    if (isListening(key)) return;
    const now = await records.load(key, instance);
    const chat = chatOf(now);
    if (chat === null || chat.away === true || now.listener !== listener) return;
    const reported = await serviceOf(now)?.activity(chat.id, chat.user, "away");
    if (reported?.kind !== "ok") return;
    await records.change(key, instance, (stored) => {
      const open = chatOf(stored);
      return open === null ? null : withChat(stored, { ...open, away: true });
    });
  }
}

/** Ignores the failure of work that may be lost. */
function ignoreFailure(work: Promise<void>): void {
  void work.catch(() => undefined);
}

/** Milliseconds in which a reloaded page reconnects. */
const reconnecting = 15_000;
