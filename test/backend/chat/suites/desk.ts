import { describe, expect, test } from "vitest";
import type { Json } from "../../client.ts";
import { service } from "../service.ts";

/** What agents see and say of a working day, whatever it is stored in. */
export function desk(title: string, address: () => Promise<string | null>): void {
  describe(`a chat's reason over ${title}`, () => {
    const about = { reason: "no-results", question: "Where is my parcel?\nWhere?" };

    test("is the app's word, for agents and the app, and not for its user", async () => {
      const { ask, askAs, agent } = await service(await address());
      await agent({ login: "sam", password: "a password" });
      const login = { login: "sam", password: "a password" };
      const { token } = (await ask("POST", "agents/login", login)).body.session;
      const { body } = await ask("POST", "users", { name: "Ada" });
      const { chat } = (await ask("POST", "chats", { room: 1, creator: body.user.id, ...about }))
        .body;
      expect(chat).toMatchObject(about);
      const seen = (await askAs(token, "GET", `chats/${chat.id}`)).body.chat;
      expect(seen).toMatchObject(about);
      const own = await askAs(body.session.token, "GET", `chats/${chat.id}`);
      expect(JSON.stringify(own.body)).not.toMatch(/no-results|parcel/);
      const told = (await ask("GET", `chats/${chat.id}/history`)).body;
      expect(JSON.stringify(told)).not.toMatch(/no-results|parcel/);
    });

    test("is not taken from a user, nor where it is too long or no text", async () => {
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
}
