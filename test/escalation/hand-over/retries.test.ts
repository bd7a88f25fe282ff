import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Bed, handOverBed, lineOf, optionsOf, toTheOffer } from "./bed.ts";

let bed: Bed;
beforeAll(async () => {
  bed = await handOverBed({ settings: { identity: { ask: [] }, ladder: ["ticket"] } });
});
afterAll(() => bed.close());

async function tickets() {
  const all = [];
  for await (const ticket of bed.clients.ticketing.tickets()) all.push(ticket);
  return all;
}

describe("a client that sends a request again", () => {
  test("does not count twice: two identical questions within seconds are one", async () => {
    const talk = await bed.talk();
    await talk.say("qwxz zzyx");
    const again = await talk.again();
    expect(again.map(({ type }) => type)).toEqual(["answer"]);
  });

  test("gets the same offer again, and a yes to it counts", async () => {
    const talk = await bed.talk();
    await talk.say("qwxz zzyx");
    const first = await talk.say("vvkq jjxq plugh");
    const again = await talk.again();
    expect(again.map(({ message }) => message)).toEqual(first.map(({ message }) => message));
    const [yes] = optionsOf(again.at(-1));
    const before = (await tickets()).length;
    const answer = await talk.choose(yes?.value);
    expect(answer).toHaveLength(1);
    expect(await tickets()).toHaveLength(before + 1);
  });

  test("many at once make one ticket", async () => {
    const talk = await bed.talk();
    const [yes] = optionsOf((await toTheOffer(talk)).at(-1));
    const before = (await tickets()).length;
    const all = await Promise.all(Array.from({ length: 12 }, () => talk.choose(yes?.value)));
    expect(await tickets()).toHaveLength(before + 1);
    const texts = all.flat().map(({ message }) => message);
    expect(texts.some((text) => text.includes("ticket"))).toBe(true);
  });

  test("an option of ours never reaches the engine, whatever it says", async () => {
    const talk = await bed.talk();
    for (const option of [
      "aw:yes:1",
      "aw:no:7",
      "aw:cancel:0",
      "aw:",
      "aw:drop table",
      "aw:yes:-1",
    ]) {
      expect(await talk.choose(option)).toEqual([]);
    }
    const history = await fetch(`${bed.url}/v1/conversation/history`, { headers: talk.headers });
    expect(await history.text()).not.toContain("aw:");
  });

  test("a no is respected, and a yes after it opens nothing", async () => {
    const talk = await bed.talk();
    const [yes, no] = optionsOf((await toTheOffer(talk)).at(-1));
    const before = (await tickets()).length;
    const answer = await talk.choose(no?.value);
    expect(answer.map(({ message }) => message)).toEqual([lineOf("en", "declined")]);
    expect(await talk.choose(yes?.value)).toEqual([]);
    expect(await tickets()).toHaveLength(before);
  });

  test("a typed yes is understood", async () => {
    const talk = await bed.talk();
    await toTheOffer(talk);
    const before = (await tickets()).length;
    await talk.say("Yes, please!");
    expect(await tickets()).toHaveLength(before + 1);
  });

  test.each(["never mind", "Forget it!", "no thanks"])("a typed %j is a refusal", async (typed) => {
    const talk = await bed.talk();
    await toTheOffer(talk);
    const answer = await talk.say(typed);
    expect(answer.map(({ message }) => message)).toEqual([lineOf("en", "declined")]);
  });

  test("another question goes on with the bot", async () => {
    const talk = await bed.talk();
    await toTheOffer(talk);
    const answers = await talk.say("What are your opening hours?");
    expect(answers[0]?.message).not.toBe(lineOf("en", "declined"));
    expect(answers.every(({ type }) => type !== "polarQuestion")).toBe(true);
  });
});
