// Suite: slow
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { withDeadline } from "../../../src/escalation/stores/deadline.ts";
import { createMemoryEscalations } from "../../../src/escalation/stores/memory.ts";
import { lineOf, openBed, sayYes, signIn } from "./bed.ts";
import { createFolder } from "../../fixtures/folder.ts";

describe("while the store cannot be written", () => {
  test("a message to a person reaches neither the engine nor the person twice", async () => {
    const data = createFolder();
    const bed = await openBed({ settings: { identity: { ask: [] } }, data });
    const { chat } = bed.clients;
    const sam = chat.as(await signIn(chat));
    const talk = await bed.talk();
    await sayYes(talk);
    let id = "";
    for await (const one of chat.chats()) id = one.id;
    await sam.accept(id);
    await talk.say("hello?");
    const locked = new DatabaseSync(join(data, "state.db"));
    locked.exec("BEGIN IMMEDIATE");
    expect(await talk.say("my order is W-1404")).toEqual([]);
    locked.exec("ROLLBACK");
    locked.close();
    const words = [];
    for await (const { message } of chat.messages(id)) words.push(message);
    expect(words.filter((text) => text === "my order is W-1404")).toHaveLength(1);
    const history = await fetch(`${bed.url}/v1/conversation/history`, { headers: talk.headers });
    expect(await history.text()).not.toContain("W-1404");
  });

  test("a reply to a form of ours does not reach the engine", async () => {
    const data = createFolder();
    const bed = await openBed({
      settings: { identity: { ask: ["email"] }, ladder: ["ticket"] },
      data,
    });
    const talk = await bed.talk();
    await sayYes(talk);
    const locked = new DatabaseSync(join(data, "state.db"));
    locked.exec("BEGIN IMMEDIATE");
    const texts = (await talk.say("ada@example.com")).map(({ message }) => message);
    locked.exec("ROLLBACK");
    locked.close();
    expect(texts).toEqual([lineOf("en", "not-delivered")]);
    const history = await fetch(`${bed.url}/v1/conversation/history`, { headers: talk.headers });
    expect(await history.text()).not.toContain("ada@");
  });
});

test("a store that does not answer delays no request", async () => {
  const silent = {
    ...createMemoryEscalations({ now: Date.now }),
    get: () => new Promise<never>(() => undefined),
  };
  await expect(withDeadline(silent, 20).get("x")).rejects.toThrow("did not answer within 20 ms");
});
