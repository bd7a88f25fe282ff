import { expect } from "vitest";
import { textOf } from "../exchange.ts";
import type { Started } from "../runtime.ts";
import { type Area, engine, flagged, message, put, question, sorry } from "../scenario.ts";

export const signalling: Area = {
  name: "a conversation whose client hands over by itself",
  setup: "handing over",
  scenarios: [
    {
      name: "gets one `escalate` with the second answer that has no result, and not one other byte",
      async run(bed) {
        const say = talk(bed, "signalling");
        expect(await say("one", flagged("no-results"))).toBe(ours("one"));
        const signalled = ours("two").replace('["no-results"]', '["no-results","escalate"]');
        expect(await say("two", flagged("no-results"))).toBe(signalled);
        expect(await say("three", flagged("no-results"))).toBe(ours("three"));
      },
    },
    {
      name: "gets it in an answer that is compressed",
      async run(bed) {
        const say = talk(bed, "signalling");
        await say("one", flagged("no-results"));
        const answer = await say("two", flagged("no-results"), "gzip");
        expect(answer).toBe(ours("two").replace('["no-results"]', '["no-results","escalate"]'));
      },
    },
    {
      name: "keeps the engine's own `escalate` and its callbacks as they are",
      async run(bed) {
        const say = talk(bed, "signalling");
        expect(await say("one", engineEscalates)).toBe(engineEscalates);
      },
    },
    {
      name: "gets none where an answer helped in between, nor in another conversation",
      async run(bed) {
        const say = talk(bed, "signalling");
        await say("one", flagged("no-results"));
        const helped = '{"answers":[{"type":"answer","message":"Here.","flags":[]}]}';
        expect(await say("two", helped)).toBe(helped);
        expect(await say("three", flagged("no-results"))).toBe(ours("three"));
        const other = talk(bed, "signalling");
        expect(await other("four", flagged("no-results"))).toBe(ours("four"));
      },
    },
  ],
};

export const managing: Area = {
  name: "a conversation that we hand over",
  setup: "handing over",
  scenarios: [
    {
      name: "gets an offer behind the second answer that has no result, and keeps every byte before it",
      async run(bed) {
        const say = talk(bed, "managing");
        expect(await say("one", flagged("no-results"))).toBe(ours("one"));
        const answer = await say("two", flagged("no-results"));
        const [before, behind] = ours("two").split("1.50}");
        expect(answer.startsWith(`${before}1.50},{`)).toBe(true);
        expect(answer.endsWith(`}${behind}`)).toBe(true);
        expect(answersIn(answer)).toEqual([
          expect.objectContaining({ flags: ["no-results"] }),
          {
            type: "polarQuestion",
            message: "A message?",
            messageList: ["A message?"],
            options: [
              { label: "Yes, please", value: "aw:yes:1" },
              { label: "No, thanks", value: "aw:no:1" },
            ],
            actionField: null,
            flags: [],
            attributes: {
              AFTERWORD_EVENTS: expect.stringMatching(/^\/_afterword\/conversations\/\w+\/events$/),
            },
            parameters: { contents: null },
          },
        ]);
      },
    },
    {
      name: "stays with the bot after a no, which the engine is not asked",
      async run(bed) {
        const say = await offered(bed, "managing");
        expect(messagesIn(await say({ option: "aw:no:1" }))).toEqual(["Then not."]);
        // The authentication service is asked whether the token is valid.
        const requests = (await bed.upstream.received()).map(
          ({ method, target }) => `${method} ${target}`,
        );
        expect(requests.filter((line) => line !== "GET /v1/apis")).toEqual([]);
        expect(await say("three", flagged("no-results"))).toBe(ours("three"));
        expect(await bed.upstream.received()).toHaveLength(1);
      },
    },
    {
      name: "never tells the engine an option of ours, whoever made it",
      async run(bed) {
        const say = talk(bed, "managing");
        for (const option of ["aw:yes:1", "aw:no:7", "aw:", "aw:anything", "aw:yes:-1"]) {
          expect(messagesIn(await say({ option }))).toEqual([]);
          expect(await bed.upstream.received()).toEqual([]);
        }
        await say({ option: "awake" }, flagged("no-results"));
        expect((await bed.upstream.received()).map(({ body }) => body)).toEqual([
          '{"message":"","option":"awake"}',
        ]);
      },
    },
    {
      name: "loses the engine's `escalate` and its callbacks while ours is open",
      async run(bed) {
        const say = await offered(bed, "managing");
        const quiet = '"flags":[ "x"], "actions":[{"parameters":{"callback":"other"}}]';
        const answer = await say("three", engineEscalates);
        expect(answer).toContain(quiet);
        expect(answer).not.toMatch(/"escalate"|escalationStart/);
        expect(messagesIn(answer)).toEqual(["Wait.", "A message?"]);
      },
    },
    {
      name: "ends in a ticket after a yes, and the reader is told its number",
      async run(bed) {
        const say = await offered(bed, "managing");
        expect(messagesIn(await say({ option: "aw:yes:1" }))).toEqual([ticketMade]);
        const requests = await bed.upstream.received();
        expect(requests.filter(({ target }) => target.startsWith("/prod/chatbot"))).toEqual([]);
        const tickets = requests.filter(made);
        expect(tickets).toHaveLength(1);
        expect(JSON.parse(tickets[0]?.body ?? "")).toMatchObject({
          creator: 7,
          attachments: [8],
          external_id: expect.any(String),
          message: expect.stringContaining("one"),
        });
        // A repetition by a client that got no answer.
        expect(messagesIn(await say({ option: "aw:yes:1" }))).toEqual([ticketMade]);
        expect((await bed.upstream.received()).filter(made)).toEqual([]);
      },
    },
    {
      name: "ends in a ticket without a question where the engine's own form was filled in",
      async run(bed) {
        const say = talk(bed, "managing");
        const form = engineEscalates.replace("escalationStart", "escalateToAgent");
        const answer = await say("one", form);
        expect(messagesIn(answer)).toEqual(["Wait.", ticketMade]);
        expect(answer).not.toMatch(/"escalate"|escalateToAgent/);
        expect((await bed.upstream.received()).filter(made)).toHaveLength(1);
      },
    },
    {
      name: "can be listened to by those who have its session, and by nobody else",
      async run(bed) {
        const session = ["x-inbenta-session", `Bearer s-${Math.random()}`];
        const say = talk(bed, "managing", session);
        await say("one");
        const [, offer] = answersIn(await say("two"));
        const target = offer?.attributes?.AFTERWORD_EVENTS ?? "";
        expect((await bed.client.ask({ target })).status).toBe(404);
        const reading = await bed.client.open({ target, headers: session });
        await reading.until('"holder":"bot"');
        reading.leave();
      },
    },
    {
      name: "is promised no ticket that is not made yet",
      async run(bed) {
        const say = await offered(bed, "shop");
        expect(messagesIn(await say({ option: "aw:yes:1" }))).toEqual(["Not yet."]);
      },
    },
  ],
};

/** An answer of an engine that hands over by itself. */
export const engineEscalates =
  '{"answers":[{ "type":"answer","message":"Wait.", "flags":[ "x" , "escalate"], "actions":[{"parameters":{"callback":"other"}}, {"parameters":{"callback":"escalationStart"}}] }]}';

/** Sends messages in a separate conversation; the scripted engine answers each as configured. */
export function talk(
  { client, upstream }: Started,
  key: string,
  headers: readonly string[] = ["x-inbenta-session", `Bearer s-${Math.random()}`],
) {
  return async (
    input: string | { readonly option: string },
    answer: string = flagged("no-results"),
    coding?: "gzip",
  ): Promise<string> => {
    const turn = typeof input === "string" ? { message: input } : { message: "", ...input };
    await upstream.script({
      ...ticketing,
      [message]: engine(answer, coding && { coding }),
    });
    const shown = ["Authorization", "Bearer t", ...headers];
    const reply = await client.ask(question({ key, headers: shown, body: JSON.stringify(turn) }));
    expect(reply.status).toBe(200);
    return textOf(reply);
  };
}

const ticketing = {
  "POST /v1/auth": engine('{"accessToken":"t","expires_in":1200}'),
  "GET /ticketing/v1/users": engine('{"data":[]}'),
  "POST /ticketing/v1/users": engine('{"uuid":7}', { status: 201 }),
  "POST /ticketing/v1/media": engine('{"uuid":8}', { status: 201 }),
  "POST /ticketing/v1/tickets": engine('{"uuid":9,"full_uuid":"T-9"}', { status: 201 }),
};

const ticketMade = `Your ticket: ${put("T-9")}.`;

/** A conversation with an open offer. */
async function offered(bed: Started, key: string) {
  const say = talk(bed, key);
  await say("one");
  expect(messagesIn(await say("two"))[1]).toBe("A message?");
  return say;
}

function made({ method, target }: { readonly method: string; readonly target: string }): boolean {
  return method === "POST" && target === "/ticketing/v1/tickets";
}

/** The reader's text for a question without a result. */
function ours(asked: string): string {
  return flagged("no-results").replaceAll(sorry, `Nothing for \\"${put(asked)}\\".`);
}

interface Answer {
  readonly message: string;
  readonly attributes?: { readonly AFTERWORD_EVENTS?: string };
}

function answersIn(text: string): readonly Answer[] {
  return (JSON.parse(text) as { answers: readonly Answer[] }).answers;
}

function messagesIn(text: string): readonly string[] {
  return answersIn(text).map((answer) => answer.message);
}
