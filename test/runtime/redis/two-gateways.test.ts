import { expect, onTestFinished, test, vi } from "vitest";
import {
  type Bed,
  openBed,
  optionsOf,
  signIn,
  toTheOffer,
} from "../../escalation/hand-over/bed.ts";
import { openTrouble, type Trouble } from "../../escalation/hand-over/trouble.ts";
import { startRedis } from "./redis-server.ts";
import { createFolder } from "../../fixtures/folder.ts";

/** Two gateways that share a Redis and one backend. */
async function pair(settings: object): Promise<{ one: Bed; other: Bed; service: Trouble }> {
  // A server of its own: the keepers of two beds look at all open records.
  const { address } = await startRedis();
  const data = createFolder();
  const service = await openTrouble();
  const all = { identity: { ask: [] }, ...settings };
  const options = { data, settings: all, chat: service.url, store: address };
  const [one, other] = [await openBed(options), await openBed(options)];
  service.to(one.url);
  return { one, other, service };
}

/** Makes the same choice at both, several times at once, then sends `messages` to each in turn. */
async function sayAtBoth({ one, other }: { one: Bed; other: Bed }, messages: readonly string[]) {
  const talk = await one.talk();
  const [yes] = optionsOf((await toTheOffer(talk)).at(-1));
  const at = (index: number, body: object) =>
    fetch(`${(index % 2 === 0 ? one : other).url}/v1/conversation/message`, {
      method: "POST",
      headers: talk.headers,
      body: JSON.stringify(body),
    });
  const choice = { message: "", option: yes?.value };
  await Promise.all([0, 1, 2, 3, 4, 5].map((index) => at(index, choice)));
  await Promise.all(messages.map((message, index) => at(index, { message })));
}

async function count(list: AsyncIterable<unknown>): Promise<number> {
  let found = 0;
  for await (const _ of list) found++;
  return found;
}

test("a yes at both makes one chat, and what is said at both reaches it once", async () => {
  const both = await pair({});
  await signIn(both.one.clients.chat);
  const messages = Array.from({ length: 10 }, (_, index) => `message ${index}`);
  await sayAtBoth(both, messages);
  const { calls } = both.service;
  const sent = calls.filter(({ call }) => /^POST .*\/messages$/u.test(call));
  const texts = sent.map(({ body }) => (JSON.parse(body) as { message: string }).message);
  expect(texts.toSorted()).toEqual(messages);
  expect(calls.filter(({ call }) => call === "POST /v1/chats")).toHaveLength(1);
  expect(await count(both.one.clients.chat.chats())).toBe(1);
});

test("a Redis that is gone is an outage in log and metrics, and no fault of the gateway", async () => {
  const redis = await startRedis();
  const data = createFolder();
  const bed = await openBed({ data, settings: {}, store: redis.address });
  const written: string[] = [];
  const spied = vi.spyOn(process.stderr, "write").mockImplementation((chunk) => {
    written.push(String(chunk));
    return true;
  });
  onTestFinished(() => spied.mockRestore());
  const talk = await bed.talk();
  await redis.kill();
  await talk.say("Where is my order?");
  await talk.say("Where is my order?");
  const answer = await fetch(`${bed.url}/_afterword/metrics`, { headers: bed.asAdmin() });
  const metrics = await answer.text();
  expect(metrics).toMatch(/^afterword_internal_errors_total 0$/m);
  expect(metrics).toMatch(/^afterword_store_failures_total\{route="escalation"\} [1-9]/m);
  expect(metrics).not.toContain(redis.address);
  expect(written.join("")).not.toContain("internal-error");
});

test("a yes at both makes one ticket", async () => {
  const both = await pair({ ladder: ["ticket"] });
  await sayAtBoth(both, []);
  expect(await count(both.one.clients.ticketing.tickets())).toBe(1);
});

test("a person who took the chat at one reaches the reader at the other, each word once", async () => {
  const both = await pair({});
  const { chat } = both.one.clients;
  const sam = chat.as(await signIn(chat));
  const talk = await both.one.talk();
  const [yes] = optionsOf((await toTheOffer(talk)).at(-1));
  await talk.choose(yes?.value);
  let id = "";
  for await (const one of chat.chats()) id = one.id;
  await sam.accept(id);
  const words = Array.from({ length: 20 }, (_, index) => `word ${index}`);
  const texts: string[] = [];
  for (const [index, message] of words.entries()) {
    await sam.send(id, { message });
    const { url } = index % 2 === 0 ? both.one : both.other;
    const response = await fetch(`${url}/v1/conversation/message`, {
      method: "POST",
      headers: talk.headers,
      body: JSON.stringify({ message: `and ${index}?` }),
    });
    const { answers } = (await response.json()) as { answers: { message: string }[] };
    texts.push(...answers.map(({ message: text }) => text));
  }
  expect(texts.filter((text) => text.startsWith("word "))).toEqual(words);
});
