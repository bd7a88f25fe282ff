import { expect } from "vitest";
import { jsonOf, type ClientAnswer, valueOf, valuesOf } from "../exchange.ts";
import { type Area, engine, message, question } from "../scenario.ts";

const key = ["x-inbenta-key", "fixed"];

function expectOwnError(answer: ClientAnswer, status: number): void {
  expect([answer.status, valueOf(answer, "cache-control")]).toEqual([status, "no-store"]);
  expect(jsonOf(answer)).toEqual({
    errors: [{ code: status, message: expect.stringMatching(/\w/) }],
  });
}

export const failures: Area = {
  name: "a failure",
  scenarios: [
    {
      name: "to reach the upstream is 502, in a form that a page can read",
      async run({ client, upstream }) {
        await upstream.script({});
        const answer = await client.ask(
          question({ key: "down", headers: ["Origin", "https://page.example"] }),
        );
        expectOwnError(answer, 502);
        expect(valueOf(answer, "access-control-allow-origin")).toBe("https://page.example");
      },
    },
    {
      name: "of an upstream that hangs up is 502",
      async run({ client, upstream }) {
        await upstream.script({ [message]: { hangUp: true } });
        expectOwnError(await client.ask(question()), 502);
      },
    },
    {
      name: "of an upstream that says nothing is 504",
      async run({ client, upstream }) {
        await upstream.script({ [message]: engine(undefined, { hold: "never" }) });
        expectOwnError(await client.ask(question({ key: "impatient" })), 504);
        await upstream.release("never");
      },
    },
    {
      name: "within an answer never makes it look whole",
      async run({ client, upstream }) {
        for (const body of [['{"answers":', { cut: true }], [{ cut: true }]] as const) {
          await upstream.script({ [message]: engine("", { body }) });
          // A proxy in front of the runtime may report it with another status, as long as nothing
          // was sent.
          const answer = await client.ask(question()).catch(() => null);
          expect(answer === null || !answer.complete || answer.status >= 500).toBe(true);
        }
      },
    },
    {
      name: "to find an address is 404",
      async run({ client, upstream }) {
        await upstream.script({});
        for (const target of ["/nothing", "/", "/r/forged/v1/x", "/_afterword/nothing"]) {
          expectOwnError(await client.ask({ target, headers: key }), 404);
        }
        expect(await upstream.received()).toEqual([]);
      },
    },
    {
      name: "to leave a loop is 502",
      async run({ client, upstream }) {
        await upstream.script({ [message]: engine() });
        await client.ask(question());
        const [request] = await upstream.received();
        const via = valuesOf(request?.headers ?? [], "via").join(", ");
        expectOwnError(await client.ask(question({ headers: ["Via", via] })), 502);
      },
    },
  ],
};
