import { describe, expect, test } from "vitest";
import type { Json } from "../../client.ts";
import { service } from "../service.ts";
import type { Service } from "../service.ts";

/** An agent with their own token. */
async function signedIn(
  made: Service,
  login: string,
  more: object = {},
): Promise<{ readonly id: string; readonly token: string }> {
  const id = await made.agent({ login, password: "a long password", ...more });
  const given = { login, password: "a long password" };
  return { id, token: (await made.ask("POST", "agents/login", given)).body.session.token };
}

/** Tests an agent's working day, on any store. */
export function desk(title: string, address: () => Promise<string | null>): void {
  describe(`a chat's reason over ${title}`, () => {
    const about = { reason: "no-results", question: "Where is my parcel?\nWhere?" };

    test("is a word of the app, shown to agents and the app but not to its user", async () => {
      const made = await service(await address());
      const { ask, askAs } = made;
      const { token } = await signedIn(made, "sam");
      const { body } = await ask("POST", "users", { name: "Ada" });
      const { chat } = (await ask("POST", "chats", { room: 1, creator: body.user.id, ...about }))
        .body;
      expect(chat).toMatchObject(about);
      const seen = (await askAs(token, "GET", `chats/${chat.id}`)).body.chat;
      expect(seen).toMatchObject(about);
      const own = await askAs(body.session.token, "GET", `chats/${chat.id}`);
      expect(JSON.stringify(own.body)).not.toMatch(/no-results|parcel/);
      const answer = (await ask("GET", `chats/${chat.id}/history`)).body;
      expect(JSON.stringify(answer)).not.toMatch(/no-results|parcel/);
    });

    test("is refused from a user, and where it is too long or not a text", async () => {
      const { ask, askAs, user } = await service(await address());
      const { body } = await ask("POST", "users", { name: "Ada" });
      const { token } = body.session;
      const { chat } = (
        await askAs(token, "POST", "chats", { room: 1, creator: body.user.id, ...about })
      ).body;
      const stored: Json = (await ask("GET", `chats/${chat.id}`)).body.chat;
      expect([stored.reason, stored.question]).toEqual([undefined, undefined]);
      for (const wrong of [
        { reason: "x".repeat(201) },
        { question: "x".repeat(1001) },
        { reason: {} },
      ]) {
        const asked = await ask("POST", "chats", { room: 1, creator: await user(), ...wrong });
        expect(asked.status).toBe(422);
      }
      const empty = { room: 1, creator: await user(), reason: "", question: null };
      expect((await ask("POST", "chats", empty)).body.chat.reason).toBeUndefined();
    });
  });

  describe(`an agent's status over ${title}`, () => {
    test.each(["busy", "away"])(
      "%s: the agent gets no new chats and keeps the open ones",
      async (status) => {
        const made = await service(await address());
        const { ask, askAs, chat, client } = made;
        const { id: sam, token } = await signedIn(made, "sam", { slots: 5 });
        const open = await chat();
        await askAs(token, "POST", `chats/${open.id}/join`);
        const asked = await chat();
        expect((await ask("GET", `chats/${asked.id}/assign`)).body.agent).toMatchObject({
          id: sam,
        });
        const set = await askAs(token, "PUT", `agents/${sam}`, { status });
        expect(set.body.agent).toMatchObject({ online: true, status });
        // Their invitations go to others.
        expect((await ask("GET", `chats/${asked.id}`)).body.chat).toMatchObject({
          status: "active",
        });
        expect((await ask("GET", `chats/${asked.id}/assign`)).body.agent).toBeNull();
        for (const path of ["invitations", `chats/${asked.id}/transfer`]) {
          const by = { chatId: asked.id, userId: sam };
          expect((await ask("POST", path, by)).status).toBe(409);
        }
        expect((await ask("GET", "agents/available?roomIds=1")).body.agents).toEqual({ 1: 0 });
        expect((await ask("GET", "agents/online?roomId=1")).body.agentsOnline).toBe(false);
        const answer = await askAs(token, "POST", `chats/${open.id}/messages`, {
          message: "Still here",
        });
        expect(answer.status).toBe(200);
        // They may take a chat by themselves.
        expect((await askAs(token, "POST", `chats/${asked.id}/join`)).status).toBe(200);
        await client.changeAgent(sam, { status: "online" });
        const next = await chat();
        expect((await ask("GET", `chats/${next.id}/assign`)).body.agent).toMatchObject({ id: sam });
      },
    );

    test("is online after every login, and refuses unknown words", async () => {
      const made = await service(await address());
      const { id: sam, token } = await signedIn(made, "sam");
      const kim = await made.agent({ login: "kim", status: "busy" });
      const wrong = await made.askAs(token, "PUT", `agents/${sam}`, { status: "asleep" });
      expect([wrong.status, wrong.body.error.message]).toEqual([
        422,
        "status: must be among online, busy, away",
      ]);
      expect((await made.askAs(token, "PUT", `agents/${kim}`, { status: "away" })).status).toBe(
        403,
      );
      expect((await made.ask("GET", `agents/${kim}`)).body.agent.status).toBe("busy");
      await made.askAs(token, "PUT", `agents/${sam}`, { status: "away" });
      const given = { login: "sam", password: "a long password" };
      const { agent } = (await made.ask("POST", "agents/login", given)).body;
      expect([agent.online, agent.status]).toEqual([true, "online"]);
    });

    test("keeps chats in the queue until an agent is online again", async () => {
      const made = await service(await address());
      const { ask, askAs, chat } = made;
      await ask("PUT", "settings", { queue: { active: true } });
      const { id: sam, token } = await signedIn(made, "sam");
      await askAs(token, "PUT", `agents/${sam}`, { status: "busy" });
      const { id } = await chat();
      await made.chores();
      expect((await ask("GET", `chats/${id}`)).body.chat.invitation).toBeNull();
      await askAs(token, "PUT", `agents/${sam}`, { status: "online" });
      await made.chores();
      expect((await ask("GET", `chats/${id}`)).body.chat.invitation.userId).toBe(sam);
    });
  });

  describe(`a chat that is handed over to a room over ${title}`, () => {
    test("leaves its agent at once with the note, and is offered to an agent of that room", async () => {
      const made = await service(await address());
      const { ask, askAs, chat, eventsOf, client } = made;
      await ask("POST", "rooms", { id: "sales", name: "Sales" });
      const sam = await signedIn(made, "sam");
      const kim = await signedIn(made, "kim", { rooms: ["sales"] });
      const { id } = await chat();
      await askAs(sam.token, "POST", `chats/${id}/join`);
      await askAs(sam.token, "POST", `chats/${id}/notes`, { text: "wants the blue one" });
      expect((await askAs(kim.token, "GET", `chats/${id}`)).status).toBe(404);
      const handed = await askAs(sam.token, "POST", `chats/${id}/toinbox`, { room: "sales" });
      expect(handed.body.agent.id).toBe(kim.id);
      expect(handed.body.chat).toMatchObject({ room: "sales", agent: null, status: "waiting" });
      expect((await eventsOf(id)).slice(-3)).toEqual([
        "chats:leave",
        "chats:assign",
        "invitations:new",
      ]);
      await askAs(kim.token, "POST", "invitations/accept", { chatId: id });
      const { notes } = (await askAs(kim.token, "GET", `chats/${id}/notes`)).body;
      expect(notes.map(({ text }: Json) => text)).toEqual(["wants the blue one"]);
      // A former holder may still read it, but not hand it over.
      expect((await askAs(sam.token, "GET", `chats/${id}`)).status).toBe(200);
      expect((await askAs(sam.token, "POST", `chats/${id}/toinbox`, { room: 1 })).status).toBe(403);
      // The room comes back in the type in which it was named.
      expect((await client.toInbox(id, { room: 1 })).chat?.room).toBe(1);
      expect((await ask("GET", `chats/${id}`)).body.chat.invitation.userId).toBe(sam.id);
    });

    test.each(["join", "transfer"])(
      "is not taken from its agent by one who has only been invited: %s",
      async (type) => {
        const made = await service(await address());
        const { ask, askAs, chat } = made;
        await ask("POST", "rooms", { id: "sales" });
        const sam = await signedIn(made, "sam");
        const kim = await signedIn(made, "kim", { rooms: ["sales"] });
        const { id } = await chat();
        await askAs(sam.token, "POST", `chats/${id}/join`);
        const invitation = { chatId: id, userId: kim.id, type };
        expect((await askAs(sam.token, "POST", "invitations", invitation)).status).toBe(200);
        const taken = await askAs(kim.token, "POST", `chats/${id}/toinbox`, { room: "sales" });
        expect([taken.status, taken.body.error.reason]).toEqual([403, "holder"]);
        expect((await ask("GET", `chats/${id}`)).body.chat).toMatchObject({
          room: 1,
          agent: sam.id,
        });
      },
    );

    test("stays where it is when there is no such room", async () => {
      const made = await service(await address());
      const { ask, askOther, askAs, chat } = made;
      await askOther("POST", "rooms", { id: "theirs" });
      const sam = await signedIn(made, "sam");
      const { id } = await chat();
      await askAs(sam.token, "POST", `chats/${id}/join`);
      for (const room of ["none", "theirs", "", {}, "x".repeat(201)]) {
        const refused = await askAs(sam.token, "POST", `chats/${id}/toinbox`, { room });
        expect([refused.status, refused.body.error.message]).toEqual([
          422,
          expect.stringMatching(/^room: /),
        ]);
      }
      expect((await ask("GET", `chats/${id}`)).body.chat).toMatchObject({ room: 1, agent: sam.id });
    });

    test("waits in that room's queue while nobody there is free", async () => {
      const made = await service(await address());
      const { ask, askAs, chat } = made;
      await ask("PUT", "settings", { queue: { active: true } });
      await ask("POST", "rooms", { id: "sales" });
      const sam = await signedIn(made, "sam");
      const { id } = await chat();
      await made.chores();
      await askAs(sam.token, "POST", "invitations/accept", { chatId: id });
      const handed = await askAs(sam.token, "POST", `chats/${id}/toinbox`, { roomId: "sales" });
      expect(handed.body.agent).toBeNull();
      expect(handed.body.chat).toMatchObject({ room: "sales", inQueue: 1, status: "waiting" });
      const kim = await signedIn(made, "kim", { rooms: ["sales"] });
      await made.chores();
      expect((await ask("GET", `chats/${id}`)).body.chat.invitation.userId).toBe(kim.id);
    });
  });
}
