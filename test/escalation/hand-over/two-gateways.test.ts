// Suite: slow
import { expect, test } from "vitest";
import { type Bed, openBed, optionsOf, signIn, toTheOffer } from "./bed.ts";
import { openTrouble, type Trouble } from "./trouble.ts";
import { createFolder } from "../../fixtures/folder.ts";

/** Two gateways with one state file and one backend, whose chat keeps no idempotency keys. */
async function pair(settings: object): Promise<{ one: Bed; other: Bed; service: Trouble }> {
  const data = createFolder();
  const service = await openTrouble();
  const options = { data, settings: { identity: { ask: [] }, ...settings }, chat: service.url };
  const [one, other] = [await openBed(options), await openBed(options)];
  service.to(one.url);
  return { one, other, service };
}

function post(bed: Bed, headers: Record<string, string>, body: object) {
  return fetch(`${bed.url}/v1/conversation/message`, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
}

test("a yes at both makes one chat, and messages at both reach it once", async () => {
  const { one, other, service } = await pair({});
  await signIn(one.clients.chat);
  const talk = await one.talk();
  const [yes] = optionsOf((await toTheOffer(talk)).at(-1));
  const choice = { message: "", option: yes?.value };
  await Promise.all([one, other, one, other].map((bed) => post(bed, talk.headers, choice)));
  const messages = Array.from({ length: 10 }, (_, index) => `message ${index}`);
  await Promise.all(
    messages.map((message, index) =>
      post(index % 2 === 0 ? one : other, talk.headers, { message }),
    ),
  );
  const sent = service.calls.filter(({ call }) => /^POST .*\/messages$/u.test(call));
  const texts = sent.map(({ body }) => (JSON.parse(body) as { message: string }).message);
  expect(texts.toSorted()).toEqual(messages);
  let chats = 0;
  for await (const _ of one.clients.chat.chats()) chats++;
  expect(chats).toBe(1);
});

test("a yes at both makes one ticket", async () => {
  const { one, other } = await pair({ ladder: ["ticket"] });
  const talk = await one.talk();
  const [yes] = optionsOf((await toTheOffer(talk)).at(-1));
  const choice = { message: "", option: yes?.value };
  await Promise.all([one, other, one, other].map((bed) => post(bed, talk.headers, choice)));
  let tickets = 0;
  for await (const _ of one.clients.ticketing.tickets()) tickets++;
  expect(tickets).toBe(1);
});
