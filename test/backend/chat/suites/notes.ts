import { describe, expect, test } from "vitest";
import { service } from "../service.ts";
import type { Service } from "../service.ts";

interface Busy extends Omit<Service, "user"> {
  readonly id: string;
  readonly user: { readonly id: string; readonly token: string };
  readonly sam: { readonly id: string; readonly token: string };
  readonly kim: { readonly id: string; readonly token: string };
}

/** Tests agents' notes about a chat, and that nobody else can see them. */
export function notes(title: string, address: () => Promise<string | null>): void {
  describe(`agents' notes over ${title}`, () => {
    /** A chat that Sam has taken; Kim is a colleague in the same room. */
    async function busy(): Promise<Busy> {
      const made = await service(await address());
      const signedIn = async (login: string): Promise<Busy["sam"]> => {
        const password = "a long password";
        const id = await made.agent({ login, password });
        const { body } = await made.ask("POST", "agents/login", { login, password });
        return { id, token: body.session.token };
      };
      const sam = await signedIn("sam");
      const kim = await signedIn("kim");
      const { body } = await made.ask("POST", "users", { name: "Ada" });
      const user = { id: body.user.id, token: body.session.token };
      const opened = await made.ask("POST", "chats", { room: 1, creator: user.id });
      const { id } = opened.body.chat;
      await made.askAs(sam.token, "POST", `chats/${id}/join`);
      return { ...made, id, user, sam, kim };
    }

    test("are read by colleagues, with who wrote them and when", async () => {
      const { askAs, id, sam, kim, client, time } = await busy();
      const text = "Called on Monday.\nWants the blue one. \u0000 <b>";
      const { note } = (await askAs(sam.token, "POST", `chats/${id}/notes`, { text })).body;
      expect(note).toMatchObject({
        chat: id,
        author: sam.id,
        created: Math.floor(time.now() / 1000),
      });
      expect(note.text).toBe(text.replace("\u0000", "\ufffd"));
      await client.addNote(id, { author: kim.id, text: "Mine" });
      const read = (await askAs(kim.token, "GET", `chats/${id}/notes`)).body.notes;
      expect(read.map(({ author }: { author: string }) => author)).toEqual([sam.id, kim.id]);
      expect(await client.notes(id)).toEqual(read);
    });

    test("never appear in what others get: history, messages, events, webhooks, files", async () => {
      const { ask, askAs, id, sam, user, hooks, deliver, eventsOf, routes, appId, secret } =
        await busy();
      const events = "messages:new,chats:close,system:info";
      await ask("POST", "webhooks", { events, target: "https://hook.test/" });
      const before = await eventsOf(id);
      await askAs(sam.token, "POST", `chats/${id}/notes`, { text: "between us" });
      expect(await eventsOf(id)).toEqual(before);
      await askAs(sam.token, "POST", `chats/${id}/messages`, { message: "Hello" });
      await askAs(sam.token, "DELETE", `chats/${id}`);
      await deliver();
      expect(hooks.calls.length).toBeGreaterThan(1);
      const shown = [JSON.stringify(hooks.calls)];
      for (const path of [`chats/${id}`, `chats/${id}/messages`, `chats/${id}/history`, "chats"]) {
        for (const token of [user.token, sam.token]) {
          shown.push(JSON.stringify((await askAs(token, "GET", path)).body));
        }
        shown.push(JSON.stringify((await ask("GET", path)).body));
      }
      const headers = { "x-hyper-appId": appId, "x-hyper-secret": secret };
      const csv = await routes.request(`/v1/chats/${id}/history?format=csv`, { headers });
      shown.push(await csv.text());
      expect(shown.join("")).toContain("Hello");
      expect(shown.join("")).not.toContain("between us");
    });

    test("can neither be read nor written by a user, even in their own chat", async () => {
      const { askAs, ask, id, user } = await busy();
      for (const method of ["GET", "POST"]) {
        const given = method === "POST" ? { text: "mine" } : undefined;
        expect((await askAs(user.token, method, `chats/${id}/notes`, given)).status).toBe(403);
      }
      const asUser = await ask("POST", `chats/${id}/notes`, { author: user.id, text: "mine" });
      expect(asUser.status).toBe(404);
      expect((await ask("GET", `chats/${id}/notes`)).body.notes).toEqual([]);
    });

    test("of a chat that an agent cannot see do not exist for that agent", async () => {
      const { ask, askAs, id } = await busy();
      await ask("POST", "rooms", { id: "2" });
      const given = { login: "eve", password: "a long password", rooms: ["2"], name: "Eve" };
      await ask("POST", "agents", given);
      const { session } = (await ask("POST", "agents/login", given)).body;
      expect((await askAs(session.token, "GET", `chats/${id}/notes`)).status).toBe(404);
      const written = await askAs(session.token, "POST", `chats/${id}/notes`, { text: "x" });
      expect(written.status).toBe(404);
    });

    test("need a text of limited length, and can be added to a closed chat", async () => {
      const { ask, askAs, id, sam } = await busy();
      await askAs(sam.token, "DELETE", `chats/${id}`);
      const write = (text: unknown) => askAs(sam.token, "POST", `chats/${id}/notes`, { text });
      for (const text of ["", " ", undefined, "x".repeat(10_001)]) {
        expect((await write(text)).status).toBe(422);
      }
      for (let n = 0; n < 200; n++) {
        const given = { author: sam.id, text: `note ${n}` };
        expect((await ask("POST", `chats/${id}/notes`, given)).status).toBe(200);
      }
      const { status, body } = await write("one more");
      expect([status, body.error.message]).toEqual([409, "The chat has 200 notes already."]);
    });

    test("are stored once for an Idempotency-Key", async () => {
      const { ask, id, sam } = await busy();
      const given = { author: sam.id, text: "once" };
      const key = { "idempotency-key": "k" };
      const first = await ask("POST", `chats/${id}/notes`, given, key);
      const again = await ask("POST", `chats/${id}/notes`, given, key);
      expect(again.body).toEqual(first.body);
      expect((await ask("GET", `chats/${id}/notes`)).body.notes).toHaveLength(1);
    });
  });
}
