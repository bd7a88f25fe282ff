// Suite: all
import { once } from "node:events";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { get, type IncomingMessage, type ServerResponse } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { offered, openBed, until } from "./bed.ts";

test("a reader who does not read costs little memory, and receives each message once and in order", async () => {
  const bed = await openBed({ settings: { identity: { ask: [] }, chat: { poll: 20 } } });
  const responses = watchStreams();
  const { chat, sam, talk, yes, events } = await offered(bed);
  await talk.choose(yes?.value);
  let id = "";
  for await (const one of chat.chats()) id = one.id;
  await sam.accept(id);

  const request = get(bed.url + events, { headers: talk.headers });
  const [stream] = (await once(request, "response")) as [IncomingMessage];
  onTestFinished(() => void stream.destroy());
  stream.pause();

  const [response] = responses;
  let most = 0;
  const looking = setInterval(() => {
    most = Math.max(most, response?.writableLength ?? 0);
  }, 5);
  onTestFinished(() => clearInterval(looking));
  // Three bytes per letter: more than the system buffers for a connection.
  const sent = Array.from({ length: 300 }, (_, index) => `${index} ${"語".repeat(9900)}`);
  // Sent by the app's server, as the agent, because a person may send only 120 messages a minute.
  for (const message of sent) await chat.send(id, { sender: "demo-agent", message });
  await until(async () => response?.writableNeedDrain, 150_000);
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThan(200_000);

  const texts: string[] = [];
  stream.setEncoding("utf8").on("data", eventsTo(texts));
  stream.resume();
  await until(async () => texts.length >= sent.length, 150_000);
  expect(texts.map((message) => message.slice(0, 20))).toEqual(
    sent.map((message) => message.slice(0, 20)),
  );
  expect(most).toBeLessThan(200_000);
});

/**
 * Takes the pieces of an event stream, and adds the texts of its events that begin with a number.
 */
function eventsTo(messages: string[]): (piece: string) => void {
  let rest = "";
  return (piece) => {
    const parts = (rest + piece).split("\n\n");
    rest = parts.pop() ?? "";
    for (const part of parts) {
      const [, data] = /^event: answer\ndata: (.*)$/mu.exec(part) ?? [];
      if (data === undefined) continue;
      const { message } = JSON.parse(data) as { message: string };
      if (/^\d/u.test(message)) messages.push(message);
    }
  };
}

/** The answers of this process to readers who listen. */
function watchStreams(): readonly ServerResponse[] {
  const found: ServerResponse[] = [];
  const begun = (message: unknown): void => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    if (request.url?.endsWith("/events")) found.push(response);
  };
  subscribe("http.server.request.start", begun);
  onTestFinished(() => void unsubscribe("http.server.request.start", begun));
  return found;
}
