import { describe, expect, test } from "vitest";
import { isCallError } from "../../../src/api/call/call-error.ts";
import { startChat } from "../../../src/api/chat/start.ts";
import { png, service } from "./service.ts";

describe("the client", () => {
  test("starts a chat in four steps, and creates nothing where nobody is available", async () => {
    const { client, agent, ask } = await service(null);
    const user = { name: "Ana", externalId: "crm-1" };
    expect(await client.start({ room: 1, user, lang: "en" })).toEqual({
      started: false,
      reason: "no-agents",
    });
    expect((await ask("GET", "users")).body.users).toEqual([]);
    expect((await ask("GET", "chats")).body.chats).toEqual([]);
    const sam = await agent({ slots: 2, languages: ["en"] });
    expect(await client.start({ room: 1, user, lang: "fr" })).toMatchObject({ started: false });
    const history = [{ sender: "assistant", message: "Hello", created: 1_700_000_000 }];
    const outcome = await client.start({ room: 1, user, lang: "en", history, source: "web" });
    expect(outcome).toMatchObject({
      started: true,
      outcome: "invited",
      agent: { id: sam },
      chat: { status: "waiting", source: "web" },
      token: expect.any(String),
    });
    // A second request continues with the existing records.
    const again = await client.start({ room: 1, user, lang: "en" });
    expect(again).toMatchObject({ outcome: "ongoing", token: null });
    expect((await ask("GET", "chats")).body.chats).toHaveLength(1);
  });

  test("starts a chat in the queue without looking for an agent", async () => {
    const { client, agent, ask } = await service(null);
    await agent({ slots: 0 });
    await ask("PUT", "settings", { queue: { active: true } });
    const outcome = await client.start({ room: 1, user: { name: "Ana" }, queue: true });
    expect(outcome).toMatchObject({ outcome: "queued", chat: { inQueue: 1 }, agent: null });
  });

  test("reports when the search no longer finds an agent", async () => {
    const { client, agent, ask } = await service(null);
    const sam = await agent();
    const { user } = await client.createUser({ name: "Ana" });
    const goesHome: typeof client = {
      ...client,
      async createChat(...given) {
        await ask("PUT", `agents/${sam}`, { online: false });
        return client.createChat(...given);
      },
    };
    const outcome = await startChat(goesHome, { room: 1, user: { id: user.id } });
    expect(outcome).toMatchObject({ outcome: "alone", agent: null, chat: { status: "active" } });
  });

  test("sends messages and files, reads and closes, as the app and as the people in the chat", async () => {
    const { client, agent } = await service(null);
    const sam = await agent({ login: "sam" });
    const { user, token } = await client.createUser({ name: "Ana" });
    const ana = client.as(token ?? "");
    const agentSide = client.as((await client.login("sam", "a long password")).token ?? "");
    const chat = await ana.createChat({ room: 1, creator: user.id });
    const found = await client.assign(chat.id);
    expect(found).toMatchObject({ agent: { id: sam }, chat: { status: "waiting" } });
    await agentSide.accept(chat.id);
    const hi = await ana.send(chat.id, { message: "Hi" });
    await agentSide.read(hi.id);
    await ana.activity(user.id, "writing");
    const media = await ana.upload({ name: "a.png", bytes: png }, { chatId: chat.id });
    const file = await agentSide.download(media.id);
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(png);
    const messages = await Array.fromAsync(agentSide.messages(chat.id, { length: 1 }));
    expect(messages.map(({ type, read }) => [type, read])).toEqual([
      ["text", [sam]],
      ["media", []],
    ]);
    expect(await Array.fromAsync(client.messages(chat.id, { after: hi.id }))).toHaveLength(1);
    expect((await client.chatUsers(chat.id)).map(({ id }) => id)).toEqual([user.id, sam]);
    expect(await client.historyCsv(chat.id)).toContain("invitations:accept");
    await ana.close(chat.id);
    const closed = await client.send(chat.id, { sender: user.id, message: "x" }).catch(asCode);
    expect(closed).toEqual(["call-refused", 409, "chat.sendMessage: The chat is closed."]);
    expect((await client.findUser("nobody")) ?? null).toBeNull();
    expect(await client.agent("nobody").catch(asCode)).toEqual([
      "call-not-found",
      404,
      "chat.agent: There is no agent nobody.",
    ]);
    expect(await client.user("nobody").catch(asCode)).toEqual([
      "call-not-found",
      404,
      "chat.user: There is no user nobody.",
    ]);
    const agents = await Array.fromAsync(ana.agents()).catch(asCode);
    expect(agents).toEqual([
      "call-unauthorized",
      403,
      "chat.agents: This needs an agent's token, or the app's secret.",
    ]);
  });

  test("administers an app", async () => {
    const { client, appId } = await service(null);
    expect(await client.isValid()).toBe(true);
    expect(await client.app()).toMatchObject({ id: appId, name: "Mine" });
    const { agent, password } = await client.createAgent({ name: "Sam", login: "sam" });
    expect(password).toEqual(expect.any(String));
    await client.changeAgent(agent.id, { online: true, rooms: ["1"], slots: 4 });
    expect(await client.availableAgents([1, 2])).toEqual({ 1: 1, 2: 0 });
    expect(await client.areAgentsOnline(1)).toBe(true);
    expect(await client.rooms()).toEqual([{ id: "1", name: "Help", assign: "most-free-slots" }]);
    await client.changeSettings({ allowedMediaTypes: [] });
    expect(await client.settings()).toMatchObject({ allowedMediaTypes: [] });
    const survey = await client.createSurvey({ name: "S", url: "https://s.test/" });
    expect(await client.survey(survey.id, { sourceId: "7" })).toMatchObject({
      url: "https://s.test/?sourceId=7",
    });
    const { webhook } = await client.createWebhook({
      events: "chats:close",
      target: "https://h.test/",
    });
    await client.removeWebhook(webhook.id);
    expect(await client.webhooks()).toEqual([]);
    expect(await client.newId()).not.toBe(await client.newId());
    expect(await client.queueStatus()).toEqual({ 1: { waiting: 0, estimatedWait: null } });
  });

  test("closes with the user's id in the query, and in the body in the specification's spelling", async () => {
    for (const wire of ["deployed", "seed"] as const) {
      const { client, ask, chat } = await service(null, { wire });
      const { id, creator, status } = await chat();
      expect(status).toBe(wire === "seed" ? "open" : "active");
      await client.close(id, creator);
      const { body } = await ask("GET", `chats/${id}/history`);
      expect(body.history.at(-1).data).toEqual({ chatId: id, userId: creator });
    }
  });
});

function asCode(error: unknown): unknown {
  return isCallError(error) ? [error.code, error.status, error.message] : error;
}
