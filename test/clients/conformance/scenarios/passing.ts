import { expect } from "vitest";
import { textOf, valueOf, valuesOf } from "../exchange.ts";
import { type Area, engine, message, put, question, type Scenario } from "../scenario.ts";

const key = ["x-inbenta-key", "fixed"];
const base = "/prod/chatbot";

export const passing: Area = {
  name: "what passes through",
  scenarios: [
    ...["/v1/a%20b//c/?x=1&&y=%2F%c3%a9", "/v1/q?", "/v1/%E0%A4%A/(',;*!@$)~|", "/v1/slash/"].map(
      keepsTarget,
    ),
    ...["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].map(keepsMethod),
    {
      name: "keeps fields and a body that comes in pieces, and says who forwarded it",
      async run({ client, upstream }) {
        await upstream.script({ [`POST ${base}/v1/upload`]: engine("{}") });
        const pieces = Array.from({ length: 20 }, (_, i) => `piece ${i} é\n`);
        await client.ask({
          method: "POST",
          target: "/v1/upload",
          headers: [...key, "X-Field", "a b", "Via", "1.1 before"],
          body: pieces,
        });
        const [request] = await upstream.received();
        expect(request?.body).toBe(pieces.join(""));
        expect(valuesOf(request?.headers ?? [], "x-field")).toEqual(["a b"]);
        expect(valuesOf(request?.headers ?? [], "via").join(", ")).toMatch(
          /^1\.1 before, 1\.1 afterword-[0-9a-f]{16}$/,
        );
        expect(valuesOf(request?.headers ?? [], "host")).toEqual([`127.0.0.1:${upstream.port}`]);
      },
    },
    ...[201, 204, 304, 400, 401, 404, 429, 500, 503].map(keepsStatus),
    {
      name: "answers a 204 without the length that the upstream gave it",
      async run({ client, upstream }) {
        const raw = "HTTP/1.1 204 No Content\r\nX-Here: 1\r\nContent-Length: 5\r\n\r\n";
        await upstream.script({ [`GET ${base}/v1/none`]: { raw } });
        const answer = await client.ask({ target: "/v1/none", headers: key });
        expect([answer.status, valueOf(answer, "x-here")]).toEqual([204, "1"]);
        expect(valuesOf(answer.headers, "content-length")).toEqual([]);
      },
    },
    ...["..%3b", "%252e%252e", "%c0%ae%c0%ae"].map(refusesSegment),
    {
      name: "follows no redirect, and leads one under its own base through the gateway",
      async run({ client, upstream }) {
        const origin = `http://127.0.0.1:${upstream.port}`;
        await upstream.script({
          [`GET ${base}/v1/moved`]: {
            status: 302,
            reason: "Found",
            headers: ["Location", `${origin}${base}/v1/there?x=1`],
          },
        });
        const answer = await client.ask({ target: "/v1/moved", headers: key });
        expect(answer.status).toBe(302);
        expect(valueOf(answer, "location")).toMatch(/\/v1\/there\?x=1$/);
        expect(valueOf(answer, "location")).not.toContain(origin);
        await upstream.script({
          [`GET ${base}/v1/moved`]: {
            status: 302,
            reason: "Found",
            headers: ["Location", "https://elsewhere.example/x"],
          },
        });
        expect(valueOf(await client.ask({ target: "/v1/moved", headers: key }), "location")).toBe(
          "https://elsewhere.example/x",
        );
      },
    },
    {
      name: "keeps every cookie",
      async run({ client, upstream }) {
        const cookies = ["a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT", "b=2; HttpOnly"];
        await upstream.script({
          [`GET ${base}/v1/c`]: {
            headers: cookies.flatMap((cookie) => ["Set-Cookie", cookie]),
            body: "x",
          },
        });
        const answer = await client.ask({ target: "/v1/c", headers: key });
        expect(valuesOf(answer.headers, "set-cookie")).toEqual(cookies);
      },
    },
    {
      name: "keeps three megabytes",
      async run({ client, upstream }) {
        const body = Array.from({ length: 300_000 }, (_, i) => `${i % 10}abcdefghé`).join("");
        await upstream.script({
          [`GET ${base}/v1/large`]: { headers: ["Content-Type", "application/octet-stream"], body },
        });
        expect(textOf(await client.ask({ target: "/v1/large", headers: key })) === body).toBe(true);
      },
    },
    {
      name: "comes as the upstream sends it, event by event",
      async run({ client, upstream }) {
        await upstream.script({
          [`GET ${base}/v1/events`]: {
            headers: ["Content-Type", "text/event-stream"],
            body: ["data: one\n\n", { hold: "two" }, "data: two\n\n"],
          },
        });
        const reading = await client.open({ target: "/v1/events", headers: key });
        await reading.until("data: one");
        await upstream.release("two");
        await reading.until("data: two");
        reading.leave();
      },
    },
    {
      name: "is a preflight's answer here where the upstream could not know the field",
      async run({ client, upstream }) {
        await upstream.script({});
        const answer = await client.ask({
          method: "OPTIONS",
          target: "/v1/conversation/message",
          headers: [
            "Origin",
            "https://page.example",
            "Access-Control-Request-Method",
            "POST",
            "Access-Control-Request-Headers",
            "x-afterword-locale",
          ],
        });
        expect(answer.status).toBe(204);
        expect(valueOf(answer, "access-control-allow-origin")).toBe("https://page.example");
        expect(await upstream.received()).toEqual([]);
      },
    },
    {
      name: "keeps the words of many at once apart",
      async run({ client, upstream }) {
        await upstream.script({ [message]: engine() });
        const many = Array.from({ length: 24 }, (_, i) => i);
        // Six exchanges may be in flight.
        for (let at = 0; at < many.length; at += 6) {
          const answers = await Promise.all(
            many
              .slice(at, at + 6)
              .map((i) => client.ask(question({ body: `{"message":"number ${i}"}` }))),
          );
          answers.forEach((one, i) => expect(textOf(one)).toContain(put(`number ${at + i}`)));
        }
      },
    },
  ],
};

function keepsTarget(target: string): Scenario {
  return {
    name: `keeps the target ${target} as it is written`,
    async run({ client, upstream }) {
      await upstream.script({ [`GET ${base}${target.split("?")[0]}`]: engine("{}") });
      expect((await client.ask({ target, headers: key })).status).toBe(200);
      expect((await upstream.received())[0]?.target).toBe(base + target);
    },
  };
}

function keepsMethod(method: string): Scenario {
  return {
    name: `keeps the method ${method}`,
    async run({ client, upstream }) {
      const body = ["GET", "DELETE", "OPTIONS"].includes(method) ? {} : { body: "Zażółć" };
      await upstream.script({
        [`${method} ${base}/v1/thing`]: { status: 201, reason: "Created", body: "made" },
      });
      const answer = await client.ask({ method, target: "/v1/thing", headers: key, ...body });
      expect([answer.status, textOf(answer)]).toEqual([201, "made"]);
      expect((await upstream.received())[0]?.body).toBe(body.body ?? "");
    },
  };
}

function refusesSegment(segment: string): Scenario {
  return {
    name: `is nothing where an upstream could read ${segment} as a dot segment`,
    async run({ client, upstream }) {
      await upstream.script({});
      const answer = await client.ask({ target: `/v1/a/${segment}/x`, headers: key });
      expect(answer.status).toBe(404);
      expect(await upstream.received()).toEqual([]);
    },
  };
}

function keepsStatus(status: number): Scenario {
  return {
    name: `keeps the status ${status}`,
    async run({ client, upstream }) {
      const body = status === 204 || status === 304 ? "" : `status ${status}`;
      await upstream.script({
        [`GET ${base}/v1/s`]: { status, reason: "Some Reason", headers: ["X-Here", "1"], body },
      });
      const answer = await client.ask({ target: "/v1/s", headers: key });
      expect([answer.status, textOf(answer), valueOf(answer, "x-here")]).toEqual([
        status,
        body,
        "1",
      ]);
    },
  };
}
