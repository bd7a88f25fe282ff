import type { Talk } from "./bed.ts";

export interface StreamedEvent {
  readonly id: string;
  readonly event: string;
  readonly data: Record<string, unknown>;
}

/** Listens to a conversation's events with fetch, as a page does. */
export function listenAt(
  url: string,
  talk: Pick<Talk, "headers">,
  path: string,
  lastEventId?: string,
) {
  const stop = new AbortController();
  const received: StreamedEvent[] = [];
  const ids: string[] = [];
  const headers = {
    "x-inbenta-session": talk.headers["x-inbenta-session"] ?? "",
    ...(lastEventId !== undefined && { "last-event-id": lastEventId }),
  };
  const done = (async () => {
    const response = await fetch(url + path, { headers, signal: stop.signal });
    if (response.body === null || response.status !== 200) throw new Error(`${response.status}`);
    let text = "";
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const parts = text.split("\n\n");
      text = parts.pop() ?? "";
      for (const part of parts) {
        const field = (name: string): string =>
          new RegExp(`^${name}: (.*)$`, "mu").exec(part)?.[1] ?? "";
        if (field("id") !== "") ids.push(field("id"));
        if (field("data") === "") continue;
        received.push({ id: field("id"), event: field("event"), data: JSON.parse(field("data")) });
      }
    }
  })().catch(() => undefined);
  const words = (): unknown[] =>
    received.filter(({ event }) => event === "answer").map(({ data }) => data["message"]);
  return { received, words, ids: () => ids, stop: () => stop.abort(), done };
}
