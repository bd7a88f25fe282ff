import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Bed, handOverBed, lineOf, optionsOf, signIn, toTheOffer, until } from "./bed.ts";

let bed: Bed;
beforeAll(async () => {
  bed = await handOverBed({ settings: { identity: { ask: ["name"] } } });
});
afterAll(() => bed.close());

/** The demo agent, signed in, at the interface of the chat. */
async function agent() {
  const { chat } = bed.clients;
  return chat.as(await signIn(chat));
}

async function chats() {
  const all = [];
  for await (const chat of bed.clients.chat.chats()) all.push(chat);
  return all;
}

describe("a conversation that the bot cannot help with", () => {
  test("is offered a person, meets one, and comes back", async () => {
    const sam = await agent();
    const talk = await bed.talk();
    const offered = await toTheOffer(talk);
    const offer = offered.at(-1);
    expect(offer?.type).toBe("polarQuestion");
    expect(offered[0]?.flags).toContain("no-results");
    const [yes] = optionsOf(offer);
    const asked = await talk.choose(yes?.value);
    expect(asked).toHaveLength(1);
    expect(await chats()).toHaveLength(0);
    const connecting = await talk.say("Ada");
    expect(connecting.map(({ message }) => message)).toEqual([lineOf("en", "connecting")]);
    const [opened] = await chats();
    expect(opened?.lang).toBe("en");
    if (opened === undefined) throw new Error("no chat");

    // What was said before stands in the chat: the reader's words, and what they saw.
    const history = (await bed.clients.chat.history(opened.id)).map((event) =>
      JSON.stringify(event),
    );
    expect(history.join("\n")).toContain("qwxz zzyx");

    const waiting = await talk.say("Are you there?");
    expect(waiting).toHaveLength(1);
    await sam.accept(opened.id);
    await sam.send(opened.id, { message: "Hello, <b>Sam</b> here" });
    const heard = await until(async () => {
      const answers = await talk.say("Still waiting");
      return answers.length > 0 && answers;
    });
    const words = heard.map(({ message }) => message);
    expect(words.at(-1)).toBe("Hello, &lt;b&gt;Sam&lt;/b&gt; here");
    // While a person holds it the bot is silent.
    expect(await talk.say("What are your opening hours?")).toEqual([]);
    const said = [];
    for await (const message of bed.clients.chat.messages(opened.id)) said.push(message.message);
    expect(said).toContain("What are your opening hours?");

    await sam.close(opened.id);
    const back = await talk.say("What are your opening hours on Sunday?");
    expect(back.length).toBeGreaterThan(1);
    await sam.logout();
  });
});
