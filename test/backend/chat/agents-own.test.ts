import { describe, expect, test } from "vitest";
import { service } from "./service.ts";
import type { Service } from "./service.ts";

/** A service with two agents; `token` is the first one's. */
async function house(): Promise<{ made: Service; sam: string; bea: string; token: string }> {
  const made = await service(null);
  const sam = await made.agent({ login: "sam", password: "a long password" });
  const bea = await made.agent({ login: "bea", name: "Bea" });
  const { body } = await made.ask("POST", "agents/login", {
    login: "sam",
    password: "a long password",
  });
  return { made, sam, bea, token: body.session.token };
}

describe("an agent with a token", () => {
  test("sees colleagues and rooms, which users do not", async () => {
    const { made, sam, bea, token } = await house();
    const { body } = await made.askAs(token, "GET", "agents");
    expect(body.agents.map(({ id }: { id: string }) => id)).toEqual([sam, bea]);
    expect((await made.askAs(token, "GET", "rooms")).body.rooms).toEqual([
      { id: "1", name: "Help", assign: "most-free-slots" },
    ]);
    const user = (await made.ask("POST", "users", { name: "Ana" })).body.session.token;
    for (const path of ["agents", "rooms"]) {
      expect([path, (await made.askAs(user, "GET", path)).status]).toEqual([path, 403]);
    }
    expect((await made.askAs(user, "PUT", `agents/${sam}`, { online: false })).status).toBe(403);
  });

  test("sets its own status, and changes nothing else and no other agent", async () => {
    const { made, sam, bea, token } = await house();
    const gone = await made.askAs(token, "PUT", `agents/${sam}`, { online: false });
    expect([gone.status, gone.body.agent.online]).toEqual([200, false]);
    const back = await made.askAs(token, "PUT", `agents/${sam}`, { online: true });
    expect(back.body.agent.online).toBe(true);
    const rights = { rights: { CHAT_EDIT_USER_INFO: true } };
    for (const [id, change] of [
      [bea, { online: false }],
      [sam, { slots: 100 }],
      [sam, { online: true, ...rights }],
      [sam, { password: "another long one" }],
    ] as const) {
      expect((await made.askAs(token, "PUT", `agents/${id}`, change)).status).toBe(403);
    }
    expect((await made.askAs(token, "PUT", `users/${sam}`, { name: "Bea" })).status).toBe(403);
    expect((await made.ask("GET", `agents/${bea}`)).body.agent.online).toBe(true);
    expect((await made.ask("GET", `agents/${sam}`)).body.agent.slots).toBe(1);
  });

  test("sees in a chat which agent is invited, for what, and until when", async () => {
    const { made, sam, bea, token } = await house();
    const { id } = await made.chat();
    const invitation = async (): Promise<unknown> =>
      (await made.askAs(token, "GET", `chats/${id}`)).body.chat.invitation;
    expect(await invitation()).toBe(null);
    await made.ask("POST", "invitations", { chatId: id, userId: sam });
    const expires = made.time.now() / 1000 + 30;
    expect(await invitation()).toEqual({ userId: sam, type: "assign", expires });
    await made.askAs(token, "POST", "invitations/accept", { chatId: id });
    expect(await invitation()).toBe(null);
    await made.askAs(token, "POST", `chats/${id}/transfer`, { userId: bea });
    expect(await invitation()).toEqual({ userId: bea, type: "transfer", expires });
  });
});
