import { z } from "zod";
import { STREAM_TRIGGERS } from "../../../api/chat/states.ts";
import type { ChatEvent } from "../../../api/chat/answers.ts";
import { writeCsv } from "../../../config/translation/spreadsheet-cell.ts";
import { isObject } from "../../../json/values.ts";
import { streamPieces } from "../../http/files.ts";
import { Refusal } from "../../http/refusal.ts";
import type { ChatRow } from "./chat-rows.ts";
import type { Queries } from "../../storage/tables/database.ts";

const data = z.record(z.string(), z.unknown());

/**
 * Exports the events of a chat, oldest first, as JSON or CSV. They are read as the client takes them,
 * because a chat may have any number of messages. Throws 422.
 */
export async function exportHistory(
  queries: Queries,
  chat: ChatRow,
  format: string,
): Promise<Response> {
  if (format !== "json" && format !== "csv") {
    throw new Refusal(422, "format: must be json or csv");
  }
  const portions = readPortions(queries, chat);
  const texts = format === "json" ? writeJson(portions) : writeCsvLines(portions);
  // An error of the first portion is answered as usual.
  const first = await texts.next();
  const body = streamPieces(first.done === true ? "" : first.value, texts);
  if (format === "json") {
    return new Response(body, { headers: { "content-type": "application/json" } });
  }
  return new Response(body, {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="chat-${chat.number}.csv"`,
      "cache-control": "private, no-store",
    },
  });
}

type Portions = AsyncGenerator<readonly ChatEvent[]>;

/** The most events that are read at once. */
const maxRead = 50;

async function* readPortions(queries: Queries, chat: ChatRow): Portions {
  let last = 0;
  for (;;) {
    const rows = await queries
      .selectFrom("chat_log")
      .selectAll()
      .where("chat", "=", chat.number)
      .where("number", ">", last)
      .where("trigger_name", "<>", "users:activity")
      .orderBy("number")
      .limit(maxRead)
      .execute();
    yield rows.map((row) => toEvent(row));
    if (rows.length < maxRead) return;
    last = rows.at(-1)?.number ?? last;
  }
}

async function* writeJson(portions: Portions): AsyncGenerator<string> {
  let text = '{"history":[';
  let isFirst = true;
  for await (const events of portions) {
    const separator = isFirst || events.length === 0 ? "" : ",";
    yield text + separator + events.map((event) => JSON.stringify(event)).join(",");
    text = "";
    isFirst = false;
  }
  yield "]}";
}

async function* writeCsvLines(portions: Portions): AsyncGenerator<string> {
  let text = writeCsv([header]);
  for await (const events of portions) {
    yield text + writeCsv(events.map(toCells));
    text = "";
  }
}

export function toEvent(row: {
  readonly number: number;
  readonly trigger_name: string;
  readonly data: string;
  readonly at: number;
}): ChatEvent {
  const trigger = STREAM_TRIGGERS.find((name) => name === row.trigger_name) ?? "system:info";
  return {
    id: row.number,
    trigger,
    data: data.parse(JSON.parse(row.data)),
    created_at: Math.floor(row.at / 1000),
  };
}

const header = ["id", "time", "trigger", "person", "type", "text", "imported"];

function toCells({ id, trigger, data, created_at: at }: ChatEvent): readonly (string | number)[] {
  const message = isObject(data["message"]) ? data["message"] : {};
  const person = data["userId"] ?? message["sender"] ?? "";
  const content = message["message"] ?? "";
  return [
    id,
    new Date(at * 1000).toISOString(),
    trigger,
    textOf(person),
    textOf(message["type"] ?? data["type"]),
    typeof content === "string" ? content : JSON.stringify(content),
    data["imported"] === true ? "yes" : "",
  ];
}

function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
