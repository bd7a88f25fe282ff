import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Bed, handOverBed, signIn } from "./bed.ts";

let bed: Bed;
beforeAll(async () => {
  bed = await handOverBed({
    settings: { mode: "signal", triggers: { noResults: 2, negativeRatings: 1 } },
  });
});
afterAll(() => bed.close());

describe("in mode signal", () => {
  test("the flag is added where the trigger fires, and nothing else changes", async () => {
    const talk = await bed.talk();
    const quiet = await (await talk.post({ message: "qwxz zzyx" })).text();
    const loud = await (await talk.post({ message: "vvkq jjxq plugh" })).text();
    expect(quiet).not.toContain("escalate");
    const { answers } = JSON.parse(loud) as { answers: { flags: string[] }[] };
    expect(answers.map(({ flags }) => flags)).toEqual([["no-results", "escalate"]]);
    // Without the flag the two answers differ only in the engine's numbers.
    const plain = (text: string): string =>
      text.replace(',"escalate"', "").replaceAll(/"logId":"[^"]*"/gu, "");
    expect(plain(loud)).toBe(plain(quiet));
  });

  test("an answer that helped restarts the count", async () => {
    const talk = await bed.talk();
    await talk.say("qwxz zzyx");
    await talk.say("What are your opening hours?");
    const [answer] = await talk.say("vvkq jjxq plugh");
    expect(answer?.flags).toEqual(["no-results"]);
  });

  test("a negative rating is remembered for the next answer", async () => {
    const talk = await bed.talk();
    const helped = await talk.say("What are your opening hours?");
    const code = /"rateCode":"([^"]+)"/u.exec(JSON.stringify(helped))?.[1];
    const rated = await fetch(`${bed.url}/v1/tracking/events`, {
      method: "POST",
      headers: talk.headers,
      body: JSON.stringify({ type: "rate", data: { code, value: 2, comment: null } }),
    });
    expect(rated.status).toBe(200);
    const [answer] = await talk.say("How much does delivery cost?");
    expect(answer?.flags).toContain("escalate");
  });

  test("who asks for a person in words is understood, in the reader's language", async () => {
    const talk = await bed.talk("es");
    // A turn waits only 50 ms for the conversation's language, which a busy machine may exceed.
    await expect
      .poll(async () =>
        (await talk.say("Quiero hablar con una persona")).flatMap(({ flags }) => flags),
      )
      .toContain("escalate");
  });

  test("an unmodified connector opens its chat through the gateway", async () => {
    const { chat } = bed.clients;
    const sam = chat.as(await signIn(chat));
    const talk = await bed.talk();
    await talk.say("qwxz zzyx");
    const [answer] = await talk.say("vvkq jjxq plugh");
    expect(answer?.flags).toContain("escalate");
    const history = await fetch(`${bed.url}/v1/conversation/history`, { headers: talk.headers });
    const messages = (await history.json()) as {
      user: string;
      message: string;
      datetime: string;
    }[];
    const outcome = await chat.start({
      room: 1,
      lang: "en",
      user: { name: "Ada", externalId: "connector-1" },
      history: messages.map(({ user, message, datetime }) => ({
        sender: user === "bot" ? "assistant" : "user",
        message,
        created: Math.floor(Date.parse(datetime) / 1000),
      })),
    });
    expect(outcome.started).toBe(true);
    if (!outcome.started) return;
    await sam.accept(outcome.chat.id);
    expect((await chat.chat(outcome.chat.id)).status).toBe("active");
    await chat.close(outcome.chat.id);
    await sam.logout();
  });
});
