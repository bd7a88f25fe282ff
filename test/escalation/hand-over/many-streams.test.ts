import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { type Bed, offered, openBed, openedChat, until } from "./bed.ts";

const settings = { identity: { ask: [] as const }, chat: { poll: 50 } };

interface Opened {
  text: string;
  isOver: boolean;
}

/** Opens a stream, and waits for the head of its answer. */
async function openStream(url: string, headers: Record<string, string>): Promise<Opened> {
  const request = get(url, { headers, agent: false });
  const [response] = (await once(request, "response")) as [IncomingMessage];
  onTestFinished(() => void response.destroy());
  expect(response.statusCode).toBe(200);
  const stream = { text: "", isOver: false };
  response.setEncoding("utf8").on("data", (piece: string) => (stream.text += piece));
  response.on("end", () => (stream.isOver = response.complete));
  return stream;
}

/** A conversation that the demo agent has accepted. */
async function accepted(bed: Bed) {
  const { chat, sam, talk, yes, events } = await offered(bed);
  await talk.choose(yes?.value);
  const { id } = await openedChat(chat, { status: "waiting" });
  await sam.accept(id);
  const open = () => openStream(bed.url + events, talk.headers);
  return { sam, id, open, talk };
}

test("downloads of a file that are not read take places, and further ones are refused", async () => {
  const bed = await openBed({
    settings,
    change: (config) => ({
      ...config,
      limits: { ...config.limits, inFlight: 8, queue: 0, streams: 1 },
    }),
  });
  const { sam, id, talk } = await accepted(bed);
  const bytes = new Uint8Array(7_000_000);
  bytes.set(new TextEncoder().encode("%PDF-1.4"));
  await sam.upload({ name: "manual.pdf", bytes, type: "application/pdf" }, { chatId: id });
  const address = await until(async () => {
    const answers = await talk.say(`and? ${Math.random()}`);
    return answers.flatMap(({ message }) => /href="([^"]+)"/u.exec(message)?.[1] ?? []).at(0);
  });
  const statuses = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const request = get(bed.url + address, { agent: false });
      const [response] = (await once(request, "response")) as [IncomingMessage];
      onTestFinished(() => void response.destroy());
      return response.statusCode;
    }),
  );
  expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(5);
  expect(statuses.filter((status) => status === 503).length).toBeGreaterThanOrEqual(15);
});

test("five streams of one conversation stay open, however many its reader opens", async () => {
  const bed = await openBed({ settings });
  const { sam, id, open } = await accepted(bed);
  const streams: Opened[] = [];
  while (streams.length < 500) {
    streams.push(...(await Promise.all(Array.from({ length: 50 }, () => open()))));
  }
  await until(async () => streams.filter(({ isOver }) => !isOver).length === 5);
  // A client that reconnects by itself is asked not to, so that two pages do not replace each other
  // in turns.
  const ended = streams.filter(({ isOver }) => isOver);
  expect(new Set(ended.map(({ text }) => text.trimEnd().split("\n").at(-1)))).toEqual(
    new Set(["retry: 60000"]),
  );

  await sam.send(id, { message: "to all who listen" });
  const other = await bed.talk();
  expect((await other.say("What are your opening hours?")).length).toBeGreaterThan(0);
  const open5 = streams.filter(({ isOver }) => !isOver);
  await until(async () => open5.every(({ text }) => text.includes("to all who listen")));
  expect(open5).toHaveLength(5);
  expect(ended.some(({ text }) => text.includes("to all who listen"))).toBe(false);
  await sam.logout();
});
