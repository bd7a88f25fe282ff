import { createHmac } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import { lineOf, optionsOf, type Talk, until } from "../../escalation/hand-over/bed.ts";
import { type EdgeBed, edgeBed, hookSecret, sharedBed } from "./hand-over-bed.ts";

// Workerd is started several times, and alarms are slow.
vi.setConfig({ testTimeout: 180_000 });

describe("a worker with agents", () => {
  const shared = sharedBed("agents, ticket");

  it("hands a conversation to an agent and back, while workerd restarts and evicts the object", async () => {
    const { bed } = shared;
    const { chat } = bed.clients;
    const sam = await bed.signIn();
    const talk = await bed.talk();
    const { yes, events } = await offered(talk);
    // Real time is needed: workerd evicts an object after ten seconds without requests.
    await pause(12_000);
    expect(await bed.say(talk, { message: "", option: yes })).toEqual([lineOf("en", "connecting")]);
    const opened = await waitingChat(bed);
    expect((await bed.open()).map(({ phase }) => phase)).toEqual(["waiting"]);
    await bed.restart();
    expect((await bed.open()).map(({ phase }) => phase)).toEqual(["waiting"]);

    const reader = listen(bed, talk, events);
    await sam.accept(opened);
    await sam.send(opened, { message: "Hello, <b>Sam</b> here" });
    await until(async () => reader.words().includes("Hello, &lt;b&gt;Sam&lt;/b&gt; here"));
    expect(reader.words()).toEqual([lineOf("en", "joined"), "Hello, &lt;b&gt;Sam&lt;/b&gt; here"]);
    reader.stop();
    await until(
      async () => (await bed.say(talk, { message: `Yes? ${Math.random()}` })).length === 0,
    );

    await bed.restart();
    expect(await bed.say(talk, { message: "Are you still there?" })).toEqual([]);
    const texts = [];
    for await (const message of chat.messages(opened)) texts.push(message.message);
    expect(texts).toContain("Are you still there?");
    await sam.close(opened);
    const back = await bed.say(talk, { message: "What are your opening hours on Sunday?" });
    expect(back.length).toBeGreaterThan(1);
    expect(await bed.open()).toEqual([]);
  });

  it("learns by its alarm what an agent does while the reader sends nothing", async () => {
    const { bed } = shared;
    const sam = await bed.signIn();
    const talk = await bed.talk();
    const { yes } = await offered(talk);
    await bed.say(talk, { message: "", option: yes });
    const opened = await waitingChat(bed);
    await sam.accept(opened);
    await sam.send(opened, { message: "one" });
    await bed.restart();
    // Every 15 s, by the alarm alone: /_afterword/escalations does not look at records.
    await until(async () => (await bed.open())[0]?.phase === "talking", 90_000);
    // No stream here: a text that was sent before the end of a stream is noticed counts as
    // delivered (docs/deploy-edge.md).
    await until(async () =>
      (await bed.say(talk, { message: `hm ${Math.random()}` })).includes("one"),
    );

    await sam.send(opened, { message: "two" });
    const body = JSON.stringify({ trigger: "messages:new", data: { chatId: opened } });
    const post = (signature: string) =>
      fetch(`${bed.url()}/_afterword/webhooks/chat/shop`, {
        method: "POST",
        headers: { "x-hook-signature": signature },
        body,
      });
    expect((await post("00")).status).toBe(401);
    const signature = createHmac("sha256", hookSecret).update(body).digest("hex");
    expect((await post(signature)).status).toBe(200);
    const texts: string[] = [];
    await until(async () => {
      texts.push(...(await bed.say(talk, { message: `hm ${Math.random()}` })));
      return texts.includes("two");
    });
    expect(texts.filter((word) => word === "two")).toHaveLength(1);
    await sam.close(opened);
    // And the reverse: the bot is back without a request.
    await until(async () => (await bed.open()).length === 0, 90_000);
  });
});

describe("a worker with case management", () => {
  const shared = sharedBed("ticket");

  it("understands readers who ask for a person in Hungarian, Korean and Norwegian", async () => {
    const { bed } = shared;
    for (const [lang, wish, yes] of [
      ["hu", "emberrel szeretnék beszélni", "Igen!"],
      ["ko", "상담원 연결해 주세요", "네, 좋아요"],
      ["nb", "jeg vil snakke med et menneske", "ja takk"],
    ] as const) {
      const talk = await bed.talk(lang);
      const locale = lang === "nb" ? "no" : lang;
      const [offer] = (await bed.say(talk, { message: wish })).slice(-1);
      expect(offer).toBe(lineOf(locale, "offer-message"));
      const [made = ""] = await bed.say(talk, { message: yes });
      expect(made).toContain(lineOf(locale, "ticket-number").split("{{ticket}}").at(-1));
    }
    expect(bed.printed()).not.toContain("words-missing");
  });

  it("creates one ticket when a reader sends the same yes ten times at once", async () => {
    const { bed } = shared;
    const before = (await tickets(bed)).length;
    const talk = await bed.talk();
    const { yes } = await offered(talk);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => bed.say(talk, { message: "", option: yes })),
    );
    expect(answers.flat().some((text) => text.includes("ticket"))).toBe(true);
    expect(await tickets(bed)).toHaveLength(before + 1);
  });

  it("creates a German reader's ticket once when case management is back, after a restart and without a request", async () => {
    const { bed } = shared;
    await until(async () => (await bed.open()).length === 0);
    const before = (await tickets(bed)).length;
    bed.ticketing.close();
    const talk = await bed.talk("de");
    const { yes } = await offered(talk);
    expect(await bed.say(talk, { message: "", option: yes })).toEqual([
      lineOf("de", "ticket-pending"),
    ]);
    const tried = await until(async () => {
      const [call] = (await bed.open())[0]?.calls ?? [];
      return call !== undefined && call.attempts > 1 && call;
    });
    expect(tried.state).not.toBe("done");
    expect(await tickets(bed)).toHaveLength(before);
    await bed.restart();
    bed.ticketing.open();
    await until(async () => (await tickets(bed)).length > before, 60_000);
    await until(async () => (await bed.open()).length === 0, 60_000);
    expect(await tickets(bed)).toHaveLength(before + 1);
    const answer = await bed.say(talk, { message: "What are your opening hours?" });
    // The text of the object's alarm.
    const [words = ""] = lineOf("de", "ticket-number").split("{{ticket}}");
    expect(answer.some((text) => text.startsWith(words))).toBe(true);
  });
});

it.each([
  ["without static assets", (toml: string) => toml.replace(/^binding = "AFTERWORD_ASSETS"$/m, "")],
  [
    "with the static assets of another project",
    (toml: string) => toml.replace(/^directory = .*$/m, `directory = "${import.meta.dirname}"`),
  ],
])(
  "a worker %s accepts a Korean reader's yes in English or by button, and logs that words are missing",
  async (_, toml) => {
    const bed = await edgeBed("ticket", { toml });
    const made = lineOf("ko", "ticket-number").split("{{ticket}}").at(-1);
    const wishing = await bed.talk("ko");
    // The engine is asked about messages that are not understood.
    const [answer] = await bed.say(wishing, { message: "상담원 연결해 주세요" });
    expect(answer).not.toBe(lineOf("ko", "offer-message"));
    const typing = await bed.talk("ko");
    await offered(typing);
    expect((await bed.say(typing, { message: "Yes" })).at(0)).toContain(made);
    const clicking = await bed.talk("ko");
    const { yes } = await offered(clicking);
    expect((await bed.say(clicking, { message: "", option: yes })).at(0)).toContain(made);
    expect(bed.printed()).toContain('"event":"words-missing"');
  },
);

async function offered(talk: Talk): Promise<{ readonly yes: unknown; readonly events: string }> {
  await talk.say("qwxz zzyx");
  const offer = (await talk.say("vvkq jjxq plugh")).at(-1);
  const [yes] = optionsOf(offer);
  expect(yes?.value).toMatch(/^aw:yes/);
  return {
    yes: yes?.value,
    events: String(Reflect.get(offer?.attributes ?? {}, "AFTERWORD_EVENTS")),
  };
}

async function waitingChat(bed: EdgeBed): Promise<string> {
  const found = await until(async () => {
    for await (const one of bed.clients.chat.chats({ status: "waiting" })) return one;
    return null;
  });
  return found.id;
}

async function tickets(bed: EdgeBed): Promise<readonly unknown[]> {
  return Array.fromAsync(bed.clients.ticketing.tickets());
}

/** Listens with fetch, as a page does, and reconnects when a stream ends. */
function listen(bed: EdgeBed, talk: Talk, path: string) {
  const stop = new AbortController();
  const words: unknown[] = [];
  let last = "";
  void (async () => {
    while (!stop.signal.aborted) {
      const headers = {
        "x-inbenta-session": talk.headers["x-inbenta-session"] ?? "",
        ...(last !== "" && { "last-event-id": last }),
      };
      const response = await fetch(bed.url() + path, { headers, signal: stop.signal });
      let text = "";
      for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        text += chunk;
        const parts = text.split("\n\n");
        text = parts.pop() ?? "";
        for (const part of parts) {
          last = /^id: (.*)$/mu.exec(part)?.[1] ?? last;
          const data = /^event: answer\ndata: (.*)$/mu.exec(part)?.[1];
          if (data !== undefined) words.push(JSON.parse(data).message);
        }
      }
    }
  })().catch(() => undefined);
  return { words: () => words, stop: () => stop.abort() };
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}
