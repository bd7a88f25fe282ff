// Suite: slow
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type BedOptions, lineOf, openedChat, openBed, sayYes, signIn, until } from "./bed.ts";
import { openTrouble } from "./trouble.ts";
import { createFolder } from "../../fixtures/folder.ts";

/** Puts the clock of gateway and backend forward instead of waiting. Timers are not changed. */
function putForward(milliseconds: number): void {
  const now = Date.now.bind(Date);
  const clock = vi.spyOn(Date, "now").mockImplementation(() => now() + milliseconds);
  onTestFinished(() => clock.mockRestore());
}

async function open(settings: BedOptions["settings"] = {}, data?: string) {
  const between = await openTrouble();
  const bed = await openBed({
    settings: { identity: { ask: [] }, ...settings },
    chat: between.url,
    ...(data !== undefined && { data }),
  });
  between.to(bed.url);
  const { chat } = bed.clients;
  const sam = chat.as(await signIn(chat));
  const talk = await bed.talk();
  await sayYes(talk);
  const opened = await openedChat(chat);
  const say = async (words: string) => (await talk.say(words)).map(({ message }) => message);
  return { here: bed, chat, sam, talk, say, opened, between };
}

describe("the last message of an agent", () => {
  test("reaches the reader though the agent came, wrote and left between two checks", async () => {
    const { here, sam, say, opened } = await open();
    await sam.accept(opened.id);
    await sam.send(opened.id, { message: "It is on its way." });
    await sam.close(opened.id);
    const answer = await say("What are your opening hours?");
    expect(answer).toContain("It is on its way.");
    expect(answer).toContain(lineOf("en", "closed"));
    for await (const ticket of here.clients.ticketing.tickets()) expect(ticket).toBe(null);
  });

  test("reaches the reader though the chat could not be read when it was closed", async () => {
    const { sam, say, opened, between: service } = await open();
    await sam.accept(opened.id);
    await say("hello?");
    await sam.send(opened.id, { message: "It is on its way." });
    await sam.close(opened.id);
    service.rule((call) => (/^GET .*\/messages$/u.test(call) ? "fail" : "pass"));
    expect(await say("and?")).not.toContain(lineOf("en", "closed"));
    service.rule(() => "pass");
    const answer = await say("What are your opening hours?");
    expect(answer).toContain("It is on its way.");
    expect(answer).toContain(lineOf("en", "closed"));
  });

  test("reaches the reader though the chat could not be read until the idle time was over", async () => {
    const settings = { chat: { assignTimeout: 3_000 } };
    const { chat, sam, say, opened, between: service } = await open(settings);
    service.rule((call) => (/^GET .*\/chats\/[^/]+$/u.test(call) ? "fail" : "pass"));
    await sam.accept(opened.id);
    await sam.send(opened.id, { message: "It is on its way." });
    putForward(3_100);
    const early = await say("hello?");
    service.rule(() => "pass");
    const answer = [...early, ...(await say("and?"))];
    expect(answer).toContain("It is on its way.");
    expect(answer).not.toContain(lineOf("en", "no-agents"));
    expect(await chat.chat(opened.id)).toMatchObject({ closed: false });
  });

  test("reaches the reader though the agent came as the chat was closed", async () => {
    const settings = { chat: { assignTimeout: 500 } };
    const { sam, say, opened, between: service } = await open(settings);
    await sam.accept(opened.id);
    await sam.send(opened.id, { message: "It is on its way." });
    // The gateway's last look before it closes the chat was a moment earlier.
    let isLate = false;
    service.rule((call) => {
      isLate ||= call.startsWith("DELETE ");
      return "pass";
    });
    service.disguise({
      path: (path) => path,
      body: (body, path) =>
        isLate || !/\/chats\/[^/]+$/u.test(path)
          ? body
          : body
              .replace('"status":"active"', '"status":"waiting"')
              .replace(/"agent":"[^"]*"/u, '"agent":null'),
    });
    putForward(600);
    const answer = await say("hello?");
    expect(isLate).toBe(true);
    expect(answer).toContain("It is on its way.");
    expect(answer).not.toContain(lineOf("en", "no-agents"));
  });

  test.each(["after", "before"] as const)(
    "reaches the reader though it was written just before the chat was closed that all had left (%s the last question)",
    async (when) => {
      const settings = { chat: { assignTimeout: 5_000, poll: 100 } };
      const { here, sam, say, opened, between: service } = await open(settings);
      await sam.accept(opened.id);
      await sam.send(opened.id, { message: "One moment." });
      expect(await say("hello?")).toContain("One moment.");
      // The gateway's last looks before it closes the chat see neither the agent nor the message.
      let isLate = false;
      service.rule((call) => {
        isLate ||= call.startsWith("DELETE ");
        return !isLate && /^GET .*\/(assign|messages)$/u.test(call) ? "fail" : "pass";
      });
      service.disguise({
        path: (path) => path,
        body: (body, path) =>
          isLate || !/\/chats\/[^/]+$/u.test(path)
            ? body
            : body.replace(/"agent":"[^"]*"/u, '"agent":null'),
      });
      const message = "It is on its way.";
      if (when === "before") await sam.send(opened.id, { message });
      const answer = [...(await say("anybody?"))];
      if (when === "after") await sam.send(opened.id, { message });
      // A chat without a listener is looked at again after 15 seconds.
      putForward(15_000);
      await until(() => Promise.resolve(isLate));
      await until(async () => {
        answer.push(...(await say(`please ${answer.length}`)));
        return answer.includes(message);
      });
      expect(answer).not.toContain(lineOf("en", "no-agents"));
      expect(answer.includes(lineOf("en", "closed"))).toBe(when === "after");
      // If it is a question, it has a ticket; else it was the answer.
      const listTickets = () => Array.fromAsync(here.clients.ticketing.tickets());
      if (when === "after") expect(await listTickets()).toEqual([]);
      else await until(async () => (await listTickets()).length === 1);
    },
  );

  test("reaches the reader, and the bot answers, though another process checks the chat just then", async () => {
    const data = createFolder();
    const { sam, say, opened } = await open({}, data);
    await sam.accept(opened.id);
    await sam.send(opened.id, { message: "One moment." });
    await say("hello?");
    const state = new DatabaseSync(join(data, "state.db"), { timeout: 5000 });
    const [key] = state
      .prepare("SELECT key FROM escalations")
      .all()
      .map(({ key }) => key);
    // Between two of its own claims.
    const look = state.prepare("INSERT INTO claims VALUES (?, 'somebody else', ?, ?)");
    await until(async () => {
      try {
        return look.run(`attend:${String(key)}`, Date.now(), Date.now() + 1500).changes === 1;
      } catch {
        return false;
      }
    });
    state.close();
    await sam.close(opened.id);
    const answer = await say("What are your opening hours?");
    expect(answer).not.toContain(lineOf("en", "not-delivered"));
    expect(answer).toContain(lineOf("en", "closed"));
    expect(answer.length).toBeGreaterThan(1);
  });

  test("reaches the reader with the next turn if the gateway had no place for the answer", async () => {
    const bed = await openBed({
      settings: { identity: { ask: [] } },
      change: (config) => ({ ...config, limits: { ...config.limits, inFlight: 8, queue: 0 } }),
    });
    const { chat } = bed.clients;
    const sam = chat.as(await signIn(chat));
    const talk = await bed.talk();
    await sayYes(talk);
    const { id } = await openedChat(chat);
    await sam.accept(id);
    await talk.say("hello?");
    await sam.send(id, { message: "I am Sam." });
    const { admission } = bed.running.gateway.core;
    const places = [];
    for (;;) {
      const place = await admission.enter(false, null);
      if (place === null) break;
      places.push(place);
    }
    expect((await talk.post({ message: "are you there?" })).status).toBe(503);
    for (const place of places) place.leave();
    const next = await talk.say("please answer");
    expect(next.map(({ message }) => message)).toContain("I am Sam.");
  });

  test("is repeated to a client that sends the same turn again", async () => {
    const { sam, talk, say, opened } = await open();
    await sam.accept(opened.id);
    await say("hello?");
    await sam.send(opened.id, { message: "It is on its way." });
    await sam.close(opened.id);
    expect(await say("What are your opening hours?")).toContain("It is on its way.");
    const again = (await talk.again()).map(({ message }) => message);
    expect(again).toContain("It is on its way.");
  });

  test("is bounded, and all of it reaches the reader in order", async () => {
    const { sam, say, opened } = await open();
    await sam.accept(opened.id);
    await say("hello?");
    const letters = Array.from({ length: 9 }, (_, index) => `${index}${"é".repeat(9990)}`);
    for (const message of letters) await sam.send(opened.id, { message });
    const texts: string[] = [];
    await until(async () => {
      texts.push(...(await say(`and ${texts.length}?`)).filter((text) => /^\d/u.test(text)));
      return texts.length >= letters.length;
    });
    expect(texts).toEqual(letters);
  });
});

describe("when the agent leaves", () => {
  test("another agent is invited, and the reader is told that and who comes", async () => {
    const { chat, sam, say, opened } = await open({ chat: { assignTimeout: 900_000, poll: 100 } });
    await sam.accept(opened.id);
    await say("hello?");
    const bea = { name: "Bea", login: "bea", password: "a long password", rooms: ["1"] };
    const { agent } = await chat.createAgent(bea);
    await chat.login("bea", "a long password");
    await chat.toInbox(opened.id);
    const texts: string[] = [];
    const hears = (line: string) =>
      until(async () => {
        texts.push(...(await say(`there? ${Math.random()}`)));
        return texts.includes(line);
      });
    await hears(lineOf("en", "connecting"));
    await chat.accept(opened.id, agent.id);
    await hears(lineOf("en", "joined"));
    expect(texts).not.toContain(lineOf("en", "no-agents"));
  });

  test("and no other is free, a ticket is made long before the idle time is over", async () => {
    const { chat, sam, say, opened } = await open({ chat: { assignTimeout: 900_000, poll: 100 } });
    await sam.accept(opened.id);
    await say("hello?");
    await chat.changeAgent("demo-agent", { online: false });
    await sam.leave(opened.id);
    await until(async () =>
      (await say(`anybody? ${Math.random()}`)).some((text) => text.includes("created ticket")),
    );
    expect((await chat.chat(opened.id)).status).toBe("closed");
  });

  test("and no other comes, a ticket is made, and the chat is closed", async () => {
    const { chat, sam, say, opened } = await open({ chat: { assignTimeout: 4000, poll: 100 } });
    await sam.accept(opened.id);
    await say("hello?");
    await sam.leave(opened.id);
    await say("anybody?");
    putForward(4000);
    const answer = await until(async () => {
      const texts = await say(`anybody? ${Math.random()}`);
      return texts.some((text) => text.includes("created ticket")) && texts;
    });
    // The agent has left, and is free.
    expect(answer).toContain(lineOf("en", "unanswered"));
    expect((await chat.chat(opened.id)).status).toBe("closed");
  });
});
