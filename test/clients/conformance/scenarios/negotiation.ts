import { expect } from "vitest";
import { textOf, valuesOf } from "../exchange.ts";
import {
  type Area,
  askMessage,
  engine,
  flagged,
  message,
  put,
  question,
  type Scenario,
  start,
} from "../scenario.ts";

const welcome = engine(flagged("welcome"));

function speaks(name: string, locale: string, text: string): Scenario {
  return {
    name,
    async run(bed) {
      const headers = ["x-afterword-locale", locale];
      expect(textOf(await askMessage(bed, welcome, question({ headers })))).toContain(text);
    },
  };
}

export const negotiation: Area = {
  name: "the reader's language",
  scenarios: [
    speaks("is what x-afterword-locale says", "fr", "Bonjour de notre part !"),
    speaks("is found by its script", "zh-TW", "歡迎"),
    speaks("is found by its region's language", "fr-CA", "Bonjour de notre part !"),
    speaks("follows a chain of the configuration", "eo", "Bonjour de notre part !"),
    speaks("is the instance's where nobody knows the tag", "tlh", "Hello from us!"),
    speaks("is the instance's where the tag is no tag", "__proto__", "Hello from us!"),
    {
      name: "is the instance's where nobody says one",
      async run(bed) {
        const asked = question({ target: "/bots/fr/v1/conversation/message", key: "any" });
        expect(textOf(await askMessage(bed, welcome, asked))).toContain("Bonjour de notre part !");
      },
    },
    {
      name: "is what the conversation began with, for that conversation alone",
      async run(bed) {
        const { client, upstream } = bed;
        const session = `s-${Math.random()}`;
        await upstream.script({
          [start]: engine(JSON.stringify({ sessionToken: session, sessionId: "1" })),
          [message]: welcome,
        });
        const begun = await client.ask(
          question({ target: "/v1/conversation", body: '{"lang":"fr"}' }),
        );
        expect(begun.status).toBe(200);
        const headers = ["x-inbenta-session", `Bearer ${session}`];
        // A turn waits 50 ms for the memory. A busy machine may need longer, and then a later turn
        // has it.
        await expect
          .poll(async () => textOf(await client.ask(question({ headers }))))
          .toContain("Bonjour");
        const other = ["x-inbenta-session", `Bearer ${session}-other`];
        expect(textOf(await client.ask(question({ headers: other })))).toContain("Hello from us!");
      },
    },
    {
      name: "is not told to the upstream in fields of ours",
      async run(bed) {
        const headers = [
          "x-afterword-locale",
          "fr",
          "x-afterword-channel",
          "web",
          "x-afterword-debug",
          "no",
          "x-other",
          "1",
        ];
        await askMessage(bed, welcome, question({ headers }));
        const [request] = await bed.upstream.received();
        const names = (request?.headers ?? [])
          .filter((_, i) => i % 2 === 0)
          .map((name) => name.toLowerCase());
        expect(names.filter((name) => name.startsWith("x-afterword"))).toEqual([]);
        expect(valuesOf(request?.headers ?? [], "x-other")).toEqual(["1"]);
      },
    },
    {
      name: "is spoken with what the conversation's variables say",
      async run({ client, upstream }) {
        const session = `s-${Math.random()}`;
        await upstream.script({
          [start]: engine(JSON.stringify({ sessionToken: session })),
          "POST /prod/chatbot/v1/conversation/variables": engine("{}"),
          [message]: engine(flagged("no-question")),
        });
        await client.ask(question({ target: "/v1/conversation", body: '{"lang":"en"}' }));
        const headers = ["x-inbenta-session", `Bearer ${session}`];
        const variables = question({
          target: "/v1/conversation/variables",
          headers,
          body: '{"name":"name","value":"Ada & Co"}',
        });
        const readAnswer = async (): Promise<string> => {
          await client.ask({ ...variables, body: '{"variables":{"name":"Ada & Co"}}' });
          return textOf(await client.ask(question({ headers })));
        };
        await expect.poll(readAnswer).toContain(`Go on, ${put("Ada &amp; Co")}.`);
      },
    },
    {
      name: "is that of the history, where the history shows what was said",
      async run({ client, upstream }) {
        const session = `s-${Math.random()}`;
        await upstream.script({
          [start]: engine(JSON.stringify({ sessionToken: session })),
          [message]: engine(flagged("welcome", "Hi, I am a bot")),
          "GET /prod/chatbot/v1/conversation/history": engine(
            '[{"user":"bot","message":"Hi, I am a bot","messageList":["Hi, I am a bot"]}]',
          ),
        });
        const key = "shown";
        const headers = ["x-inbenta-session", `Bearer ${session}`];
        await client.ask(question({ key, target: "/v1/conversation", body: '{"lang":"fr"}' }));
        const { body: _, ...asked } = question({
          key,
          headers,
          method: "GET",
          target: "/v1/conversation/history",
        });
        const shown = async (): Promise<readonly string[]> => {
          const answer = await client.ask(question({ key, headers }));
          return [answer, await client.ask(asked)].map(textOf);
        };
        const ours: unknown = expect.stringContaining("Bonjour de notre part !");
        await expect.poll(shown).toEqual([ours, ours]);
      },
    },
  ],
};
