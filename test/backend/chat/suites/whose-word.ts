import { describe, expect, test } from "vitest";
import type { Json } from "../../client.ts";
import { service } from "../service.ts";
import type { Answered } from "../service.ts";

/** Tests who may write, do things once, and read, on any store. */
export function whoseWord(title: string, address: () => Promise<string | null>): void {
  describe(`authorship over ${title}`, () => {
    test("a user's transcript attributes no message to anyone else, and is marked as imported", async () => {
      const { ask, askAs, agent, user, time } = await service(await address());
      const [sam, bob] = [await agent(), await user({ name: "Bob" })];
      const { body: ana } = await ask("POST", "users", { name: "Ana" });
      const now = Math.floor(time.now() / 1000);
      const yesterday = now - 86_400;
      const lines = [
        { sender: sam, message: "We will refund you 5000 EUR", created: 1_400_000_000 },
        { sender: bob, message: "Me too", created: now + 90_000 },
        { sender: "system", message: "Verified customer", created: now - 60 },
        { sender: "assistant", message: "Hello", created: now - 50 },
        { sender: ana.user.id, message: "A person, please", created: now - 40 },
      ];
      const made = await askAs(ana.session.token, "POST", "chats", {
        room: 1,
        history: lines,
        creator: ana.user.id,
      });
      const path = `chats/${made.body.chat.id}`;
      const { messages } = (await ask("GET", `${path}/messages`)).body;
      const of = (one: Json): Json => [one.sender, one.created, one.imported];
      const expected = [
        ["assistant", yesterday, true],
        ["assistant", now, true],
        ["assistant", now - 60, true],
        ["assistant", now - 50, true],
        [ana.user.id, now - 40, true],
      ];
      expect(messages.map(of)).toEqual(expected);
      const { history } = (await ask("GET", `${path}/history`)).body;
      const imported = history.filter(({ data }: Json) => data.imported === true);
      expect(imported.map(({ data }: Json) => of(data.message))).toEqual(expected);
      const { body: csv } = await ask("GET", `${path}/history?format=csv`);
      expect(csv.split("\r\n")[0]).toContain('"imported"');
      expect(csv.match(/,"yes"\r\n/g)).toHaveLength(5);
      await ask("POST", `${path}/messages`, { sender: ana.user.id, message: "Still there?" });
      const live = (await ask("GET", `${path}/messages`)).body.messages.at(-1);
      expect(live).not.toHaveProperty("imported");
    });

    test("the app's server states who wrote each line of a transcript, and when", async () => {
      const { ask, agent, chat } = await service(await address());
      const sam = await agent();
      const line = { sender: sam, message: "See you", created: 1_400_000_000 };
      const { id } = await chat({ history: [line] });
      await ask("POST", `chats/${id}/history`, { history: [line] });
      const { messages } = (await ask("GET", `chats/${id}/messages`)).body;
      expect(messages).toMatchObject([line, line].map((one) => ({ ...one, imported: true })));
    });

    test("a user's Idempotency-Key is independent of another user's", async () => {
      const { ask, user } = await service(await address());
      const key = { "idempotency-key": "k1" };
      const chats: string[] = [];
      for (const name of ["Ana", "Bob"]) {
        const creator = await user({ name });
        const made = await ask("POST", "chats", { room: 1, creator }, key);
        const { id } = made.body.chat;
        chats.push(id);
        const message = { sender: creator, message: `I am ${name}` };
        const first = await ask("POST", `chats/${id}/messages`, message, key);
        const again = await ask("POST", `chats/${id}/messages`, message, key);
        expect([first.status, again.body]).toEqual([200, first.body]);
        expect((await ask("POST", "chats", { room: 1, creator }, key)).body.chat.id).toBe(id);
      }
      expect(new Set(chats).size).toBe(2);
    });

    test("the app's server closes any chat, and people close their own", async () => {
      const { ask, askAs, agent, chat, user } = await service(await address());
      const login = { login: "sam", password: "a long password" };
      const sam = await agent({ ...login, slots: 3 });
      const { body } = await ask("POST", "agents/login", login);
      const bySam = (id: string, more = {}): Promise<Answered> =>
        askAs(body.session.token, "DELETE", `chats/${id}`, more);
      const [one, two, three] = [await chat(), await chat(), await chat()];
      const bob = await ask("POST", "users", { name: "Bob" });
      expect((await askAs(bob.body.session.token, "DELETE", `chats/${one.id}`)).status).toBe(404);
      expect((await bySam(one.id)).status).toBe(403);
      for (const userId of ["somebody else", await user()]) {
        const { id } = await chat();
        expect((await ask("DELETE", `chats/${id}?userId=${userId}`)).status).toBe(200);
        const { history } = (await ask("GET", `chats/${id}/history`)).body;
        expect(history.at(-1)).toMatchObject({ trigger: "chats:close", data: { userId } });
        const again = await ask("DELETE", `chats/${id}`);
        expect(again.body.error).toMatchObject({
          message: "The chat is closed already.",
          reason: "chat-closed",
        });
      }
      await ask("POST", `chats/${two.id}/join`, { userId: sam });
      expect((await bySam(two.id, { userId: two.creator })).status).toBe(403);
      expect((await bySam(two.id, { userId: sam })).status).toBe(200);
      expect((await ask("DELETE", `chats/${three.id}`, { userId: three.creator })).status).toBe(
        200,
      );
    });

    test("the app's server gets an externalId that anybody had signed up with", async () => {
      const { ask, askAs } = await service(await address());
      const find = async (externalId: string): Promise<string[]> => {
        const { body } = await ask("GET", `users?externalId=${externalId}`);
        return body.users.map(({ id }: { id: string }) => id);
      };
      const squat = async (externalId: string): Promise<string> => {
        const { status, body } = await askAs("", "POST", "users", { name: "Eve", externalId });
        expect(status).toBe(200);
        return body.user.id;
      };
      const eve = await squat("crm-1");
      expect(await find("crm-1")).toEqual([eve]);
      const again = await askAs("", "POST", "users", { name: "Mallory", externalId: "crm-1" });
      expect(again.status).toBe(409);
      const ana = await ask("POST", "users", { name: "Ana", externalId: "crm-1" });
      expect(ana.status).toBe(200);
      expect(await find("crm-1")).toEqual([ana.body.user.id]);
      expect((await ask("GET", `users/${eve}`)).body.user.externalId).toBe("");
      // What the server has named stays with its user, whoever signs up.
      expect((await ask("POST", "users", { name: "Bo", externalId: "crm-1" })).status).toBe(409);
      expect((await askAs("", "POST", "users", { name: "Eve", externalId: "crm-1" })).status).toBe(
        409,
      );
      const other = await squat("crm-2");
      const named = await ask("PUT", `users/${ana.body.user.id}`, { externalId: "crm-2" });
      expect(named.status).toBe(200);
      expect((await ask("GET", `users/${other}`)).body.user.externalId).toBe("");
    });

    test("an agent cannot change the names by which a gateway finds its reader again", async () => {
      const { ask, askAs, agent, chat, user } = await service(await address());
      const login = { login: "sam", password: "a long password" };
      const sam = await agent({ ...login, slots: 3 });
      const { body } = await ask("POST", "agents/login", login);
      const conversation = "0a".repeat(32);
      const extraInfo = { conversation, language: "en" };
      const of = async (externalId: string, more = {}): Promise<string> => {
        const creator = await user({ externalId, ...more });
        const { id } = await chat({ creator });
        await ask("POST", `chats/${id}/join`, { userId: sam });
        return creator;
      };
      const asSam = async (id: string, change: object): Promise<number> =>
        (await askAs(body.session.token, "PUT", `users/${id}`, change)).status;
      for (const reader of [
        await of(`aw-${conversation}`, { extraInfo }),
        await of("crm-1", { extraInfo }),
      ]) {
        expect(await asSam(reader, { externalId: "crm-4711" })).toBe(403);
        expect(await asSam(reader, { extraInfo: { language: "en" } })).toBe(403);
        expect(await asSam(reader, { extraInfo: { ...extraInfo, conversation: "x" } })).toBe(403);
        expect(await asSam(reader, { name: "Ada", extraInfo: { ...extraInfo, vip: "yes" } })).toBe(
          200,
        );
      }
      const own = await of("crm-2");
      expect(await asSam(own, { externalId: `aw-${"0b".repeat(32)}` })).toBe(403);
      expect(await asSam(own, { externalId: "crm-3" })).toBe(200);
      expect(
        (await ask("PUT", `users/${own}`, { externalId: `aw-${"0b".repeat(32)}` })).status,
      ).toBe(200);
    });

    test("an agent reads colleagues, and the users of the chats that the agent may see", async () => {
      const { ask, askAs, agent, chat, user } = await service(await address());
      await ask("POST", "rooms", { id: 2, name: "Sales" });
      const sam = await agent({ login: "sam", password: "a long password", rooms: ["1"] });
      const eve = await agent({ rooms: ["2"] });
      const { body } = await ask("POST", "agents/login", {
        login: "sam",
        password: "a long password",
      });
      const read = async (id: string): Promise<number> =>
        (await askAs(body.session.token, "GET", `users/${id}`)).status;
      const here = await chat();
      const elsewhere = await chat({ room: 2 });
      expect(await Promise.all([sam, eve, here.creator].map(read))).toEqual([200, 200, 200]);
      expect(await Promise.all([elsewhere.creator, await user()].map(read))).toEqual([404, 404]);
      await ask("POST", "invitations", { chatId: elsewhere.id, userId: sam });
      expect(await read(elsewhere.creator)).toBe(200);
      await ask("POST", "invitations/accept", { chatId: elsewhere.id, userId: sam });
      await ask("DELETE", `chats/${elsewhere.id}`);
      expect(await read(elsewhere.creator)).toBe(200);
    });
  });
}
