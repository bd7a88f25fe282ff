/** One event of `text/event-stream` as it is written (WHATWG HTML, 9.2.6). */
export function eventText({ retry, id, event, data }: EventFields): string {
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

/** One event (WHATWG HTML, 9.2.6); `data` is empty in one that only sets an id. */
export interface ServerSentEvent {
  readonly event: string;
  readonly data: string;
  /** The last id that the stream named, also by an earlier event; empty before the first. */
  readonly id: string;
  /** Milliseconds after which to connect again, where the stream named some by now. */
  readonly retry: number | null;
}

/** Reads `text/event-stream` to its end, without the part after the last blank line. */
export async function* readEvents(
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const decoder = new TextDecoder();
  let rest = "";
  let id = "";
  let retry: number | null = null;
  let event = "";
  let data: string[] = [];
  for await (const chunk of body) {
    rest += decoder.decode(chunk, { stream: true });
    // A carriage return at the end may be the first half of a line's end.
    const whole = rest.endsWith("\r") ? rest.slice(0, -1) : rest;
    const lines = whole.split(/\r\n|\n|\r/);
    rest = (lines.pop() ?? "") + rest.slice(whole.length);
    for (const line of lines) {
      if (line === "") {
        yield { event: event === "" ? "message" : event, data: data.join("\n"), id, retry };
        [event, data] = ["", []];
        continue;
      }
      const colon = line.indexOf(":");
      const name = colon === -1 ? line : line.slice(0, colon);
      const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
      if (name === "data") data.push(value);
      else if (name === "event") event = value;
      else if (name === "id" && !value.includes("\0")) id = value;
      else if (name === "retry" && /^\d+$/.test(value)) retry = Number(value);
    }
  }
}
