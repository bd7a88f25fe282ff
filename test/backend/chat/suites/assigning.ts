import { describe, expect, onTestFinished, test } from "vitest";
import { createChatRoutes } from "../../../../src/backend/chat/routes.ts";
import { openDatabase } from "../../../../src/backend/storage/open-database.ts";
import { service } from "../service.ts";
import type { Service } from "../service.ts";

/** Tests the agent that is invited by each rule of a room, on any store. */
export function assigning(title: string, address: () => Promise<string | null>): void {
  describe(`agents over ${title}`, () => {
    /** Two agents of room 1 with two and four slots. */
    async function room(assign: string | undefined): Promise<Service & { a: string; b: string }> {
      const made = await service(await address());
      const saved = await made.ask("POST", "rooms", { id: 1, assign });
      expect(saved.body.room).toMatchObject({ name: "Help", assign: assign ?? "most-free-slots" });
      const a = await made.agent({ slots: 2 });
      const b = await made.agent({ slots: 4 });
      return { ...made, a, b };
    }

    /**
     * Lists the agents who are invited to this many new chats, one after the other. Nobody accepts
     * them.
     */
    async function invited({ ask, chat, a, b }: Awaited<ReturnType<typeof room>>, count: number) {
      const found: string[] = [];
      for (let n = 0; n < count; n++) {
        const { body } = await ask("GET", `chats/${(await chat()).id}/assign`);
        found.push(
          body.agent === null ? "-" : body.agent.id === a ? "a" : body.agent.id === b ? "b" : "?",
        );
      }
      return found.join("");
    }

    test.each([
      ["most-free-slots", /^bbabab-$/],
      [undefined, /^bbabab-$/],
      ["least-busy", /^(?:ab|ba){2}bb-$/],
      ["round-robin", /^(?:ab|ba){2}bb-$/],
    ])("are invited by the rule %s", async (assign, expected) => {
      expect(await invited(await room(assign), 7)).toMatch(expected);
    });

    test("take turns in a room with round-robin, including an agent without chats", async () => {
      const made = await room("round-robin");
      const order: string[] = [];
      for (let n = 0; n < 4; n++) {
        const { id } = await made.chat();
        const { body } = await made.ask("GET", `chats/${id}/assign`);
        order.push(body.agent.id);
        // The first agent's chats continue, the second one's end at once.
        if (body.agent.id === made.b) await made.ask("DELETE", `chats/${id}`);
      }
      expect(new Set(order.slice(0, 2))).toEqual(new Set([made.a, made.b]));
      expect(order.slice(2)).toEqual(order.slice(0, 2));
    });

    test("who have had no chat for the longest time come first in a room with longest-idle", async () => {
      const made = await room("longest-idle");
      const { ask, chat, time, a, b } = made;
      const talked = async (agent: string, minutes: number): Promise<void> => {
        const { id } = await chat();
        await ask("POST", `chats/${id}/join`, { userId: agent });
        time.advance(minutes * 60);
        await ask("DELETE", `chats/${id}`);
      };
      const next = async (): Promise<string> => {
        const { id } = await chat();
        const { body } = await ask("GET", `chats/${id}/assign`);
        await ask("POST", "invitations/accept", { chatId: id, userId: body.agent.id });
        return body.agent.id;
      };
      await talked(b, 1);
      await talked(a, 1);
      expect(await next()).toBe(b);
      // In a chat now, and so after agents who are in none.
      expect(await next()).toBe(a);
    });

    test("are chosen by the same rule and in the same order by all processes", async () => {
      const where = await address();
      const made = await service(where);
      if (where === null) return;
      await made.ask("POST", "rooms", { id: 1, assign: "round-robin" });
      const agents = [await made.agent({ slots: 9 }), await made.agent({ slots: 1_000 })];
      const database = await openDatabase(where);
      onTestFinished(() => database.close());
      const other = createChatRoutes({ ...made.options, database });
      const headers = { "x-hyper-appId": made.appId, "x-hyper-secret": made.secret };
      const order: string[] = [];
      for (let n = 0; n < 6; n++) {
        const routes = n % 3 === 0 ? made.routes : other;
        const { id } = await made.chat();
        const answer = await routes.request(`/v1/chats/${id}/assign`, { headers });
        const { agent } = await answer.json();
        order.push(agent.id);
      }
      const round = order.slice(0, 2);
      expect(new Set(round)).toEqual(new Set(agents));
      expect(order).toEqual([...round, ...round, ...round]);
    });
  });
}
