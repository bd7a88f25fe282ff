import { z } from "zod";
import { STREAM_TRIGGERS } from "../../../api/chat/states.ts";
import type { ChatEvent } from "../../../api/chat/answers.ts";
import { writeCsv } from "../../../config/translation/spreadsheet-cell.ts";
import { isObject } from "../../../json/values.ts";
import { Refusal } from "../../http/refusal.ts";
import type { ChatRow } from "./chat-rows.ts";
import type { Queries } from "../../storage/tables/database.ts";

const data = z.record(z.string(), z.unknown());

/** Exports the events of a chat, oldest first, as JSON or CSV. Throws 422. */
export async function exportHistory(
  queries: Queries,
  chat: ChatRow,
  format: string,
): Promise<Response | { readonly history: readonly ChatEvent[] }> {
  if (format !== "json" && format !== "csv") {
    throw new Refusal(422, "format: must be json or csv");
  }
  const rows = await queries
    .selectFrom("chat_log")
    .selectAll()
    .where("chat", "=", chat.number)
    .where("trigger_name", "<>", "users:activity")
    .orderBy("number")
    .execute();
  const history = rows.map((row) => toEvent(row));
  if (format === "json") return { history };
  return new Response(toCsv(history), {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="chat-${chat.number}.csv"`,
      "cache-control": "private, no-store",
    },
  });
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

function toCsv(history: readonly ChatEvent[]): string {
  const lines = history.map(({ id, trigger, data, created_at: at }) => {
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
  });
  return writeCsv([header, ...lines]);
}

function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
