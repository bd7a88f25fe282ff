import { expect } from "vitest";
import { decodedText, jsonOf, type Script, textOf, valueOf } from "../exchange.ts";
import {
  type Area,
  askMessage,
  engine,
  flagged,
  put,
  question,
  type Scenario,
  sorry,
} from "../scenario.ts";

const ownText = `Nothing for \\"${put("where is &lt;it&gt;?")}\\".`;

const json = ["Content-Type", "application/json"];

export const rewriting: Area = {
  name: "an answer of the engine",
  scenarios: [
    {
      name: "gets the owner's words where the direct answer stands, and keeps every other byte",
      async run(bed) {
        const answer = await askMessage(bed);
        expect(answer.status).toBe(200);
        expect(textOf(answer)).toBe(flagged("no-results").replaceAll(sorry, ownText));
        expect(valueOf(answer, "content-length") ?? String(answer.body.length)).toBe(
          String(answer.body.length),
        );
      },
    },
    {
      name: "gets one text in place of a list of texts",
      async run(bed) {
        const answer = await askMessage(
          bed,
          engine('{"answers":[{"message":"a","messageList":["a", "b"],"flags":["welcome"]}]}'),
        );
        expect(textOf(answer)).toBe(
          '{"answers":[{"message":"Hello from us!","messageList":["Hello from us!"],"flags":["welcome"]}]}',
        );
      },
    },
    {
      name: "gets the heading of related contents",
      async run(bed) {
        const body =
          '{"answers":[{"parameters":{"contents":{"related":{"relatedTitle":"Related"}}}}]}';
        expect(textOf(await askMessage(bed, engine(body)))).toBe(
          body.replace("Related", "See also:"),
        );
      },
    },
    stays(
      "when it is an ordinary answer",
      '{ "answers" : [{"message":"\\u0048i \\/ \\ud83d\\ude00", "flags":[], "n":1e-2,"n":2}]\r\n}\t',
    ),
    stays("when its flag is no direct answer", flagged("sensible-answer")),
    stays("when it is empty", ""),
    stays("when it is no JSON", `${flagged("no-results")}]`),
    stays("above limits.transformBytes", `${flagged("no-results")}${" ".repeat(70_000)}`),
    stays("behind another status than 200", flagged("no-results"), { status: 500, reason: "Oh" }),
    stays("behind another media type", flagged("no-results"), {
      headers: ["Content-Type", "text/html"],
    }),
    stays("behind no media type", flagged("no-results"), { headers: [] }),
    stays("behind Cache-Control: no-transform", flagged("no-results"), {
      headers: [...json, "Cache-Control", "private, no-transform"],
    }),
    stays("behind a signature", flagged("no-results"), {
      headers: [...json, "Signature", "sig1=:AAAA:"],
    }),
    {
      name: "loses the fields that vouch for bytes which were edited, and only then",
      async run(bed) {
        const headers = ["Content-Type", "application/json", "ETag", '"abc"', "X-Kept", "1"];
        const edited = await askMessage(bed, engine(flagged("no-results"), { headers }));
        expect(valueOf(edited, "etag")).toBeNull();
        expect(valueOf(edited, "x-kept")).toBe("1");
        const left = await askMessage(bed, engine('{"answers":[]}', { headers }));
        expect(valueOf(left, "etag")).toBe('"abc"');
      },
    },
    ...(["gzip", "deflate", "br", "x-gzip"] as const).map(survivesCoding),
    {
      name: "gets its flag back where default content hides it and the owner wants it",
      async run(bed) {
        const body =
          '{"answers":[{"message":"Sorry","flags":[],"attributes":{"title":"No Results"}}]}';
        const answer = await askMessage(bed, engine(body), question({ key: "modern" }));
        expect(textOf(answer)).toBe(body.replace('"flags":[]', '"flags":["no-results"]'));
      },
    },
    {
      name: "says the same variant to the same request again",
      async run(bed) {
        const asked = question({ headers: ["x-inbenta-session", "Bearer s-variants"] });
        const [one, two] = [
          await askMessage(bed, engine(flagged("multiple-options")), asked),
          await askMessage(bed, engine(flagged("multiple-options")), asked),
        ];
        expect(textOf(one)).toMatch(/Which one\?|Which of these\?|Please choose\./);
        expect(textOf(one)).toBe(textOf(two));
      },
    },
    {
      name: "speaks through the channel that its source means, without HTML there",
      async run(bed) {
        const headers = ["x-inbenta-source", "whatsapp-bot"];
        const answer = await askMessage(bed, engine(), question({ headers }));
        expect(textOf(answer)).toContain(`"Nothing for where is <it>?."`);
      },
    },
    {
      name: "obeys conditions on the environment",
      async run(bed) {
        const headers = ["x-inbenta-env", "preproduction"];
        const answer = await askMessage(bed, engine(), question({ headers }));
        expect(textOf(answer)).toContain('"Nothing here yet."');
      },
    },
    {
      name: "is the engine's where no instance matches",
      async run(bed) {
        const { client, upstream } = bed;
        await upstream.script({
          "POST /v1/auth": engine('{"answers":[{"flags":["welcome"],"message":"x"}]}'),
        });
        const answer = await client.ask({
          method: "POST",
          target: "/v1/auth",
          headers: ["x-inbenta-key", "nobody"],
        });
        expect(jsonOf(answer)).toEqual({ answers: [{ flags: ["welcome"], message: "x" }] });
      },
    },
    {
      name: "to HEAD has no body",
      async run({ client, upstream }) {
        await upstream.script({ "HEAD /prod/chatbot/v1/x": { headers: ["X-Here", "1"] } });
        const answer = await client.ask({
          method: "HEAD",
          target: "/v1/x",
          headers: ["x-inbenta-key", "fixed"],
        });
        expect([answer.status, valueOf(answer, "x-here"), answer.body.length]).toEqual([
          200,
          "1",
          0,
        ]);
      },
    },
  ],
};

function stays(when: string, body: string, more: Partial<Script> = {}): Scenario {
  return {
    name: `stays as it is ${when}`,
    async run(bed) {
      expect(textOf(await askMessage(bed, engine(body, more)))).toBe(body);
    },
  };
}

function survivesCoding(coding: NonNullable<Script["coding"]>): Scenario {
  return {
    name: `is the engine's or ours when it comes in ${coding}, and nothing else`,
    async run(bed) {
      for (const body of [flagged("no-results"), '{"answers":[{"message":"hi"}]}']) {
        const headers = ["Accept-Encoding", "gzip, deflate, br, x-gzip"];
        const answer = await askMessage(bed, engine(body, { coding }), question({ headers }));
        expect([body, body.replaceAll(sorry, ownText)]).toContain(await decodedText(answer));
      }
    },
  };
}
