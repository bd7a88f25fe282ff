import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lineOf } from "../escalation/hand-over/bed.ts";
import { expectBackend } from "./backend-suite.ts";
import { firstOption, send, until } from "./stage.ts";
import type { Answer } from "./stage.ts";
import type { Upgraded } from "./upgraded.ts";

/** Nothing that 788c09d has begun is lost or done twice, whichever store it kept it in. */
export function describeUpgrade(store: string, open: () => Promise<Upgraded>): void {
  describe(`an upgrade with ${store}`, () => {
    let up: Upgraded;
    beforeAll(async () => {
      up = await open();
    });
    afterAll(() => up.close());

    it("opens every record", async () => {
      const expected = Object.entries(up.kept.conversations).filter(([label]) =>
        unsettled.has(label),
      );
      const found = new Set((await up.listed()).map(({ conversation }) => conversation));
      for (const [label, { key }] of expected)
        expect([label, found.has(key)]).toEqual([label, true]);
      expect(up.gateway.stderr()).not.toContain("decode");
    });

    it("looks for every call that may have got through, and makes none of them twice", async () => {
      await until("the end of what was on its way", async () => {
        const busy = (await up.listed()).filter(
          ({ phase, calls }) =>
            phase === "reaching" ||
            calls.some(({ state }) => state === "sent" || state === "planned"),
        );
        return busy.length === 0;
      });
      for (const [label, [chats, tickets]] of Object.entries(made)) {
        expect([label, up.made("chats", label), up.made("tickets", label)]).toEqual([
          label,
          chats,
          tickets,
        ]);
      }
      const calls = (label: string, call: string) =>
        up.between.calls.filter((one) => one.call === call && one.key === up.keyOf(label)).length;
      for (const label of ["ticket-sent", "ticket-midway"]) {
        expect(calls(label, "GET /ticketing/v1/tickets")).toBeGreaterThan(0);
        expect(calls(label, "POST /ticketing/v1/tickets")).toBe(0);
      }
      for (const label of ["ticket-sent-in-vain", "ticket-midway-in-vain"]) {
        expect(calls(label, "GET /ticketing/v1/tickets")).toBeGreaterThan(0);
        expect(calls(label, "POST /ticketing/v1/tickets")).toBe(1);
      }
      for (const label of ["chat-midway", "chat-sent"]) {
        expect(calls(label, "GET /v1/users")).toBeGreaterThan(0);
        expect(calls(label, "POST /v1/chats")).toBe(0);
      }
      for (const label of ["ticket-unknown", "ticket-in-doubt", "ticket-made", "chat-in-doubt"]) {
        expect(calls(label, "POST /ticketing/v1/tickets")).toBe(0);
      }
      for (const label of ["chat-sent", "chat-to-close"]) {
        expect((await up.clients.chat.chat(up.chatOf(label))).status).toBe("closed");
      }
    });

    it("tells of the tickets that were on their way", async () => {
      for (const label of ticketed) {
        const said = texts(await up.say(label, "hello?")).join("\n");
        expect([label, said]).toEqual([label, expect.stringMatching(/created ticket \S+/u)]);
      }
      expect(texts(await up.say("ticket-unknown", "hello?"))).toContain(lineOf("en", "unknown"));
      // In the words of 788c09d, which had put it in the conversation.
      const notNow =
        "Nobody can help right now, and nothing has been sent. Please try again later.";
      expect(texts(await up.say("ticket-given-up", "hello?"))).toContain(notNow);
      expect(texts(await up.say("ticket-refused", "hello?"))).not.toContain(notNow);
    });

    it("goes on with what nobody was asked about yet", async () => {
      const [spanish] = await up.say("quiet", "qwxz zzyx");
      const [english] = await up.say("counted", "vvkq jjxq plugh");
      expect(spanish?.flags).toContain("no-results");
      expect(spanish?.message).not.toBe(english?.message.replace("vvkq jjxq plugh", "qwxz zzyx"));
      expect(await isOffered("counted", "again?")).toBe(false);
      const { instance, headers } = up.kept.conversations["rated"] ?? { instance: "", headers: {} };
      await fetch(`${up.gateway.url}/${instance}/v1/tracking/events`, {
        method: "POST",
        headers,
        body: JSON.stringify({ type: "rate", data: { code: "x", value: 2 } }),
      });
      expect(await isOffered("rated", "hello")).toBe(true);
      expect((await up.say("signal-counted", "vvkq jjxq plugh"))[0]?.flags).toContain("escalate");
    });

    it("goes on where something was offered or asked", async () => {
      expect(texts(await up.choose("offered"))).toEqual([lineOf("en", "connecting")]);
      expect(texts(await up.choose("offered-unheard"))).toContain(lineOf("en", "connecting"));
      await up.say("declined", "qwxz zzyx");
      expect(await isOffered("declined", "vvkq jjxq plugh")).toBe(false);
      expect(await isOffered("declined", "I want to talk to a person")).toBe(true);
      expect(texts(await up.say("asked-name", "Grace Hopper"))).toEqual([
        lineOf("en", "ask-email"),
      ]);
      expect(texts(await up.say("asked-unheard", "Grace"))).toContain(lineOf("en", "ask-email"));
      expect(texts(await up.say("asked-email", "not again"))).toEqual([
        lineOf("en", "ask-email-again"),
      ]);
      expect(texts(await up.say("asked-email", "grace@example.test"))).toEqual([
        lineOf("en", "ask-consent"),
      ]);
      expect(texts(await up.say("asked-consent", "yes")).join()).toMatch(/ticket \S+/u);
      const ada = await up.clients.ticketing.findUser("ada@example.test");
      expect(ada?.name).toBe("Ada Lovelace");
      expect(texts(await up.choose("second-time"))).toEqual([lineOf("en", "connecting")]);
      expect(up.made("chats", "second-time")).toBe(2);
    });

    it("goes on with an agent", async () => {
      const { chat } = up.clients;
      const { token } = await chat.login("demo-agent", "demo-agent");
      const sam = chat.as(token ?? "");
      await sam.accept(up.chatOf("chat-waiting"));
      await sam.send(up.chatOf("chat-waiting"), { message: "Sam, at last" });
      expect(await toldIn("chat-waiting", "Sam, at last")).toContain(lineOf("en", "joined"));

      await up.say("chat-talking", "And after the upgrade?");
      await sam.send(up.chatOf("chat-talking"), { message: "All is well" });
      expect(await toldIn("chat-talking", "All is well")).not.toContain("Sam here");
      expect(await wordsIn("chat-talking")).toContain("And after the upgrade?");

      const unread = texts(await up.say("chat-unread", "hello?"));
      expect(unread.filter((text) => text === "Are you still there?")).toHaveLength(1);
      expect(texts(await up.say("chat-unread", "hello again"))).not.toContain(
        "Are you still there?",
      );

      const link = /href="([^"]+)"/u.exec(
        up.kept.conversations["chat-file"]?.last?.join() ?? "",
      )?.[1];
      const file = await fetch(up.gateway.url + String(link));
      expect(await file.text()).toBe("the plan");

      await sam.join(up.chatOf("chat-alone"));
      await sam.send(up.chatOf("chat-alone"), { message: "Back again" });
      expect(await toldIn("chat-alone", "Back again")).not.toContain(lineOf("en", "closed"));

      const ending = await toldIn("chat-last-words", lineOf("en", "closed"));
      expect(ending.indexOf("My last words")).toBeLessThan(ending.indexOf(lineOf("en", "closed")));
      expect(ending).toContain("My last words");

      expect(texts(await up.say("chat-queued", "hello?"))[0]).toBe(lineOf("en", "passed-on"));
      for (const label of ["chat-midway", "chat-midway-in-vain"]) {
        expect([label, texts(await up.say(label, "hello?"))]).toEqual([
          label,
          expect.arrayContaining([lineOf("en", "connecting")]),
        ]);
      }
    });

    it("goes on with a reader's stream behind the last event", async () => {
      const { chat } = up.clients;
      const { token } = await chat.login("demo-agent", "demo-agent");
      await chat.as(token ?? "").send(up.chatOf("listening"), { message: "After the upgrade" });
      const { headers, events, lastEvent } = up.kept.conversations["listening"] ?? {};
      const ending = new AbortController();
      const response = await fetch(up.gateway.url + String(events), {
        headers: { ...headers, "last-event-id": String(lastEvent) },
        signal: ending.signal,
      });
      let text = "";
      const decoder = new TextDecoder();
      const reading = (async () => {
        for await (const chunk of response.body ?? []) text += decoder.decode(chunk);
      })().catch(() => undefined);
      await until("the words of the agent", () => text.includes("After the upgrade"));
      ending.abort();
      await reading;
      expect(text).not.toContain("Over the stream");
      expect(text).toContain('"holder":"person"');
    });

    it("knows the routes that were signed", async () => {
      const { headers } = up.kept.conversations["quiet"] ?? {};
      for (const path of Object.values(up.kept.routes)) {
        const forged = path.replace(/.$/u, (last) => (last === "A" ? "B" : "A"));
        const status = async (at: string) =>
          (await fetch(`${up.gateway.url}${at}/v1/nothing`, { headers: headers ?? {} })).status;
        // There is nobody at that address; what nobody signed is not even looked for.
        expect([await status(path), await status(forged)]).toEqual([502, 404]);
      }
    });

    it("reads what is in the backend's database", async () => {
      await expectBackend(up.backend.url);
    });

    async function isOffered(label: string, message: string): Promise<boolean> {
      return firstOption(await up.say(label, message)) !== undefined;
    }

    /** Everything that is said until this is. */
    async function toldIn(label: string, words: string): Promise<readonly string[]> {
      const told: string[] = [];
      let turn = 0;
      return until(`"${words}" in ${label}`, async () => {
        const talk = up.kept.conversations[label];
        if (talk === undefined) throw new Error(label);
        told.push(...texts(await send(up.gateway.url, talk, { message: `and now? ${turn++}` })));
        return told.includes(words) && told;
      });
    }

    async function wordsIn(label: string): Promise<readonly unknown[]> {
      const words: unknown[] = [];
      for await (const { message } of up.clients.chat.messages(up.chatOf(label)))
        words.push(message);
      return words;
    }
  });
}

function texts(answers: readonly Answer[]): readonly string[] {
  return answers.map(({ message }) => message);
}

/** Conversations in which something was under way or undecided. */
const unsettled: ReadonlySet<string> = new Set([
  "asked-consent",
  "asked-email",
  "asked-name",
  "asked-unheard",
  "chat-alone",
  "chat-file",
  "chat-in-doubt",
  "chat-last-words",
  "chat-queued",
  "chat-talking",
  "chat-unread",
  "chat-waiting",
  "listening",
  "offered",
  "offered-unheard",
  "second-time",
  "ticket-in-doubt",
  "ticket-unknown",
]);

/** Chats and tickets that there are, once nothing is on its way any more. */
const made: Readonly<Record<string, readonly [chats: number, tickets: number]>> = {
  "ticket-given-up": [0, 0],
  "ticket-in-doubt": [0, 1],
  "ticket-made": [0, 1],
  "ticket-planned": [0, 1],
  "ticket-sent": [0, 1],
  "ticket-sent-in-vain": [0, 1],
  "ticket-refused": [0, 0],
  "ticket-unknown": [0, 1],
  "ticket-midway": [0, 1],
  "ticket-midway-in-vain": [0, 1],
  "chat-in-doubt": [1, 1],
  "chat-refused": [0, 1],
  "chat-sent": [1, 1],
  "chat-to-close": [1, 1],
  "chat-waiting": [1, 0],
  "chat-talking": [1, 0],
  "chat-queued": [1, 0],
  "chat-midway": [1, 0],
  "chat-midway-in-vain": [1, 0],
  "on-the-way": [0, 1],
  "out-of-hours": [0, 1],
  offered: [0, 0],
};

/** Their readers do not know yet that the ticket is there. */
const ticketed = [
  "ticket-planned",
  "ticket-sent",
  "ticket-sent-in-vain",
  "ticket-midway",
  "ticket-midway-in-vain",
  "on-the-way",
  "out-of-hours",
];
