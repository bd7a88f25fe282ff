import { expect } from "vitest";
import { jsonOf, textOf, valueOf } from "../exchange.ts";
import { type Area, engine, message, question } from "../scenario.ts";

const key = ["x-inbenta-key", "fixed"];

export const limits: Area = {
  name: "a limit",
  scenarios: [
    {
      name: "on requests refuses a body that says it is too long",
      async run({ client, upstream }) {
        await upstream.script({ [message]: engine() });
        const answer = await client.ask(question({ body: "x".repeat(200_000) }));
        expect([answer.status, jsonOf(answer)]).toEqual([
          413,
          { errors: [expect.objectContaining({ code: 413 })] },
        ]);
      },
    },
    {
      name: "on requests refuses a body that turns out to be too long",
      async run({ client, upstream }) {
        await upstream.script({ "POST /prod/chatbot/v1/upload": engine("{}") });
        const body = Array.from({ length: 9 }, () => "x".repeat(16_384));
        const answer = await client.ask({
          method: "POST",
          target: "/v1/upload",
          headers: key,
          body,
        });
        expect(answer.status).toBe(413);
      },
    },
    {
      name: "on exchanges says so at once, and keeps places for logins and health",
      async run({ client, upstream }) {
        await upstream.script({
          [message]: engine(undefined, { hold: "busy" }),
          "POST /v1/auth": engine("{}"),
        });
        const busy = Array.from({ length: 6 }, () => client.ask(question()));
        await until(async () => (await upstream.received()).length === 6);
        // Two wait, and one does not, regardless of their order.
        const more = Array.from({ length: 3 }, () => client.ask(question()));
        const answer = await Promise.race(more);
        expect([
          answer.status,
          valueOf(answer, "retry-after"),
          valueOf(answer, "cache-control"),
        ]).toEqual([503, "1", "no-store"]);
        expect((await client.ask({ target: "/_afterword/health" })).status).toBe(200);
        const login = { method: "POST", target: "/v1/auth", headers: key, body: "{}" };
        expect((await client.ask(login)).status).toBe(200);
        await upstream.release("busy");
        const ends = (await Promise.all([...busy, ...more])).map(({ status }) => status);
        expect(ends.toSorted((a, b) => a - b)).toEqual([...Array(8).fill(200), 503]);
        expect((await client.ask(question())).status).toBe(200);
      },
    },
    {
      name: "on exchanges lets in whoever waited for a place",
      async run({ client, upstream }) {
        await upstream.script({ [message]: engine(undefined, { hold: "busy" }) });
        const busy = Array.from({ length: 6 }, () => client.ask(question()));
        await until(async () => (await upstream.received()).length === 6);
        const queued = Array.from({ length: 3 }, () => client.ask(question()));
        // One is refused as soon as the other two wait.
        expect((await Promise.race(queued)).status).toBe(503);
        expect(await upstream.received()).toHaveLength(6);
        await upstream.release("busy");
        const answers = (await Promise.all([...busy, ...queued])).filter(
          ({ status }) => status !== 503,
        );
        expect(answers).toHaveLength(8);
        for (const one of answers) expect(textOf(one)).toContain("Nothing for");
        expect(await upstream.received()).toHaveLength(8);
      },
    },
  ],
};

async function until(done: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 4000; tries++) {
    if (await done()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error("it never came to that");
}
