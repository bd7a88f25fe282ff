import type { ChatEvent, ChatMessage } from "../../api/chat/answers.ts";

/** A block of an event stream: what its `data:` lines say, if any, and the last `id:` so far. */
export interface StreamEvent {
  readonly id: string;
  readonly data: string;
}

/**
 * Reads a `text/event-stream` (HTML, 9.2.6) as it comes in. `alive` is called for everything that
 * comes, comments included. EventSource can send no headers, and a token has no business in an
 * address.
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  alive: () => void,
): AsyncGenerator<StreamEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let buffer = "";
  let id = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      alive();
      buffer += decoder.decode(value, { stream: true });
      const blocks = buffer.split(/\r\n\r\n|\n\n|\r\r/);
      buffer = blocks.pop() ?? "";
      for (const block of blocks) {
        const fields = fieldsOf(block);
        id = fields.get("id")?.at(-1) ?? id;
        yield { id, data: fields.get("data")?.join("\n") ?? "" };
      }
    }
  } finally {
    // A reader that stops ends the request.
    await reader.cancel().catch(() => undefined);
  }
}

function fieldsOf(block: string): ReadonlyMap<string, readonly string[]> {
  const fields = new Map<string, string[]>();
  for (const line of block.split(/\r\n|\n|\r/)) {
    const colon = line.indexOf(":");
    const name = colon === -1 ? line : line.slice(0, colon);
    if (name === "") continue;
    const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
    fields.set(name, [...(fields.get(name) ?? []), value]);
  }
  return fields;
}

/** The chat event of a stream's block, or null for what is none. */
export function chatEventOf({ id, data }: StreamEvent): ChatEvent | null {
  try {
    const parsed: unknown = JSON.parse(data);
    if (!isRecord(parsed) || !isRecord(parsed["data"])) return null;
    const event = { ...parsed, id: Number(id) };
    return isEvent(event) ? event : null;
  } catch {
    return null;
  }
}

/** Id of the chat that an event is about. */
export function chatIdOf({ data }: ChatEvent): string | null {
  const message = data["message"];
  const id = data["chatId"] ?? (isRecord(message) ? message["chat"] : null);
  return typeof id === "string" ? id : null;
}

/** The person who did it or to whom it happened; empty when there is none. */
export function personOf({ data }: ChatEvent): string {
  return typeof data["userId"] === "string" ? data["userId"] : "";
}

/** The message that a `messages:new` tells of. */
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
  const said = value["message"];
  return (
    typeof value["id"] === "string" &&
    typeof value["sender"] === "string" &&
    (typeof said === "string" || (isRecord(said) && typeof said["url"] === "string"))
  );
}
