// Suite: slow
import { describe, expect, test } from "vitest";
import { RECOGNITION } from "../../fixtures/recognition.ts";
import { LANGUAGES } from "../../locales/tables/languages.ts";
import type { Config } from "../../../src/config/config.ts";
import type { ConversationAnswer } from "../../../src/api/chatbot/types.ts";
import {
  type Bed,
  lineOf,
  openBed,
  optionsOf,
  sayYes,
  type Talk,
  toTheOffer,
  until,
} from "./bed.ts";

/** Asks two questions without an answer, accepts the offer, and fills in the form. */
async function escalate(talk: Talk, replies: readonly string[]) {
  let answers = await sayYes(talk);
  for (const reply of replies) answers = await talk.say(reply);
  return answers;
}

function words(answers: readonly ConversationAnswer[]): readonly string[] {
  return answers.map(({ message }) => message);
}

async function tickets({ clients }: Bed) {
  const all = [];
  for await (const ticket of clients.ticketing.tickets()) all.push(ticket);
  return all;
}

async function listed({ url, asAdmin }: Bed) {
  const response = await fetch(`${url}/_afterword/escalations`, { headers: asAdmin() });
  const { escalations } = (await response.json()) as {
    escalations: readonly { phase: string; calls: readonly { kind: string; state: string }[] }[];
  };
  return escalations;
}

function withOwnTicketLine(config: Config): Config {
  const key = "escalation.ticket";
  return {
    ...config,
    tableSets: config.tableSets.map((set) => {
      const table = set.channels[""]?.["en"];
      if (table === undefined) return set;
      const written = (table.lines[key] ?? []).map((line) => ({ ...line, origin: "own" as const }));
      const en = { ...table, lines: { ...table.lines, [key]: written } };
      return { ...set, channels: { ...set.channels, "": { ...set.channels[""], en } } };
    }),
  };
}

const person = { identity: { ask: ["name", "email"] as const } };
const ada = ["Ada Lovelace", "ada@example.com"];

describe("when no agent is available", () => {
  test("a ticket is made with the transcript, and the reader is told only then", async () => {
    const here = await openBed({ settings: person });
    const talk = await here.talk();
    const texts = words(await escalate(talk, ada));
    const [ticket, ...more] = await tickets(here);
    expect(more).toEqual([]);
    expect(texts).toHaveLength(1);
    expect(texts[0]).toContain(String(ticket?.id));
    const whole = JSON.stringify(ticket);
    expect(whole).toContain("qwxz zzyx");
    expect(whole).not.toContain(talk.session);
  });

  test.each(["en", "de", "fr", "es", "ar"])(
    "a limited yes is no consent: nothing is passed on, and the question comes again, in %s",
    async (lang) => {
      const here = await openBed({ settings: { identity: { ask: [], consent: true } } });
      const talk = await here.talk(lang);
      expect(words(await sayYes(talk))).toEqual([lineOf(lang, "ask-consent")]);
      const [notNow = "", notMyMail = ""] = LANGUAGES.get(lang)?.afterYes ?? [];
      const [yes = ""] = RECOGNITION.polarLabels()[lang] ?? [];
      for (const limit of [notNow, notMyMail])
        expect(words(await talk.say(`${yes}, ${limit}`))).toEqual([lineOf(lang, "ask-consent")]);
      expect(await tickets(here)).toEqual([]);
      const [text] = words(await talk.say(yes));
      const [made] = await tickets(here);
      expect(text).toContain(String(made?.id));
    },
  );

  test.each([
    ["the question that was not answered", ["qwxz zzyx", "vvkq\njjxq plugh"], "vvkq jjxq plugh"],
    [
      "what was asked before a person was wanted",
      ["qwxz zzyx", "I want to talk to a person"],
      "qwxz zzyx",
    ],
    ["no dash, address or yes", ["qwxz zzyx", "vvkq jjxq", "-", "yes", "a@b.example"], "vvkq jjxq"],
  ])(
    "the ticket's title is %s, and no answer to Afterword's own questions",
    async (_, says, title) => {
      const triggers = { noResults: says.length };
      const here = await openBed({ settings: { ...person, triggers } });
      const talk = await here.talk();
      for (const words of says) await talk.say(words);
      for (const reply of ["yes", ...ada]) await talk.say(reply);
      expect((await tickets(here)).map((ticket) => ticket.title)).toEqual([title]);
    },
  );

  test("the second ticket of a conversation is not named after the reader", async () => {
    const here = await openBed({ settings: person });
    const talk = await here.talk();
    await talk.say("qwxz zzyx");
    for (const words of ["I want to talk to a person", "yes", ...ada]) await talk.say(words);
    for (const words of ["I want to talk to a person", "yes"]) await talk.say(words);
    const titles = (await tickets(here)).map((ticket) => ticket.title);
    expect(titles).toEqual(["qwxz zzyx", "I want to talk to a person"]);
  });

  test.each([
    ["no answer by e-mail is promised", false, false, "ticket-number"],
    ["one is where the ticketing sends it", true, false, "ticket"],
    ["an owner's own line stays", false, true, "ticket"],
  ])(
    "a reader with an address is promised only what happens: %s",
    async (_, email, own, expected) => {
      const { clients, talk } = await openBed({
        settings: { ...person, ticket: { email } },
        change: (config) => (own ? withOwnTicketLine(config) : config),
      });
      const answer = words(await escalate(await talk(), ada)).at(-1);
      let id = "";
      for await (const ticket of clients.ticketing.tickets()) id = ticket.full_uuid;
      expect(answer).toBe(lineOf("en", expected).replace("{{ticket}}", `\u2068${id}\u2069`));
    },
  );

  test("the same request again makes no second ticket and gets the same answer", async () => {
    const here = await openBed({ settings: person });
    const talk = await here.talk();
    const first = words(await escalate(talk, ada));
    expect(words(await talk.again())).toEqual(first);
    expect(await tickets(here)).toHaveLength(1);
  });

  test("a second escalation of the conversation is not offered within the cool-down", async () => {
    const here = await openBed({ settings: person });
    const talk = await here.talk();
    await escalate(talk, ada);
    await talk.say("blorp fnord");
    const answers = await talk.say("gribble wozzle");
    expect(answers.every(({ type }) => type !== "polarQuestion")).toBe(true);
    // A reader who asks for a person explicitly is still understood.
    const asked = await talk.say("I want to talk to a human");
    expect(asked.at(-1)?.message).toBe(lineOf("en", "offer-message"));
  });

  test("a bot that offers a person itself is left to it until its form is complete", async () => {
    const own = { words: false, directCalls: [], callbacks: ["escalateToAgent"] };
    const here = await openBed({ settings: { ladder: ["ticket"], triggers: own } });
    const talk = await here.talk();
    const read = await talk.post({ directCall: "escalationOffer" });
    const { answers } = (await read.json()) as { answers: readonly ConversationAnswer[] };
    expect(answers.at(-1)?.message).toBe("<p>Shall I pass you on?</p>");
    for (const text of ["yes", "Ada", "ada@example.com"]) await talk.say(text);
    expect(await tickets(here)).toHaveLength(0);
    const last = words(await talk.say("My lamp is broken"));
    expect(last.join()).toContain(String((await tickets(here))[0]?.id));
  });

  test.each([
    ["ar", "أريد التحدث إلى موظف"],
    ["ja", "担当者と話したい"],
  ])("the ticket is confirmed in the reader's language: %s", async (lang) => {
    const here = await openBed({ settings: { ...person, ladder: ["agents", "ticket"] } });
    const talk = await here.talk(lang);
    const answers = await toTheOffer(talk);
    const offer = answers.at(-1);
    expect(answers.at(-2)?.message).toBe(lineOf(lang, "no-agents"));
    expect(offer?.message).toBe(lineOf(lang, "offer-message"));
    const [yes] = optionsOf(offer);
    expect(yes?.label).toBe(lineOf(lang, "yes"));
    expect(words(await talk.choose(yes?.value))).toEqual([lineOf(lang, "ask-name")]);
    expect(words(await talk.say("Ada"))).toEqual([lineOf(lang, "ask-email")]);
    const answer = words(await talk.say("ada@example.com"));
    expect(answer).toHaveLength(1);
    expect(answer[0]).toContain(String((await tickets(here))[0]?.id));
  });
});

describe("outside the hours", () => {
  const allDay = [[0, 1440]] as const;
  const always = Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((day) => [String(day), allDay]));

  test("on a holiday no agent is invited, though one is online", async () => {
    const zone = "Pacific/Kiritimati";
    const today = new Intl.DateTimeFormat("en-CA", { timeZone: zone }).format(new Date());
    const here = await openBed({
      settings: { ...person, hours: { zone, weekly: always, holidays: [today] } },
    });
    await here.clients.chat.login("demo-agent", "demo-agent");
    const talk = await here.talk();
    const answers = await toTheOffer(talk);
    expect(words(answers).slice(-2)).toEqual([
      lineOf("en", "outside-hours"),
      lineOf("en", "offer-message"),
    ]);
    for (const reply of ["yes", ...ada]) await talk.say(reply);
    expect(await tickets(here)).toHaveLength(1);
    // The same instant in a zone in which it is another day is no holiday.
  });

  test("in a zone with another date an agent is invited", async () => {
    const here = await openBed({
      settings: {
        ...person,
        hours: { zone: "UTC", weekly: always, holidays: ["1999-12-31"] },
      },
    });
    await here.clients.chat.login("demo-agent", "demo-agent");
    expect(words(await escalate(await here.talk(), ada))).toEqual([lineOf("en", "connecting")]);
    expect(await tickets(here)).toEqual([]);
  });
});

describe("when a service is down", () => {
  const nowhere = "http://127.0.0.1:9";

  test("without the chat service a ticket is made", async () => {
    const here = await openBed({ settings: person, chat: nowhere });
    const answer = words(await escalate(await here.talk(), ada));
    expect(answer.at(-1)).toContain(String((await tickets(here))[0]?.id));
  });

  test("without case management the reader is told so, and the ticket is retried and listed", async () => {
    const data = { ...person, ladder: ["ticket"] as const };
    const here = await openBed({ settings: data, ticketing: nowhere });
    const answer = words(await escalate(await here.talk(), ada));
    expect(answer).toEqual([lineOf("en", "ticket-pending")]);
    const waiting = await until(async () => {
      const [one] = await listed(here);
      return one?.calls.find(({ kind }) => kind === "ticket");
    });
    expect(waiting.state).toBe("planned");
    expect(JSON.stringify(await listed(here))).not.toMatch(/Ada|ada@|qwxz/u);
  });

  test("with neither, nothing is promised, and the reader is told once that no agent is available", async () => {
    const here = await openBed({ settings: { ...person, ladder: ["agents"] }, chat: nowhere });
    const answer = words(await escalate(await here.talk(), ada));
    // "Nobody is free" would only repeat the sentence before.
    expect(answer).toEqual([lineOf("en", "not-now")]);
    expect(await tickets(here)).toEqual([]);
  });
});
