import { expect } from "vitest";
import { secrets } from "../configuration.ts";
import { decodedText, jsonOf, textOf, valueOf } from "../exchange.ts";
import { type Area, askMessage, engine, flagged, message, question } from "../scenario.ts";
import { engineEscalates, talk } from "./handing-over.ts";

const related = '{"answers":[{"parameters":{"contents":{"related":{"relatedTitle":"Related"}}}}]}';
const hidden = '{"answers":[{"message":"Sorry","flags":[],"attributes":{"title":"No Results"}}]}';

export const killSwitch: Area = {
  name: "with the kill switch,",
  setup: "disabled",
  scenarios: [
    {
      name: "an answer keeps every byte, and every field that vouches for them",
      async run(bed) {
        const headers = ["Content-Type", "application/json", "ETag", '"abc"'];
        for (const body of [flagged("no-results"), flagged("welcome"), related, hidden]) {
          for (const key of ["shown", "signalling", "managing"]) {
            const answer = await askMessage(bed, engine(body, { headers }), question({ key }));
            expect(textOf(answer)).toBe(body);
            expect(valueOf(answer, "etag")).toBe('"abc"');
          }
        }
      },
    },
    {
      name: "a compressed answer says what the engine said",
      async run(bed) {
        const asked = question({ key: "shown", headers: ["Accept-Encoding", "gzip"] });
        const answer = await askMessage(
          bed,
          engine(flagged("no-results"), { coding: "gzip" }),
          asked,
        );
        expect(await decodedText(answer)).toBe(flagged("no-results"));
      },
    },
    {
      name: "the history keeps every byte",
      async run({ client, upstream }) {
        const headers = ["x-inbenta-key", "shown", "x-inbenta-session", "Bearer s-history"];
        const body = '[ {"user":"bot","message":"Sorry", "n":1.50} ]';
        await upstream.script({
          [message]: engine(flagged("no-results", "Sorry")),
          "GET /prod/chatbot/v1/conversation/history": engine(body),
        });
        await client.ask(question({ key: "shown", headers: headers.slice(2) }));
        const answer = await client.ask({ target: "/v1/conversation/history", headers });
        expect(textOf(answer)).toBe(body);
      },
    },
    {
      name: "no flag is added, and nobody is offered a person, however often there is no result",
      async run(bed) {
        for (const key of ["signalling", "managing"]) {
          const say = talk(bed, key);
          for (const asked of ["one", "two", "three", "I want to talk to a human"]) {
            expect(await say(asked)).toBe(flagged("no-results"));
          }
        }
      },
    },
    {
      name: "the engine's `escalate` and its callbacks stay",
      async run(bed) {
        for (const key of ["signalling", "managing"]) {
          expect(await talk(bed, key)("one", engineEscalates)).toBe(engineEscalates);
        }
      },
    },
    {
      name: "an option of ours is still none of the engine's business",
      async run(bed) {
        expect(await talk(bed, "managing")({ option: "aw:yes:1" })).toBe('{"answers":[]}');
        const sent = await bed.upstream.received();
        expect(sent.filter(({ method }) => method === "POST")).toEqual([]);
      },
    },
    {
      name: "an address in the answer of a login is a route still, and leads there",
      async run({ client, upstream }) {
        const base = `http://127.0.0.1:${upstream.port}/prod/chatbot`;
        await upstream.script({
          "POST /v1/auth": engine(JSON.stringify({ accessToken: "t", apis: { chatbot: base } })),
          [message]: engine(flagged("welcome")),
        });
        const login = { method: "POST", target: "/v1/auth", headers: ["x-inbenta-key", "shown"] };
        const { apis } = jsonOf(await client.ask(login)) as { apis: Record<string, string> };
        const { pathname } = new URL(apis["chatbot"] ?? "");
        expect(pathname).toMatch(/^\/r\/[\w-]+\/chatbot$/);
        const target = `${pathname}/v1/conversation/message`;
        expect(textOf(await client.ask(question({ key: "shown", target })))).toBe(
          flagged("welcome"),
        );
      },
    },
    {
      name: "it says that it is switched off, to everybody",
      async run({ client }) {
        for (const name of ["ready", "version"]) {
          const shown = jsonOf(await client.ask({ target: `/_afterword/${name}` }));
          expect([name, shown]).toEqual([name, expect.objectContaining({ disabled: true })]);
        }
      },
    },
    {
      name: "each message counts as one that was let alone",
      async run(bed) {
        await askMessage(bed, engine(), question({ key: "shown" }));
        const headers = ["Authorization", `Bearer ${secrets.AFTERWORD_ADMIN_TOKEN}`];
        const metrics = textOf(await bed.client.ask({ target: "/_afterword/metrics", headers }));
        expect(metrics).toMatch(
          /afterword_gates_total\{(?=[^}]*route="message")[^}]*reason="disabled"[^}]*\} [1-9]/,
        );
      },
    },
  ],
};
