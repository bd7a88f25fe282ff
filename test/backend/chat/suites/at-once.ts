import { describe, expect, test } from "vitest";
import type { Json } from "../../client.ts";
import { service } from "../service.ts";
import type { Answered, Service } from "../service.ts";

/** Tests concurrent requests of which only one may succeed. */
export function atOnce(title: string, address: () => Promise<string | null>): void {
  describe(`at the same moment, over ${title}`, () => {
    test("100 agents accept one invitation, and the invited one wins", async () => {
      const made = await service(await address());
      const { ask, agent, chat, eventsOf } = made;
      const agents: string[] = [];
      for (let n = 0; n < 100; n += 1) agents.push(await agent());
      const { id } = await chat();
      const invited = (await ask("GET", `chats/${id}/assign`)).body.agent.id;
      const answers = await together(
        agents.map((userId) => () => ask("POST", "invitations/accept", { chatId: id, userId })),
      );
      expect(count(answers)).toEqual({ 200: 1, 409: 99 });
      const held = (await ask("GET", `chats/${id}`)).body.chat;
      expect(held).toMatchObject({ status: "active", agent: invited });
      const events = await eventsOf(id);
      expect(events.filter((event) => event === "invitations:accept")).toHaveLength(1);
      expect(events.filter((event) => event === "chats:join")).toHaveLength(1);
    });

    test("30 agents join one chat that nobody holds, and all who are in it have a slot for it", async () => {
      const { ask, agent, chat } = await service(await address());
      const agents: string[] = [];
      for (let n = 0; n < 30; n += 1) agents.push(await agent({ slots: n % 2 }));
      const { id } = await chat();
      const answers = await together(
        agents.map((userId) => () => ask("POST", `chats/${id}/join`, { userId })),
      );
      expect(count(answers)).toEqual({ 200: 15, 409: 15 });
      const users = (await ask("GET", `chats/${id}/users`)).body.users;
      expect(users).toHaveLength(16);
      const { body } = await ask("GET", "agents?length=200");
      for (const one of body.agents) expect(one.load).toBeLessThanOrEqual(one.slots);
    });

    test("an invitation that the same agent accepts many times counts once", async () => {
      const { ask, agent, chat, eventsOf } = await service(await address());
      const sam = await agent({ slots: 3 });
      const { id } = await chat();
      await ask("GET", `chats/${id}/assign`);
      const accept = (): Promise<Answered> =>
        ask("POST", "invitations/accept", { chatId: id, userId: sam });
      expect(count(await together(Array.from({ length: 20 }, () => accept)))).toEqual({
        200: 1,
        409: 19,
      });
      expect((await ask("GET", `agents/${sam}`)).body.agent.load).toBe(1);
      expect((await eventsOf(id)).filter((event) => event === "chats:join")).toHaveLength(1);
    });

    test("a chat that is assigned twice invites one agent once", async () => {
      const { ask, agent, chat, eventsOf } = await service(await address());
      for (let n = 0; n < 4; n += 1) await agent();
      const { id } = await chat();
      const assign = (): Promise<Answered> => ask("GET", `chats/${id}/assign`);
      const answers = await together(Array.from({ length: 10 }, () => assign));
      // A GET may be repeated, so all answers name the same agent.
      expect(count(answers)).toEqual({ 200: 10 });
      expect(new Set(answers.map(({ body }) => body.agent.id)).size).toBe(1);
      expect((await eventsOf(id)).filter((event) => event === "invitations:new")).toHaveLength(1);
      const { body } = await ask("GET", "agents");
      expect(body.agents.reduce((sum: number, one: Json) => sum + one.load, 0)).toBe(1);
    });

    test("a chat that is closed twice announces its end once", async () => {
      const { ask, chat, eventsOf } = await service(await address());
      const { id, creator } = await chat();
      const close = (n: number): Promise<Answered> =>
        ask("DELETE", n % 2 === 0 ? `chats/${id}` : `chats/${id}?userId=${creator}`);
      const answers = await together(Array.from({ length: 10 }, (_, n) => () => close(n)));
      expect(count(answers)).toEqual({ 200: 1, 409: 9 });
      expect((await eventsOf(id)).filter((event) => event === "chats:close")).toHaveLength(1);
    });

    test("a chat that is closed while people write stores no message after the end", async () => {
      const { ask, chat, eventsOf } = await service(await address());
      const { id, creator } = await chat();
      const say = (n: number): Promise<Answered> =>
        ask("POST", `chats/${id}/messages`, { sender: creator, message: `m${n}` });
      const answers = await together(
        Array.from(
          { length: 30 },
          (_, n) => () => (n === 12 ? ask("DELETE", `chats/${id}`) : say(n)),
        ),
      );
      const successes = answers.filter(({ status, body }) => status === 200 && "message" in body);
      const events = await eventsOf(id);
      expect(events.at(-1)).toBe("chats:close");
      expect(events.filter((event) => event === "messages:new")).toHaveLength(successes.length);
      const stored = (await ask("GET", `chats/${id}/messages?length=200`)).body.messages;
      expect(stored).toHaveLength(successes.length);
      expect(count(answers)[409] ?? 0).toBe(29 - successes.length);
    });

    test("a chat does not store the refused messages of an agent who leaves while writing", async () => {
      const { ask, agent, chat } = await service(await address());
      const [sam, eve] = [await agent(), await agent()];
      const { id } = await chat();
      await ask("POST", `chats/${id}/join`, { userId: sam });
      await ask("POST", `chats/${id}/join`, { userId: eve });
      const answers = await together(
        Array.from(
          { length: 20 },
          (_, n) => () =>
            n === 8
              ? ask("PUT", `chats/${id}/leave`, { userId: sam })
              : ask("POST", `chats/${id}/messages`, { sender: sam, message: `m${n}` }),
        ),
      );
      const successes = answers.filter(({ status, body }) => status === 200 && "message" in body);
      const { body } = await ask("GET", `chats/${id}/history`);
      const events = body.history.filter(({ trigger }: Json) => trigger === "messages:new");
      expect(events).toHaveLength(successes.length);
      const left = body.history.findIndex(({ trigger }: Json) => trigger === "chats:leave");
      expect(body.history.slice(left + 1)).toEqual([]);
    });
  });
}

/** Sends all requests at once; connections are opened before. */
async function together(
  work: readonly (() => ReturnType<Service["ask"]>)[],
): Promise<readonly Answered[]> {
  return Promise.all(work.map((one) => one()));
}

function count(answers: readonly Answered[]): Readonly<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
