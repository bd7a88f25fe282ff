/** Formats an event for `text/event-stream` (WHATWG HTML, 9.2.6). */
export function formatEvent({ retry, id, event, data }: EventFields): string {
  let text = "";
  if (retry !== undefined) text += `retry: ${retry}\n`;
  if (id !== undefined) text += `id: ${id}\n`;
  if (event !== undefined) text += `event: ${event}\n`;
  if (data !== undefined) text += `data: ${data}\n`;
  return `${text}\n`;
}

export interface EventFields {
  /** Milliseconds after which a client connects again. */
  readonly retry?: number;
  readonly id?: string | number;
  readonly event?: string;
  /** One line, such as JSON. */
  readonly data?: string;
}

/** An event that was read. `data` is empty in one without data, such as an id alone. */
export interface ServerSentEvent {
  readonly event: string;
  readonly data: string;
  /** The stream's latest id, which may be from an earlier event; empty before the first. */
  readonly id: string;
  /** Milliseconds to wait before reconnecting; null if the stream has not named any so far. */
  readonly retry: number | null;
}

/**
 * Yields the events of `text/event-stream` to its end, without an incomplete last one. Leaving the
 * loop ends the request. Browsers' EventSource is no alternative: it cannot send headers, and tokens
 * must not be in addresses.
 *
 * @param arrived called for every piece of the stream, comments included
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  arrived: () => void = () => undefined,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const reader = body.getReader();
  // The decoder drops a byte order mark.
  const decoder = new TextDecoder();
  const block = createBlock();
  let rest = "";
  let isReturn = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      arrived();
      let text = decoder.decode(value, { stream: true });
      if (text === "") continue;
      // A CRLF may be divided: its carriage return has already ended a line.
      if (isReturn && text.startsWith("\n")) text = text.slice(1);
      isReturn = text.endsWith("\r");
      const lines = (rest + text).split(/\r\n|\n|\r/);
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (line === "") yield block.end();
        else block.add(line);
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Creates a collector of an event's fields. It ignores unknown ones and comments. */
function createBlock() {
  let id = "";
  let retry: number | null = null;
  let event = "";
  let data: string[] = [];
  return {
    add(line: string): void {
      const colon = line.indexOf(":");
      const name = colon === -1 ? line : line.slice(0, colon);
      const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
      if (name === "data") data.push(value);
      else if (name === "event") event = value;
      else if (name === "id" && !value.includes("\0")) id = value;
      else if (name === "retry" && /^\d+$/.test(value)) retry = Number(value);
    },
    end(): ServerSentEvent {
      const ended = { event: event === "" ? "message" : event, data: data.join("\n"), id, retry };
      [event, data] = ["", []];
      return ended;
    },
  };
}
