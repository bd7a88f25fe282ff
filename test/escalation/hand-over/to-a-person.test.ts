import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type Bed,
  handOverBed,
  lineOf,
  openedChat,
  optionsOf,
  signIn,
  toTheOffer,
  until,
} from "./bed.ts";

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
  test("is offered a person, reaches one, and returns to the bot", async () => {
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
    // The reason, and the reader's questions, without the answers to Afterword's own questions.
    expect(opened.reason).toBe("no-results");
    expect(opened.question?.split("\n")).toHaveLength(2);
    expect(opened.question).toContain("qwxz zzyx");
    expect(opened.question).not.toContain("Ada");

    // The chat shows the conversation before: the reader's words, and the texts they saw.
    const history = (await bed.clients.chat.history(opened.id)).map((event) =>
      JSON.stringify(event),
    );
    expect(history.join("\n")).toContain("qwxz zzyx");

    const waiting = await talk.say("Are you there?");
    expect(waiting).toHaveLength(1);
    await sam.accept(opened.id);
    await sam.send(opened.id, { message: "Hello, <b>Sam</b> here" });
    const answer = await until(async () => {
      const answers = await talk.say("Still waiting");
      return answers.length > 0 && answers;
    });
    const words = answer.map(({ message }) => message);
    expect(words.at(-1)).toBe("Hello, &lt;b&gt;Sam&lt;/b&gt; here");
    // While a person holds it the bot is silent.
    expect(await talk.say("What are your opening hours?")).toEqual([]);
    const texts = [];
    for await (const message of bed.clients.chat.messages(opened.id)) texts.push(message.message);
    expect(texts).toContain("What are your opening hours?");

    await sam.close(opened.id);
    const back = await talk.say("What are your opening hours on Sunday?");
    expect(back.length).toBeGreaterThan(1);
    await sam.logout();
  });

  test.each([
    ["en", "Can I talk to a human please?"],
    ["fr", "Je veux parler à quelqu’un"],
    ["es", "Quiero hablar con una persona"],
  ])("is asked once whether a person is wanted: %s", async (lang, asked) => {
    const sam = await agent();
    const answers = await (await bed.talk(lang)).say(asked);
    expect(answers.filter(({ type }) => type === "polarQuestion")).toHaveLength(1);
    expect(answers.at(-1)?.message).toBe(lineOf(lang, "offer"));
    // The only text of the bot's own is how else to reach the shop.
    expect(answers[0]?.message).toContain("020 7946 0000");
    await sam.logout();
  });

  test("is shown to the agent with what was asked, without markup, and with each speaker", async () => {
    const sam = await agent();
    const talk = await bed.talk();
    const [yes] = optionsOf((await toTheOffer(talk)).at(-1));
    await talk.choose(yes?.value);
    await talk.say("Ada");
    const first = await openedChat(bed.clients.chat, { status: "waiting" });
    const lines = await transcript(first.id);
    expect(lines.map(([sender]) => sender)).not.toContain("demo-agent");
    const words = lines.map(([, text]) => text);
    const asked = words.slice(words.indexOf(lineOf("en", "offer")));
    expect(asked).toEqual([lineOf("en", "offer"), yes?.label, lineOf("en", "ask-name"), "Ada"]);
    expect(words.join()).not.toMatch(/<\/?p>/);

    await sam.accept(first.id);
    await sam.send(first.id, { message: "Hello from Sam" });
    await until(async () => (await talk.say("Still there?")).length > 0);
    await sam.close(first.id);
    await until(async () => (await talk.say("What are your opening hours?")).length > 0);
    // The name is known by now, so the ticket is made at once.
    const [again] = optionsOf((await talk.say("I want to talk to a person")).at(-1));
    await talk.choose(again?.value);
    const second = await openedChat(bed.clients.chat, { status: "waiting" });
    expect(await transcript(second.id)).toContainEqual(["demo-agent", "Hello from Sam"]);
    // Sam's earlier messages are not shown to the reader a second time.
    await sam.accept(second.id);
    await sam.send(second.id, { message: "Me again" });
    const texts: string[] = [];
    await until(async () => {
      texts.push(...(await talk.say("Hello?")).map(({ message }) => message));
      return texts.includes("Me again");
    });
    expect(texts).not.toContain("Hello from Sam");
    await sam.close(second.id);
    await sam.logout();
  });

  async function transcript(id: string): Promise<(readonly [string, string])[]> {
    const lines: (readonly [string, string])[] = [];
    for await (const one of bed.clients.chat.messages(id)) {
      const { sender, message, imported } = one;
      if (imported === true && typeof message === "string") lines.push([sender, message]);
    }
    return lines;
  }
});
