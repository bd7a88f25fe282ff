import { describe, expect, test } from "vitest";
import type { Json } from "../../client.ts";
import { service } from "../service.ts";
import type { Service } from "../service.ts";

/** Tests chats on any store. */
export function chats(title: string, address: () => Promise<string | null>): void {
  describe(`chats over ${title}`, () => {
    test("go from availability to closing", async () => {
      const { ask, agent, eventsOf } = await service(await address());
      const sam = await agent();
      expect((await ask("GET", "agents/available?roomIds=1")).body).toEqual({ agents: { 1: 1 } });
      const signedUp = await ask("POST", "users", { name: "Ana", externalId: "crm-1" });
      const user = signedUp.body.user;
      expect(user).toMatchObject({ name: "Ana", externalId: "crm-1", chats: [], providerId: "" });
      const made = await ask("POST", "chats", {
        room: 1,
        creator: user.id,
        source: 3,
        lang: "en",
        history: [
          { sender: "assistant", message: "Hello", created: 1_700_000_000 },
          { sender: user.id, message: "I want a person", created: 1_700_000_007 },
          { sender: "assistant", message: "  ", created: 1_700_000_008 },
        ],
      });
      const { id } = made.body.chat;
      expect(made.body.chat).toMatchObject({
        status: "active",
        creator: user.id,
        room: 1,
        source: 3,
        lang: "en",
        externalId: "",
        inQueue: 0,
      });
      const assigned = await ask("GET", `chats/${id}/assign`);
      expect(assigned.body).toMatchObject({ agent: { id: sam }, chat: { status: "waiting" } });
      await ask("POST", "invitations/accept", { chatId: id, userId: sam });
      const held = await ask("GET", `chats/${id}`);
      expect(held.body.chat).toMatchObject({ status: "active", agent: sam });
      const reply = await ask("POST", `chats/${id}/messages`, { sender: user.id, message: "Hi" });
      await ask("PUT", `messages/${reply.body.message.id}/read`, { userId: sam });
      const answer = await ask("POST", `chats/${id}/messages`, { sender: sam, message: "Hello!" });
      expect(answer.body.message).toMatchObject({ chat: id, sender: sam, type: "text" });
      const { body } = await ask("GET", `chats/${id}/messages`);
      expect(
        body.messages.map((one: Json) => [one.sender, one.message, one.created, one.read]),
      ).toEqual([
        ["assistant", "Hello", 1_700_000_000, []],
        [user.id, "I want a person", 1_700_000_007, []],
        [user.id, "Hi", expect.any(Number), [sam]],
        [sam, "Hello!", expect.any(Number), []],
      ]);
      expect((await ask("GET", `users/${user.id}`)).body.user.chats).toEqual([id]);
      expect((await ask("GET", `users/${sam}`)).body.user.providerId).not.toBe("");
      await ask("DELETE", `chats/${id}?userId=${user.id}`);
      expect((await ask("GET", `chats/${id}`)).body.chat).toMatchObject({
        status: "closed",
        closed: true,
      });
      expect((await ask("GET", `users/${user.id}`)).body.user.chats).toEqual([]);
      expect(await eventsOf(id)).toEqual([
        "chats:create",
        "messages:new",
        "messages:new",
        "chats:assign",
        "invitations:new",
        "invitations:accept",
        "chats:join",
        "messages:new",
        "messages:read",
        "messages:new",
        "chats:close",
      ]);
    });

    test("return room and source in the JSON type in which they came", async () => {
      const { ask, chat } = await service(await address());
      await ask("POST", "rooms", { id: "vip" });
      expect(await chat({ room: 1, source: 3 })).toMatchObject({ room: 1, source: 3 });
      expect(await chat({ room: "1", source: "3" })).toMatchObject({ room: "1", source: "3" });
      expect(await chat({ room: "vip", source: "web" })).toMatchObject({ room: "vip" });
    });

    test("number at most one for each user, also when requested at the same moment", async () => {
      const { ask, user } = await service(await address());
      const creator = await user();
      await warm(ask);
      const all = await Promise.all(
        Array.from({ length: 5 }, () => ask("POST", "chats", { room: 1, creator })),
      );
      expect(all.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409]);
      expect(all.find(({ status }) => status === 409)?.body.error.message).toContain("already has");
      const open = await ask("GET", `users/${creator}`);
      await ask("DELETE", `chats/${open.body.user.chats[0]}`);
      expect((await ask("POST", "chats", { room: 1, creator })).status).toBe(200);
    });

    test("create messages with a key once", async () => {
      const { ask, user } = await service(await address());
      const creator = await user();
      const key = { "idempotency-key": "k1" };
      const twice = await Promise.all(
        [1, 2].map(() => ask("POST", "chats", { room: 1, creator }, key)),
      );
      const ids = new Set(twice.map(({ body }) => body.chat.id));
      expect(ids.size).toBe(1);
      const [id] = [...ids];
      const say = (message: string): ReturnType<typeof ask> =>
        ask("POST", `chats/${id}/messages`, { sender: creator, message }, key);
      const answers = await Promise.all([say("Hi"), say("Hi")]);
      expect(answers[0]?.body).toEqual(answers[1]?.body);
      expect((await say("Other")).status).toBe(409);
      expect((await ask("GET", `chats/${id}/messages`)).body.messages).toHaveLength(1);
    });

    test("keep the order of messages that many people send at once", async () => {
      const { ask, chat, eventsOf } = await service(await address());
      const { id, creator } = await chat();
      const all = await Promise.all(
        Array.from({ length: 12 }, (_, at) =>
          ask("POST", `chats/${id}/messages`, { sender: creator, message: `m${at}` }),
        ),
      );
      expect(all.every(({ status }) => status === 200)).toBe(true);
      const { body } = await ask("GET", `chats/${id}/messages`);
      const { body: history } = await ask("GET", `chats/${id}/history`);
      const logged = history.history.slice(1).map((event: Json) => event.data.message.id);
      expect(body.messages.map((one: Json) => one.id)).toEqual(logged);
      expect(await eventsOf(id)).toHaveLength(13);
      const page = await ask("GET", `chats/${id}/messages?length=5&after=${logged[9]}`);
      expect(page.body).toMatchObject({ messages: [{ id: logged[10] }, { id: logged[11] }] });
    });

    test("go to the agent with the most free slots who speaks their language, and then to the next", async () => {
      const { ask, agent, chat, time, chores, eventsOf } = await service(await address());
      const one = await agent({ slots: 1 });
      const many = await agent({ slots: 5 });
      const french = await agent({ slots: 9, languages: ["fr"] });
      await agent({ slots: 20, online: false });
      await agent({ slots: 20, rooms: ["2"] });
      const { id } = await chat({ lang: "en" });
      const invited = async (): Promise<string[]> => {
        const { body } = await ask("GET", `chats/${id}/history`);
        return body.history
          .filter(({ trigger }: Json) => trigger === "invitations:new")
          .map(({ data }: Json) => data.userId);
      };
      expect((await ask("GET", `chats/${id}/assign`)).body.agent.id).toBe(many);
      expect((await ask("POST", "invitations/accept", { chatId: id, userId: one })).status).toBe(
        409,
      );
      await ask("POST", "invitations/reject", { chatId: id, userId: many });
      expect(await invited()).toEqual([many, one]);
      time.advance(29);
      await chores();
      expect((await ask("GET", `chats/${id}`)).body.chat.status).toBe("waiting");
      time.advance(2);
      await Promise.all([chores(), chores()]);
      expect((await ask("GET", `chats/${id}`)).body.chat.status).toBe("active");
      expect((await eventsOf(id)).slice(-2)).toEqual(["invitations:reject", "forever:alone"]);
      expect((await ask("GET", `chats/${id}/assign`)).body.agent.id).toBe(many);
      const bonjour = await chat({ lang: "fr-CA" });
      expect((await ask("GET", `chats/${bonjour.id}/assign`)).body.agent.id).toBe(french);
      const olá = await chat({ lang: "pt" });
      const none = await ask("GET", `chats/${olá.id}/assign`);
      expect(none.body.agent.id).toBe(many);
      expect((await ask("GET", "agents/available?roomIds=1,2&langs=fr")).body.agents).toEqual({
        1: 3,
        2: 1,
      });
    });

    test("never take more of an agent than the free slots, however many are requested at once", async () => {
      const { ask, agent, chat } = await service(await address());
      const sam = await agent({ slots: 2 });
      const made = [];
      for (let n = 0; n < 12; n += 1) made.push(await chat());
      await warm(ask);
      const found = await Promise.all(made.map(({ id }) => ask("GET", `chats/${id}/assign`)));
      expect(found.filter(({ body }) => body.agent?.id === sam)).toHaveLength(2);
      expect(found.filter(({ body }) => body.agent === null)).toHaveLength(10);
      expect((await ask("GET", `agents/${sam}`)).body.agent).toMatchObject({ slots: 2, load: 2 });
      expect((await ask("GET", "agents/available?roomIds=1")).body.agents).toEqual({ 1: 0 });
      expect((await ask("GET", "agents/online?roomId=1")).body).toEqual({ agentsOnline: true });
      const late = await chat();
      expect((await ask("POST", `chats/${late.id}/join`, { userId: sam })).status).toBe(409);
    });

    test("wait in a queue in their order, report their position, and are served as slots become free", async () => {
      const { ask, agent, chat, time, chores } = await service(await address());
      await ask("PUT", "settings", { queue: { active: true } });
      const sam = await agent({ slots: 1 });
      const first = await chat();
      expect(first).toMatchObject({ status: "waiting", inQueue: 1 });
      const [second, third] = [await chat(), await chat()];
      const place = async (id: string): Promise<number> =>
        (await ask("GET", `queues/update/${id}`)).body.queue.queuePosition;
      expect([await place(first.id), await place(second.id), await place(third.id)]).toEqual([
        1, 2, 3,
      ]);
      await ask("POST", "invitations/accept", { chatId: first.id, userId: sam });
      expect([await place(first.id), await place(second.id), await place(third.id)]).toEqual([
        0, 1, 2,
      ]);
      expect((await ask("GET", "queues/status")).body.queues["1"].waiting).toBe(2);
      time.advance(120);
      await ask("DELETE", `chats/${first.id}`);
      const { body } = await ask("GET", `chats/${second.id}/history`);
      expect(
        body.history.map((event: Json) => event.data.data?.queuePosition ?? event.trigger),
      ).toEqual(["chats:create", 2, 1, "chats:assign", "invitations:new"]);
      expect((await ask("GET", `queues/update/${third.id}`)).body.queue).toEqual({
        chatId: third.id,
        queuePosition: 2,
        // Sam accepted the first one at once, so the wait of others is not known.
        estimatedWait: null,
        overtaken: 0,
      });
      // An agent who does not accept is not asked again for a minute, so the next chat in the queue
      // is offered.
      await ask("POST", "invitations/reject", { chatId: second.id, userId: sam });
      expect((await ask("GET", `chats/${second.id}`)).body.chat).toMatchObject({
        status: "waiting",
        inQueue: 1,
      });
      await ask("POST", "invitations/accept", { chatId: third.id, userId: sam });
      // The second chat keeps its position, and its user learns that a later one was taken first.
      // The third had waited for two minutes.
      const position = { queuePosition: 1, estimatedWait: 120, overtaken: 1 };
      expect((await ask("GET", `queues/update/${second.id}`)).body.queue).toEqual({
        chatId: second.id,
        ...position,
      });
      const events = (await ask("GET", `chats/${second.id}/history`)).body.history;
      const updates = events.filter((event: Json) => event.trigger === "queues:update");
      expect(updates.map((event: Json) => event.data.data).slice(-2)).toEqual([
        { queuePosition: 1, estimatedWait: null, overtaken: 0 },
        position,
      ]);
      await ask("DELETE", `chats/${third.id}`);
      time.advance(61);
      await chores();
      const again = await ask("POST", "invitations/accept", { chatId: second.id, userId: sam });
      expect(again.status).toBe(200);
    });

    test("pass from one agent to another, and go back to the inbox", async () => {
      const { ask, agent, chat, eventsOf } = await service(await address());
      const [sam, eve] = [await agent(), await agent({ slots: 2 })];
      const { id, creator } = await chat();
      await ask("GET", `chats/${id}/assign`);
      await ask("POST", "invitations/accept", { chatId: id, userId: eve });
      await ask("POST", `chats/${id}/transfer`, { userId: sam });
      expect((await ask("GET", `chats/${id}`)).body.chat).toMatchObject({
        status: "active",
        agent: eve,
      });
      await ask("POST", "invitations/accept", { chatId: id, userId: sam });
      expect((await ask("GET", `chats/${id}`)).body.chat.agent).toBe(sam);
      const users = await ask("GET", `chats/${id}/users`);
      expect(users.body.users.map((user: Json) => user.id)).toEqual([creator, sam]);
      const say = await ask("POST", `chats/${id}/messages`, { sender: eve, message: "Bye" });
      expect(say.status).toBe(403);
      const inbox = await ask("POST", `chats/${id}/toinbox`);
      expect(inbox.body).toMatchObject({ agent: { id: eve }, chat: { agent: null } });
      expect((await eventsOf(id)).slice(-7)).toEqual([
        "invitations:new",
        "invitations:accept",
        "chats:join",
        "chats:leave",
        "chats:leave",
        "chats:assign",
        "invitations:new",
      ]);
    });

    test("are joined by a second agent, who stays when the first leaves", async () => {
      const { ask, agent, chat } = await service(await address());
      const [sam, eve] = [await agent({ slots: 3 }), await agent()];
      const { id } = await chat();
      await ask("GET", `chats/${id}/assign`);
      await ask("POST", "invitations/accept", { chatId: id, userId: sam });
      await ask("POST", "invitations", { chatId: id, userId: eve });
      expect((await ask("POST", "invitations", { chatId: id, userId: eve })).status).toBe(409);
      await ask("POST", "invitations/accept", { chatId: id, userId: eve });
      expect((await ask("GET", `chats/${id}`)).body.chat.agent).toBe(sam);
      await ask("PUT", `chats/${id}/leave`, { userId: sam });
      expect((await ask("GET", `chats/${id}`)).body.chat.agent).toBe(eve);
      await ask("POST", `chats/${id}/transfer`, { userId: sam });
      await ask("PUT", `chats/${id}/leave`, { userId: eve });
      const { body } = await ask("GET", `chats/${id}/history`);
      expect(body.history.slice(-2)).toMatchObject([
        { trigger: "invitations:reject", data: { userId: sam, reason: "withdrawn" } },
        { trigger: "chats:leave", data: { userId: eve } },
      ]);
      expect((await ask("POST", "invitations/accept", { chatId: id, userId: sam })).status).toBe(
        409,
      );
      expect((await ask("GET", `chats/${id}`)).body.chat).toMatchObject({
        status: "active",
        agent: null,
      });
    });

    test("are closed after a long silence, once, by the first process that looks", async () => {
      const made = await service(await address());
      const { ask, agent, chat, time, chores, user } = made;
      const sam = await agent();
      const { id } = await chat();
      await ask("POST", `chats/${id}/join`, { userId: sam });
      time.advance(899);
      await ask("POST", `chats/${id}/messages`, { sender: sam, message: "Still there?" });
      time.advance(899);
      await chores();
      expect((await ask("GET", `chats/${id}`)).body.chat.closed).toBe(false);
      time.advance(2);
      await Promise.all([chores(), chores(), chores()]);
      const { body } = await ask("GET", `chats/${id}/history`);
      const closed = body.history.filter((event: Json) => event.trigger === "chats:close");
      expect(closed.map((event: Json) => event.data)).toEqual([
        { chatId: id, userId: "system", extraData: { reason: "inactivity" } },
      ]);
      await ask("PUT", "settings", { inactivity: 0 });
      const patient = await chat({ creator: await user() });
      time.advance(1_000_000);
      await chores();
      expect((await ask("GET", `chats/${patient.id}`)).body.chat.closed).toBe(false);
    });

    test("stay open, and are reported once, while their user waits for an answer", async () => {
      const made = await service(await address());
      const { ask, agent, chat, time, chores, eventsOf } = made;
      const sam = await agent();
      const { id, creator } = await chat();
      await ask("POST", `chats/${id}/join`, { userId: sam });
      const asked = Math.floor(time.now() / 1000);
      const look = async (): Promise<Json> => (await ask("GET", `chats/${id}`)).body.chat;
      const say = (sender: string) => ask("POST", `chats/${id}/messages`, { sender, message: "…" });
      await say(creator);
      expect(await look()).toMatchObject({ waitingSince: asked });
      expect(await look()).not.toHaveProperty("unanswered");
      // Asking again does not restart the wait.
      time.advance(899);
      await say(creator);
      await ask("POST", `users/${creator}/activity`, { type: "writing", chatId: id });
      time.advance(2);
      await Promise.all([chores(), chores(), chores()]);
      expect((await eventsOf(id)).filter((name) => name === "chats:unanswered")).toHaveLength(1);
      expect(await look()).toMatchObject({ closed: false, waitingSince: asked, unanswered: true });
      await say(creator);
      time.advance(1_000_000);
      await chores();
      expect(await look()).toMatchObject({ closed: false, agent: sam, unanswered: true });
      await say(sam);
      expect(await look()).not.toHaveProperty("waitingSince");
      expect(await look()).not.toHaveProperty("unanswered");
      time.advance(901);
      await chores();
      expect(await look()).toMatchObject({
        closed: true,
        closedBy: "system",
        closeReason: "inactivity",
      });
    });

    test("consider imported messages: a question waits for an answer, and an answered one does not", async () => {
      const { ask, chat, time, chores } = await service(await address());
      const line = (sender: string) => ({ sender, message: "…", created: 1_700_000_000 });
      const open = await chat({ history: [line("assistant"), line("user"), line("assistant")] });
      const over = await chat({ history: [line("user"), line("sam")] });
      const silent = await chat();
      time.advance(901);
      await chores();
      const closed = async ({ id }: Json): Promise<boolean> =>
        (await ask("GET", `chats/${id}`)).body.chat.closed;
      expect(await Promise.all([open, over, silent].map(closed))).toEqual([false, true, true]);
    });

    test("tell their user neither who closed them nor why", async () => {
      const { ask, askAs } = await service(await address());
      const made = await ask("POST", "users", { name: "Ana" });
      const { id } = (await ask("POST", "chats", { room: 1, creator: made.body.user.id })).body
        .chat;
      await ask("POST", `chats/${id}/messages`, { sender: made.body.user.id, message: "…" });
      await ask("DELETE", `chats/${id}`, { reason: "abuse" });
      const seen = (await askAs(made.body.session.token, "GET", `chats/${id}`)).body.chat;
      for (const name of ["waitingSince", "unanswered", "closedBy", "closeReason"])
        expect(seen).not.toHaveProperty(name);
    });

    test("are listed by status, room, user and externalId", async () => {
      const { ask, chat } = await service(await address());
      const one = await chat({ externalId: "order-1" });
      const two = await chat();
      await ask("DELETE", `chats/${two.id}`, { userId: two.creator });
      const ids = async (query: string): Promise<string[]> =>
        (await ask("GET", `chats?${query}`)).body.chats.map(({ id }: Json) => id);
      expect(await ids("status=active")).toEqual([one.id]);
      expect(await ids("status=open")).toEqual([one.id]);
      expect(await ids("status=closed")).toEqual([two.id]);
      expect(await ids("externalId=order-1")).toEqual([one.id]);
      expect(await ids(`userId=${two.creator}`)).toEqual([two.id]);
      expect(await ids("room=1&length=1&offset=1")).toEqual([two.id]);
      expect((await ask("GET", "chats?status=asleep")).status).toBe(422);
      expect((await ask("GET", "chats?length=1")).body.hasMore).toBe(true);
    });
  });
}

/** Opens the connections of a pool, so that concurrent calls really run at once. */
async function warm(ask: Service["ask"]): Promise<void> {
  await Promise.all(Array.from({ length: 20 }, () => ask("GET", "chats")));
}
