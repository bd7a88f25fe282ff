// Suite: slow
import { describe, expect, onTestFinished, test } from "vitest";
import { createFolder } from "../../fixtures/folder.ts";
import { endWaitsOf } from "../../fixtures/end-waits.ts";
import {
  type Bed,
  type BedOptions,
  lineOf,
  openBed,
  optionsOf,
  signIn,
  type Talk,
  toTheOffer,
} from "./bed.ts";
import { type Fate, openTrouble } from "./trouble.ts";

const noForm = { identity: { ask: [] } } as const;
const askForPerson = "I want to talk to a person";

async function tellOf(talk: Talk, words: string): Promise<readonly string[]> {
  return (await talk.say(words)).map(({ message }) => message);
}

async function offerOf(talk: Talk): Promise<readonly string[]> {
  return (await toTheOffer(talk)).slice(1).map(({ message }) => message);
}

async function countOf(list: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const _ of list) count++;
  return count;
}

const countTickets = ({ clients }: Bed) => countOf(clients.ticketing.tickets());
const countChats = ({ clients }: Bed) => countOf(clients.chat.chats());

/** Opens a gateway that reaches its chat through a service that fails. */
async function openTroubled(settings: BedOptions["settings"], fateOf: (call: string) => Fate) {
  const data = createFolder();
  const service = await openTrouble();
  const there = await openBed({ data, store: "memory" });
  const here = await openBed({ data, settings: { ...noForm, ...settings }, chat: service.url });
  service.to(there.url);
  service.rule(fateOf);
  return { here, there, service };
}

describe("with nobody online", () => {
  test("a message is offered in place of a person, and a yes makes a ticket at once", async () => {
    const here = await openBed({ settings: noForm });
    const talk = await here.talk();
    expect(await offerOf(talk)).toEqual([lineOf("en", "no-agents"), lineOf("en", "offer-message")]);
    expect(await countTickets(here)).toBe(0);
    const [made, ...more] = await tellOf(talk, "yes");
    expect(made).toContain("created ticket");
    // The reason why no person joins is given before the question.
    expect(more).toEqual([]);
    expect(await countTickets(here)).toBe(1);
    expect(await countChats(here)).toBe(0);
  });

  test("a no leaves everything with the bot", async () => {
    const here = await openBed({ settings: noForm });
    const talk = await here.talk();
    const no = optionsOf((await toTheOffer(talk)).at(-1))[1];
    const answers = await talk.choose(no?.value);
    expect(answers.map(({ message }) => message)).toEqual([lineOf("en", "declined")]);
    expect(await countTickets(here)).toBe(0);
  });

  test("a yes to a message makes a ticket after the form, though an agent has come meanwhile", async () => {
    const here = await openBed({ settings: { identity: { ask: ["name", "email"] } } });
    const talk = await here.talk();
    await toTheOffer(talk);
    expect(await tellOf(talk, "yes")).toEqual([lineOf("en", "ask-name")]);
    await signIn(here.clients.chat);
    expect(await tellOf(talk, "Ada")).toEqual([lineOf("en", "ask-email")]);
    expect((await tellOf(talk, "ada@example.com")).join()).toContain("created ticket");
    expect(await countChats(here)).toBe(0);
  });

  test("and no ticket possible, readers who ask for a person are told so, and nothing is asked", async () => {
    const settings = { identity: { ask: ["name"] }, ladder: ["agents"], atMost: 1 } as const;
    const here = await openBed({ settings });
    const talk = await here.talk();
    for (let time = 0; time < 2; time++) {
      const answers = await talk.say(`${askForPerson}${"!".repeat(time)}`);
      expect(answers.at(-1)?.message).toBe(lineOf("en", "not-now"));
      expect(answers.every(({ type }) => type === "answer")).toBe(true);
    }
    // An offer that could not be made because no agent was online is no escalation.
    await signIn(here.clients.chat);
    expect((await tellOf(talk, `${askForPerson} now`)).at(-1)).toBe(lineOf("en", "offer"));
  });

  test("and no ticket possible, nothing is said to readers who did not ask for a person", async () => {
    const here = await openBed({ settings: { ...noForm, ladder: ["agents"] } });
    expect(await offerOf(await here.talk())).toEqual([]);
  });

  test("in a queue a message is offered as well, and a person again as soon as an agent is there", async () => {
    const here = await openBed({ settings: noForm });
    const { chat } = here.clients;
    await chat.changeSettings({ queue: { active: true } });
    expect(await offerOf(await here.talk())).toContain(lineOf("en", "offer-message"));
    const { agent } = await chat.login("demo-agent", "demo-agent");
    await chat.changeAgent(agent.id, { slots: 1 });
    for (let reader = 0; reader < 2; reader++) {
      const talk = await here.talk();
      // A busy agent serves the queue, too.
      expect(await offerOf(talk)).toEqual([lineOf("en", "offer")]);
      await talk.say("yes");
    }
  });

  test("a direct hand-over asks its questions and makes the ticket", async () => {
    const here = await openBed({ settings: { identity: { ask: ["name"] }, offer: "direct" } });
    const talk = await here.talk();
    expect(await offerOf(talk)).toEqual([lineOf("en", "ask-name")]);
    const [why, made] = await tellOf(talk, "Ada");
    expect(why).toBe(lineOf("en", "no-agents"));
    expect(made).toContain("created ticket");
  });
});

describe("with steps by which no agent can come", () => {
  test.each([
    ["it has a ticket alone", { ladder: ["ticket"] as const }, false],
    ["the ticket comes first", { ladder: ["ticket", "agents"] as const }, false],
    ["its chat has a queue that it leaves out", { ladder: ["agents", "ticket"] as const }, true],
  ])("a message is offered though an agent is online: %s", async (_, settings, queue) => {
    const here = await openBed({ settings: { ...noForm, ...settings } });
    await here.clients.chat.changeSettings({ queue: { active: queue } });
    await signIn(here.clients.chat);
    const why = queue ? [lineOf("en", "no-agents")] : [];
    expect(await offerOf(await here.talk())).toEqual([...why, lineOf("en", "offer-message")]);
  });
});

describe("a chat service that is asked for availability", () => {
  test("is asked once for an offer, and not for other turns", async () => {
    const { here, there, service } = await openTroubled({}, () => "pass");
    await signIn(there.clients.chat);
    const talk = await here.talk();
    await talk.say("What are your opening hours?");
    await talk.say("qwxz zzyx");
    expect(service.calls).toEqual([]);
    expect((await tellOf(talk, "vvkq jjxq plugh")).at(-1)).toBe(lineOf("en", "offer"));
    expect(service.calls.map(({ call }) => call)).toEqual([
      "GET /v1/settings",
      "GET /v1/agents/available",
    ]);
  });

  test.each(["fail", "refuse", "garbage"] as const)(
    "and cannot answer (%s): a person is offered, and the hand-over finds out",
    async (fate) => {
      const { here } = await openTroubled({}, () => fate);
      const talk = await here.talk();
      expect(await offerOf(talk)).toEqual([lineOf("en", "offer")]);
      const [why, made] = await tellOf(talk, "yes");
      expect(why).toBe(lineOf("en", "no-agents"));
      expect(made).toContain("created ticket");
    },
  );

  test("and does not answer holds the engine's answer up for two seconds at most", async () => {
    const { here, service } = await openTroubled({}, () => "hang");
    onTestFinished(() => service.rule(() => "fail"));
    const talk = await here.talk();
    await talk.say("qwxz zzyx");
    const endWaits = endWaitsOf(2000);
    const telling = tellOf(talk, "vvkq jjxq plugh");
    await expect.poll(endWaits).toBe(1);
    expect((await telling).at(-1)).toBe(lineOf("en", "offer"));
  });
});
