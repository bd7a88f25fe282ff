// Suite: slow
import { describe, expect, onTestFinished, test } from "vitest";
import type { EscalationConfig } from "../../../src/config/escalation-config.ts";
import { lineOf, offered, openBed, openedChat, until } from "./bed.ts";
import { listenAt } from "./listen.ts";

/**
 * A reader who waits for the demo agent. The stream is opened when a test first reads its events.
 */
async function waiting(settings: Partial<EscalationConfig> = {}) {
  const bed = await openBed({
    settings: { identity: { ask: [] }, chat: { poll: 100 }, ...settings },
  });
  const { chat, sam, talk, yes, events } = await offered(bed);
  await talk.choose(yes?.value);
  const opened = await openedChat(chat);
  const tickets = async (): Promise<readonly string[]> => {
    const titles = [];
    for await (const { title } of bed.clients.ticketing.tickets()) titles.push(title);
    return titles;
  };
  let stream: ReturnType<typeof listenAt> | null = null;
  onTestFinished(() => stream?.stop());
  /** Waits until `words` are among the texts that the reader gets, and returns all of them. */
  const hears = async (words: string): Promise<readonly string[]> => {
    const readWords = (stream ??= listenAt(bed.url, talk, events)).words;
    return until(async () => {
      const texts = readWords().map(String);
      return texts.some((text) => text.includes(words)) && texts;
    });
  };
  return { bed, chat, sam, talk, opened, tickets, hears };
}

/** Closes a chat with a reason, as the desk does. */
async function closeFor(url: string, chat: string, reason: string): Promise<void> {
  const response = await fetch(`${url}/v1/chats/${chat}`, {
    method: "DELETE",
    headers: { "x-hyper-appId": "demo-app", "x-hyper-secret": "demo-app-secret" },
    body: JSON.stringify({ userId: "demo-agent", reason }),
  });
  expect(response.status).toBe(200);
}

describe("a reader whom an agent accepted and never answered", () => {
  test("gets a ticket after the idle time, is told so, and the agent sees why the chat ended", async () => {
    const { chat, sam, talk, opened, tickets, hears } = await waiting();
    await chat.changeSettings({ inactivity: 2 });
    await sam.accept(opened.id);
    await hears(lineOf("en", "joined"));
    await talk.say("Where is my order?");
    const texts = await hears("ticket");
    expect(texts).toContain(lineOf("en", "unanswered"));
    expect(texts).not.toContain(lineOf("en", "closed"));
    expect(await tickets()).toHaveLength(1);
    const ended = await chat.chat(opened.id);
    expect(ended).toMatchObject({ closed: true, closeReason: "unanswered" });
  });

  test("gets a ticket though the service itself closes silent chats", async () => {
    const { chat, sam, opened, tickets, hears } = await waiting();
    await sam.accept(opened.id);
    await hears(lineOf("en", "joined"));
    await chat.close(opened.id);
    const texts = await hears("ticket");
    expect(texts).toContain(lineOf("en", "unanswered"));
    expect(await tickets()).toHaveLength(1);
  });

  test("stays in the chat, which stays open and marked, where no ticket can be made", async () => {
    const { chat, sam, talk, opened, hears } = await waiting({ ladder: ["agents"] });
    await chat.changeSettings({ inactivity: 2 });
    await sam.accept(opened.id);
    await hears(lineOf("en", "joined"));
    await talk.say("Where is my order?");
    await until(async () => (await chat.chat(opened.id)).unanswered === true);
    expect(await talk.say("Hello?")).toEqual([]);
    await sam.send(opened.id, { message: "It is on its way." });
    await hears("It is on its way.");
  });
});

describe("a chat that an agent accepts and closes at once", () => {
  test("makes no ticket when the agent gave a reason", async () => {
    const { bed, sam, opened, tickets, hears } = await waiting();
    await sam.accept(opened.id);
    await closeFor(bed.url, opened.id, "abuse");
    const texts = await hears(lineOf("en", "closed"));
    expect(texts).not.toContain(lineOf("en", "no-agents"));
    expect(await tickets()).toEqual([]);
  });

  test("becomes a ticket when the agent neither wrote nor gave a reason, however late the gateway looks", async () => {
    const { sam, opened, tickets, hears } = await waiting();
    await sam.accept(opened.id);
    await hears(lineOf("en", "joined"));
    await sam.close(opened.id);
    await hears("ticket");
    expect(await tickets()).toHaveLength(1);
  });

  test("is not explained by missing agents, though it is over before the gateway looks", async () => {
    const { sam, opened, tickets, hears } = await waiting();
    await sam.accept(opened.id);
    await sam.close(opened.id);
    const texts = await hears("ticket");
    expect(texts).toContain(lineOf("en", "unanswered"));
    expect(texts).not.toContain(lineOf("en", "no-agents"));
    expect(await tickets()).toHaveLength(1);
  });

  test("is over without a ticket when the agent had answered", async () => {
    const { sam, opened, tickets, hears } = await waiting();
    await sam.accept(opened.id);
    await sam.send(opened.id, { message: "It is on its way." });
    await hears("on its way");
    await sam.close(opened.id);
    await hears(lineOf("en", "closed"));
    expect(await tickets()).toEqual([]);
  });
});
