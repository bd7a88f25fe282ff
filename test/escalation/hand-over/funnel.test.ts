import { expect, test } from "vitest";
import type { InsightsReport } from "../../../src/insights/facts.ts";
import { type Bed, lineOf, offered, openBed, openedChat, sayYes, toTheOffer } from "./bed.ts";

/** Reads the funnel of hand-overs from the console's API. */
async function readFunnel({ url, asAdmin }: Bed): Promise<Record<string, number>> {
  const response = await fetch(`${url}/_afterword/api/insights`, { headers: asAdmin() });
  const { topics } = (await response.json()) as InsightsReport;
  const stages = topics.filter(({ topic }) => topic === "hand-over");
  return Object.fromEntries(stages.map(({ name, count }) => [name, count]));
}

test("insights count each hand-over from its offer to a person or a ticket", async () => {
  const bed = await openBed({ settings: { identity: { ask: [] } } });
  // No agent is online yet, so the first reader gets a ticket. The second only sees the offer, and
  // the third meets a person.
  const [answer] = await sayYes(await bed.talk());
  expect(answer?.message).toMatch(/\d/);
  await toTheOffer(await bed.talk());
  const { chat, sam, talk, yes } = await offered(bed);
  const connecting = await talk.choose(yes?.value);
  expect(connecting.map(({ message }) => message)).toEqual([lineOf("en", "connecting")]);
  const { id } = await openedChat(chat);
  await sam.join(id);
  await talk.say("Are you there?");
  const funnel = { offered: 3, accepted: 2, ticket: 1, person: 1 };
  await expect.poll(() => readFunnel(bed)).toEqual(funnel);
});

test("insights count a hand-over that reached nobody, where there are no tickets", async () => {
  // The chat can't be asked which agents are online, so a person is offered.
  const settings = { ladder: ["agents"] as const, identity: { ask: [] } };
  const bed = await openBed({ settings, chat: "http://127.0.0.1:1" });
  await sayYes(await bed.talk());
  await expect.poll(() => readFunnel(bed)).toEqual({ offered: 1, accepted: 1, nobody: 1 });
});

test("insights count no hand-over of a message that is marked as a test", async () => {
  const bed = await openBed({ settings: { identity: { ask: [] } } });
  const [answer] = await sayYes(await bed.talk("en", { "x-afterword-test": "true" }));
  expect(answer?.message).toMatch(/\d/);
  await toTheOffer(await bed.talk());
  await expect.poll(() => readFunnel(bed)).toEqual({ offered: 1 });
});
