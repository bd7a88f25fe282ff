import type { ChatEvent, ChatMessage } from "../../../api/chat/answers.ts";
import type { ServerSentEvent } from "../../../api/call/server-sent.ts";

/** Reads the chat event of a stream's event; null for any other event. */
export function chatEventOf({ id, data }: Pick<ServerSentEvent, "id" | "data">): ChatEvent | null {
  try {
    const parsed: unknown = JSON.parse(data);
    if (!isRecord(parsed) || !isRecord(parsed["data"])) return null;
    const event = { ...parsed, id: Number(id) };
    return isEvent(event) ? event : null;
  } catch {
    return null;
  }
}

/** Finds the id of the event's chat. */
export function chatIdOf({ data }: ChatEvent): string | null {
  const message = data["message"];
  const id = data["chatId"] ?? (isRecord(message) ? message["chat"] : null);
  return typeof id === "string" ? id : null;
}

/** Finds the person who caused the event or is affected by it; empty if there is none. */
export function personOf({ data }: ChatEvent): string {
  return typeof data["userId"] === "string" ? data["userId"] : "";
}

/** True after an event if its person is in the chat since, false if no longer; else undefined. */
export function membershipAfter({ trigger }: ChatEvent): boolean | undefined {
  if (trigger === "chats:join") return true;
  return trigger === "chats:leave" ? false : undefined;
}

/** Reads the message of a `messages:new`. */
export function messageOf({ data }: ChatEvent): ChatMessage | null {
  const { message } = data;
  return isRecord(message) && isMessage(message) ? message : null;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isEvent(value: Record<string, unknown>): value is Record<string, unknown> & ChatEvent {
  return (
    Number.isInteger(value["id"]) &&
    typeof value["trigger"] === "string" &&
    typeof value["created_at"] === "number"
  );
}

function isMessage(value: Record<string, unknown>): value is Record<string, unknown> & ChatMessage {
  const content = value["message"];
  return (
    typeof value["id"] === "string" &&
    typeof value["sender"] === "string" &&
    (typeof content === "string" || (isRecord(content) && typeof content["url"] === "string"))
  );
}
