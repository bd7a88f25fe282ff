import { expect } from "vitest";
import { jsonOf, textOf } from "../exchange.ts";
import type { Started } from "../runtime.ts";
import { type Area, engine, flagged, message, question } from "../scenario.ts";

const login = {
  method: "POST",
  target: "/v1/auth",
  headers: ["x-inbenta-key", "roaming", "Content-Type", "application/json"],
  body: '{"secret":"s"}',
};

function authAnswer({ upstream }: Started, token: string): string {
  const base = `http://127.0.0.1:${upstream.port}/prod/chatbot`;
  return JSON.stringify({
    accessToken: token,
    expires_in: 1200,
    apis: { chatbot: base, elsewhere: "https://elsewhere.example/x" },
  });
}

function roaming(token: string, more: Parameters<typeof question>[0] = {}) {
  return question({
    key: "roaming",
    ...more,
    headers: ["Authorization", `Bearer ${token}`, ...(more.headers ?? [])],
  });
}

let count = 0;
const newToken = (): string => `t-${Math.random()}-${++count}`;

export const discovery: Area = {
  name: "an address of the upstream",
  scenarios: [
    {
      name: "becomes a route in the answer of a login, where it may be used, and leads there",
      async run(bed) {
        const { client, upstream } = bed;
        await upstream.script({
          "POST /v1/auth": engine(authAnswer(bed, newToken())),
          [message]: engine(),
        });
        const { apis } = jsonOf(await client.ask(login)) as { apis: Record<string, string> };
        expect(apis["elsewhere"]).toBe("https://elsewhere.example/x");
        const route = new URL(apis["chatbot"] ?? "");
        expect(route.pathname).toMatch(/^\/r\/[\w-]+\/chatbot$/);
        const answer = await client.ask(
          question({ key: "roaming", target: `${route.pathname}/v1/conversation/message` }),
        );
        expect(textOf(answer)).toContain("Nothing for");
        const forged = `${route.pathname.slice(0, -2)}AA`;
        const refused = await client.ask(
          question({ key: "roaming", target: `${forged}/v1/conversation/message` }),
        );
        expect(refused.status).toBe(404);
      },
    },
    {
      name: "is found with the client's own token, once for all who wait for it",
      async run(bed) {
        const { client, upstream } = bed;
        const token = newToken();
        await upstream.script({
          "GET /v1/apis": engine(authAnswer(bed, token), { hold: "apis" }),
          [message]: engine(flagged("welcome")),
        });
        const asking = Promise.all(Array.from({ length: 4 }, () => client.ask(roaming(token))));
        await heardOf(bed, "/v1/apis", 1);
        await upstream.release("apis");
        for (const answer of await asking) expect(textOf(answer)).toContain("Hello from us!");
        expect(
          (await upstream.received()).filter(({ target }) => target === "/v1/apis"),
        ).toHaveLength(1);
        expect(textOf(await client.ask(roaming(token)))).toContain("Hello from us!");
        expect(
          (await upstream.received()).filter(({ target }) => target === "/v1/apis"),
        ).toHaveLength(1);
      },
    },
    {
      name: "is found for those who wait when the client that asked first goes away",
      async run(bed) {
        const { client, upstream } = bed;
        const token = newToken();
        await upstream.script({
          "GET /v1/apis": engine(authAnswer(bed, token), { hold: "apis" }),
          [message]: engine(flagged("welcome")),
        });
        const leaving = client.open(roaming(token)).catch(() => null);
        await heardOf(bed, "/v1/apis", 1);
        const waiting = client.ask(roaming(token));
        // A later answer shows that the gateway has seen the earlier event.
        const later = async (): Promise<null> => {
          for (let round = 0; round < 5; round++)
            await client.ask({ target: "/_afterword/health" });
          return null;
        };
        await later();
        // A client over sockets is open as soon as it has sent; one over fetch waits for its
        // answer, and can't leave.
        const first = await Promise.race([leaving, later()]);
        first?.leave();
        await later();
        await upstream.release("apis");
        expect(textOf(await waiting)).toContain("Hello from us!");
        (await leaving)?.leave();
      },
    },
    {
      name: "stays unknown when the upstream refuses the token, whose answer is passed on",
      async run({ client, upstream }) {
        await upstream.script({
          "GET /v1/apis": engine('{"errors":[{"code":401,"message":"expired"}]}', {
            status: 401,
            reason: "Unauthorized",
          }),
        });
        const answer = await client.ask(roaming(newToken()));
        expect([answer.status, textOf(answer)]).toEqual([
          401,
          '{"errors":[{"code":401,"message":"expired"}]}',
        ]);
      },
    },
    {
      name: "is not looked for without a token",
      async run({ client, upstream }) {
        await upstream.script({});
        expect((await client.ask(question({ key: "roaming" }))).status).toBe(401);
        expect(await upstream.received()).toEqual([]);
      },
    },
  ],
};

async function heardOf({ upstream }: Started, target: string, times: number): Promise<void> {
  for (let tries = 0; tries < 4000; tries++) {
    if ((await upstream.received()).filter((request) => request.target === target).length >= times)
      return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`the upstream never heard ${target}`);
}
