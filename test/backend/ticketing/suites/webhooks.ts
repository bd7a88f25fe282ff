import { describe, expect, test } from "vitest";
import type { Json } from "../../client.ts";
import type { ServiceOptions } from "../service.ts";
import { service } from "../service.ts";
import type { Service } from "../service.ts";

const hook = { item: "ticket", url: "https://hook.example/in", secret: "shared" };

async function delivered({ deliver, hooks }: Service): Promise<Json[][]> {
  hooks.calls.length = 0;
  await deliver();
  return hooks.calls.map(({ body }) => JSON.parse(body ?? "[]"));
}

/** Tests registered addresses on any store. */
export function webhooks(
  title: string,
  address: () => Promise<string | null>,
  options: ServiceOptions = {},
): void {
  describe(`webhooks of case management over ${title}`, () => {
    test("an address is registered after it has answered a challenge", async () => {
      const made = await service(await address(), options);
      const { body } = await made.ask("POST", "/webhooks", hook);
      expect(body.uuid).toBe(1);
      expect(made.hooks.calls[0]).toMatchObject({
        method: "GET",
        url: hook.url,
        headers: {
          "x-hook-signature": "shared",
          "x-inbenta-challenge": expect.stringMatching(/^[0-9a-f]{32}$/),
        },
        body: null,
      });
      const listed = await made.ask("GET", "/webhooks");
      expect(listed.body.data).toMatchObject([{ id: 1, item: "ticket", url: hook.url }]);
      expect(JSON.stringify(listed.body)).not.toContain("shared");
    });

    test.each([
      [
        "another text",
        { ok: true, status: 200, text: "hello" },
        "must answer a GET with status 200",
      ],
      ["another status", { ok: true, status: 404, text: "" }, "it answered 404"],
      [
        "nothing",
        { ok: false, reason: "connection refused" },
        "url: cannot be called: connection refused",
      ],
    ] as const)("an address that answers %s is refused", async (_name, answer, message) => {
      const { ask, hooks } = await service(await address(), options);
      hooks.answer = () => answer;
      const refused = await ask("POST", "/webhooks", hook);
      expect([refused.status, refused.body.message]).toEqual([
        422,
        expect.stringContaining(message),
      ]);
      expect((await ask("GET", "/webhooks")).body.data).toEqual([]);
    });

    test.each([
      [{ ...hook, url: "http://hook.example/" }, "url"],
      [{ ...hook, url: "nothing" }, "url"],
      [{ ...hook, item: "weather" }, "item"],
      [{ ...hook, secret: "" }, "secret"],
      [{ ...hook, secret: "a\nb" }, "secret"],
    ])("an unusable registration is refused: %j", async (body, field) => {
      const { ask, hooks } = await service(await address(), options);
      const refused = await ask("POST", "/webhooks", body);
      expect([refused.status, refused.body.message]).toEqual([422, expect.stringContaining(field)]);
      expect(hooks.calls).toEqual([]);
    });

    test("events are sent as a list of numbers, to the addresses that are registered for their kind", async () => {
      const made = await service(await address(), options);
      await made.ask("POST", "/webhooks", hook);
      await made.ask("POST", "/webhooks", {
        ...hook,
        item: "reply",
        url: "https://hook.example/replies",
      });
      const ticket = await made.ticket();
      await made.ask("PUT", `/tickets/${ticket.id}`, { status: 2 });
      const { body: reply } = await made.ask("POST", `/tickets/${ticket.id}/replies`, {
        message: "x",
        creator: ticket.creator,
      });
      const timestamp = made.time.now() / 1000;
      expect((await delivered(made)).toSorted((a, b) => b.length - a.length)).toEqual([
        [
          {
            id: ticket.id,
            item: "ticket",
            action: "add",
            timestamp,
            actor: ticket.creator,
            parent: null,
          },
          { id: ticket.id, item: "ticket", action: "update", timestamp, actor: 0, parent: null },
        ],
        [
          {
            id: reply.uuid,
            item: "reply",
            action: "add",
            timestamp,
            actor: ticket.creator,
            parent: ticket.id,
          },
        ],
      ]);
      expect(made.hooks.calls[0]?.headers).toMatchObject({ "x-hook-signature": "shared" });
      expect(await delivered(made)).toEqual([]);
    });

    test("many events come in lists of at most 100, in order", async () => {
      const made = await service(await address(), options);
      await made.ask("POST", "/webhooks", { ...hook, item: "queue" });
      for (let i = 0; i < 230; i += 1) await made.ask("POST", "/queues", { name: `q${i}` });
      const lists = await delivered(made);
      expect(lists.map((list) => list.length)).toEqual([100, 100, 30]);
      expect(lists.flat().map(({ id }: Json) => id)).toEqual(
        Array.from({ length: 230 }, (_, i) => i + 2),
      );
    });

    test("an address that fails is called again after growing intervals, and given up after 15 attempts", async () => {
      const made = await service(await address(), options);
      await made.ask("POST", "/webhooks", hook);
      await made.ticket();
      made.hooks.answer = () => ({ ok: true, status: 500, text: "" });
      const waits: number[] = [];
      let waited = 0;
      for (let i = 0; i < 60_000 && waits.length < 15; i += 10) {
        const lists = await delivered(made);
        if (lists.length > 0) {
          waits.push(waited);
          waited = 0;
        }
        made.time.advance(10);
        waited += 10;
      }
      expect(waits).toEqual([
        0, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600, 3600, 3600, 3600,
      ]);
      made.time.advance(100_000);
      made.hooks.answer = () => ({ ok: true, status: 200, text: "" });
      expect(await delivered(made)).toEqual([]);
    });

    test("two processes that deliver at once send everything once", async () => {
      const made = await service(await address(), options);
      await made.ask("POST", "/webhooks", hook);
      for (let i = 0; i < 20; i += 1) await made.ticket();
      made.hooks.calls.length = 0;
      await Promise.all([made.deliver(), made.deliver(), made.deliver()]);
      const ids = made.hooks.calls
        .flatMap(({ body }) => JSON.parse(body ?? "[]"))
        .map(({ id }: Json) => id);
      expect(ids.toSorted((a: number, b: number) => a - b)).toEqual(
        Array.from({ length: 20 }, (_, i) => i + 1),
      );
    });

    test("a refused ticket is not sent, and a removed address gets no more events", async () => {
      const made = await service(await address(), options);
      await made.ask("POST", "/webhooks", hook);
      await made.ask("POST", "/tickets", {
        message: "x",
        creator: await made.user(),
        attachments: [99],
      });
      expect(await delivered(made)).toEqual([]);
      await made.ticket();
      await made.ask("DELETE", "/webhooks/1");
      expect(await delivered(made)).toEqual([]);
    });
  });
}
