// Suite: slow
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ana, type Bed, bed, valueOf } from "./bed.ts";
import { createFolder } from "../../fixtures/folder.ts";

describe.each(["deployed", "seed"] as const)("the chat's service to our backend (%s)", (wire) => {
  const opened = (): Promise<Bed> => bed({ wire });

  it("returns how many agents are free, in this room and language, and that chats do not queue", async () => {
    const { chat, agent } = await opened();
    expect(valueOf(await chat.availability("1", "en"))).toEqual({ agents: 0, queue: false });
    await agent({ languages: ["pt"] });
    await agent();
    expect(valueOf(await chat.availability(1, "en"))).toEqual({ agents: 1, queue: false });
    expect(valueOf(await chat.availability(1, "pt-BR"))).toEqual({ agents: 2, queue: false });
    expect(valueOf(await chat.availability("no such room", ""))).toEqual({
      agents: 0,
      queue: false,
    });
  });

  it("returns whether any agent is online where chats queue", async () => {
    const { chat, agent, askChat } = await opened();
    await askChat("PUT", "/settings", { queue: { active: true } });
    expect(valueOf(await chat.availability(1, "en"))).toEqual({ agents: 0, queue: true });
    await agent();
    expect(valueOf(await chat.availability(1, "en"))).toEqual({ agents: 1, queue: true });
  });

  it("makes a user once, finds them by our id, and keeps them up to date", async () => {
    const { chat, askChat } = await opened();
    expect(valueOf(await chat.findUser("conversation 1"))).toBeNull();
    const user = { externalId: "conversation 1", person: ana, extraInfo: { page: "/shop" } };
    const { id } = valueOf(await chat.createUser(user));
    expect(valueOf(await chat.findUser("conversation 1"))).toEqual({ id, chats: [] });
    const again = { ...user, person: { ...ana, name: "Ana M." } };
    expect(valueOf(await chat.createUser(again))).toEqual({ id });
    const { user: stored } = await askChat("GET", `/users/${id}`);
    expect(stored).toMatchObject({ name: "Ana M.", contact: ana.email, extraInfo: user.extraInfo });
    const nameless = { ...ana, name: " ", email: "" };
    expect((await chat.updateUser(id, nameless)).kind).toBe("ok");
    expect((await askChat("GET", `/users/${id}`)).user).toMatchObject({
      name: "Guest",
      contact: ana.email,
    });
  });

  it("opens a chat with what was said before, looks for an agent, and sees who took it", async () => {
    const at = await opened();
    const agent = await at.agent();
    const { chat, user } = await openChat(at);
    expect(valueOf(await at.chat.findUser("ana"))?.chats).toEqual([chat]);
    expect(valueOf(await at.chat.chat(chat))).toEqual({
      id: chat,
      status: "active",
      queued: false,
      externalId: "key 1",
      agent: null,
      writing: [],
      read: {},
    });
    expect(valueOf(await at.chat.assign(chat))).toEqual({ agent });
    expect(valueOf(await at.chat.chat(chat))).toMatchObject({ status: "waiting", agent: null });
    await at.askChat("POST", "/invitations/accept", { chatId: chat, userId: agent });
    expect(valueOf(await at.chat.chat(chat))).toMatchObject({ status: "active", agent });
    const history = await at.askChat("GET", `/chats/${chat}/messages`);
    expect(history.messages).toHaveLength(2);
    expect(history.messages[1]).toMatchObject({ sender: user, message: "I want a person" });
    const stored = (await at.askChat("GET", `/chats/${chat}`)).chat;
    expect(stored).toMatchObject({ room: 1, source: 3, lang: "pt" });
  });

  it("finds no agent where none is online", async () => {
    const at = await opened();
    const { chat } = await openChat(at);
    expect(valueOf(await at.chat.assign(chat))).toEqual({ agent: null });
  });

  it("reads messages once, without the imported ones", async () => {
    const at = await opened();
    const agent = await at.agent();
    const { chat, user } = await openChat(at);
    expect(valueOf(await at.chat.messages(chat, ""))).toEqual([]);
    await at.chat.assign(chat);
    await at.askChat("POST", "/invitations/accept", { chatId: chat, userId: agent });
    await at.askChat("POST", `/chats/${chat}/messages`, { sender: agent, message: "<b>Hello</b>" });
    const first = valueOf(await at.chat.messages(chat, ""));
    expect(first).toMatchObject([
      { sender: agent, type: "text", text: "<b>Hello</b>", media: null },
    ]);
    expect(first[0]?.at).toBeGreaterThan(Date.now() / 1000 - 60);
    const { id } = valueOf(await at.chat.say(chat, user, "Hi", "say 1"));
    const later = valueOf(await at.chat.messages(chat, first[0]?.id ?? ""));
    expect(later).toMatchObject([{ id, sender: user, text: "Hi" }]);
    expect(valueOf(await at.chat.messages(chat, id))).toEqual([]);
  });

  it("reads more messages than one page holds, in order", async () => {
    const at = await opened();
    const { chat, user } = await openChat(at);
    const lines = Array.from({ length: 230 }, (_, i) => `line ${i}`);
    for (const text of lines) valueOf(await at.chat.say(chat, user, text, randomUUID()));
    const all = await at.askChat("GET", `/chats/${chat}/messages?length=10`);
    const before = all.messages[1].id;
    const read = valueOf(await at.chat.messages(chat, before));
    expect(read.map(({ text }) => text)).toEqual(lines);
  });

  it("sends a file that is allowed, and tells one that is not from a failure", async () => {
    const at = await opened();
    const { chat, user } = await openChat(at);
    const text = new TextEncoder().encode("reader: hello\r\n--boundary\r\n");
    const attach = () => at.chat.attach(chat, user, 'a "talk".txt', "text/plain", text);
    expect(await attach()).toEqual({
      kind: "refused",
      status: 403,
      problem: "chat.upload: answered 403",
    });
    await at.askChat("PUT", "/settings", { allowedMediaTypes: ["text/plain"] });
    expect((await attach()).kind).toBe("ok");
    const { media } = await at.askChat("GET", `/media?chatId=${chat}`);
    expect(media).toMatchObject([{ name: 'a "talk".txt', type: "text/plain", size: text.length }]);
    const last = (await at.askChat("GET", `/chats/${chat}/messages`)).messages.at(-1);
    const before = (await at.askChat("GET", `/chats/${chat}/messages`)).messages.at(-2);
    expect(valueOf(await at.chat.messages(chat, before.id))).toMatchObject([
      { id: last.id, type: "media", media: { name: 'a "talk".txt', url: last.message.url } },
    ]);
  });

  it("closes a chat, for its user or the system, and accepts that it is closed already", async () => {
    const at = await opened();
    const { chat, user } = await openChat(at);
    expect(await at.chat.close(chat, user)).toEqual({ kind: "ok", value: null });
    expect(await at.chat.close(chat, user)).toEqual({ kind: "ok", value: null });
    expect(valueOf(await at.chat.chat(chat))).toMatchObject({ status: "closed", queued: false });
    const next = await openChat(at, "key 2");
    expect((await at.chat.close(next.chat, null)).kind).toBe("ok");
    expect(await at.chat.close("no such chat", null)).toMatchObject({
      kind: "refused",
      status: 404,
    });
    expect(await at.chat.chat("no such chat")).toEqual({ kind: "ok", value: null });
  });

  it("tells a place in the queue while there is one", async () => {
    const at = await opened();
    await at.askChat("PUT", "/settings", { queue: { active: true } });
    const { chat } = await openChat(at);
    expect(valueOf(await at.chat.queuePosition(chat))).toEqual({
      position: 1,
      estimate: null,
      overtaken: 0,
    });
    expect(valueOf(await at.chat.chat(chat))).toMatchObject({ status: "waiting", queued: true });
    await at.chat.close(chat, null);
    expect(valueOf(await at.chat.queuePosition(chat))).toBeNull();
    expect(valueOf(await at.chat.queuePosition("no such chat"))).toBeNull();
  });

  it("gives the address of a survey about the chat", async () => {
    const at = await opened();
    const { survey } = await at.askChat("POST", "/surveys", {
      name: "How was it?",
      url: "https://survey.test/s",
    });
    expect(valueOf(await at.chat.survey(survey.id, "c-1"))).toEqual({
      url: "https://survey.test/s?sourceType=chat&sourceId=c-1",
    });
    expect(valueOf(await at.chat.survey("none", "c-1"))).toBeNull();
  });

  it("opens one chat for one key: again, at once and after a restart", async () => {
    const folder = createFolder();
    const at = await bed({ wire, database: join(folder, "backend.db") });
    const { id: user } = valueOf(
      await at.chat.createUser({ externalId: "ana", person: ana, extraInfo: {} }),
    );
    const asked = request(user, "key 1");
    const open = () => at.chatService().openChat(asked);
    const made = await Promise.all([open(), open(), open(), open(), open()]);
    const [first] = made.map((answer) => valueOf(answer).id);
    expect(made.map((answer) => valueOf(answer).id)).toEqual(made.map(() => first));
    await at.restart();
    expect(valueOf(await open()).id).toBe(first);
    const more = { ...asked, history: [...asked.history, ...asked.history] };
    expect(valueOf(await at.chatService().openChat(more)).id).toBe(first);
    expect((await at.askChat("GET", "/chats")).chats).toHaveLength(1);
    expect(valueOf(await at.chatService().findUser("ana"))?.chats).toEqual([first]);
    expect(await at.chatService().openChat(request(user, "key 2"))).toMatchObject({
      kind: "refused",
      status: 409,
    });
    const service = at.chatService();
    const say = () => service.say(first ?? "", user, "Once", "say 1");
    const answers = await Promise.all([say(), say(), say()]);
    expect(new Set(answers.map((answer) => valueOf(answer).id)).size).toBe(1);
  });

  it("is refused with a wrong secret, and reveals neither it nor the messages", async () => {
    const at = await opened();
    const { chat, user } = await openChat(at);
    const wrong = at.chatService({ secret: "hunter2" });
    const answers = [
      await wrong.say(chat, user, "my pin is 4711", "k"),
      await wrong.findUser("ana"),
      await wrong.openChat(request(user, "k")),
    ];
    for (const answer of answers) {
      expect(answer).toMatchObject({ kind: "refused", status: 401 });
      expect(JSON.stringify(answer)).not.toMatch(/hunter2|4711|ana@/);
    }
  });
});

function request(user: string, key: string) {
  const now = Math.floor(Date.now() / 1000);
  return {
    externalId: key,
    user,
    room: 1,
    lang: "pt-BR",
    source: 3,
    history: [
      { sender: "assistant", message: "Hello", created: now - 60 },
      { sender: user, message: "I want a person", created: now },
    ],
    idempotencyKey: key,
  };
}

async function openChat(at: Bed, key = "key 1"): Promise<{ chat: string; user: string }> {
  const made = await at.chat.createUser({ externalId: "ana", person: ana, extraInfo: {} });
  const user = valueOf(made).id;
  return { chat: valueOf(await at.chat.openChat(request(user, key))).id, user };
}
