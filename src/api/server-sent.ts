/**
 * One event of a stream (WHATWG HTML, 9.2.6), or one that sets an id alone: then `data` is empty.
 */
export interface ServerSent {
  readonly event: string;
  readonly data: string;
  /** The last id that the stream named, also by an earlier event; empty before the first. */
  readonly id: string;
  /** Milliseconds after which to connect again, where the stream named some by now. */
  readonly retry: number | null;
}

/**
 * Reads `text/event-stream`. Ends with the stream; what stands behind the last blank line is left
 * out, as it is not whole.
 */
export async function* serverSent(
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<ServerSent, void, undefined> {
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
