import { onTestFinished, describe, expect, test } from "vitest";
import type { BackendOptions } from "../../../src/backend/options.ts";
import type { SubmissionOutcome } from "../../../src/backend/forms/types.ts";
import { openStorage } from "../../../src/backend/storage/open-storage.ts";
import type { Storage } from "../../../src/backend/storage/types.ts";
import { resume } from "../client.ts";
import type { App, Json, Talk } from "../client.ts";
import { bot, chat, content, form } from "./bot.ts";
import { field } from "../forms/form-states.ts";

const submitting = form({
  name: "write",
  fields: [field("text")],
  finished: "Done.",
  webhook: { url: "https://hooks.example.com/a", timeout: 1000, secret: null, headers: {} },
});
const items = [
  content({ id: 1, title: "Opening hours" }),
  content({ id: 2, title: "Write to us", form: submitting }),
];

interface Nodes {
  readonly storage: Storage;
  readonly talks: readonly [Talk, Talk];
}

/** Backends that share only their database, and one conversation with each of them. */
async function nodes(
  options: Partial<BackendOptions> = {},
  appending: () => Promise<unknown> = () => Promise.resolve(),
): Promise<Nodes> {
  const storage = await openStorage(null);
  onTestFinished(() => storage.close());
  const append: Storage["events"]["append"] = async (event) => {
    await appending();
    await storage.events.append(event);
  };
  const seen: Storage = { ...storage, events: { ...storage.events, append } };
  const open = (): Promise<App> => bot(items, { ...options, storage: seen });
  const first = await chat(open());
  return { storage, talks: [first, resume(await open(), first.headers)] };
}

async function variable(talk: Talk, name: string): Promise<string | undefined> {
  return (await talk.get("/v1/conversation/variables")).body[name]?.value;
}

describe("nodes that share a database", () => {
  test("lose no turn of a conversation that reaches both at once", async () => {
    const { talks } = await nodes();
    for (let round = 0; round < 10; round++)
      await Promise.all(talks.map(({ say }) => say("zebra")));
    expect(await variable(talks[0], "sys_unanswered_consecutive")).toBe("20");
    const { body } = await talks[1].get("/v1/conversation/history");
    expect(body.map(({ user }: Json) => user)).toStrictEqual(
      Array.from({ length: 20 }, () => ["user", "bot"]).flat(),
    );
  });

  test("keep variables that are set during a turn", async () => {
    const { talks } = await nodes();
    for (let round = 0; round < 10; round++) {
      const name = `name${round}`;
      await Promise.all([
        talks[0].say("zebra"),
        talks[1].post("/v1/conversation/variables", { name, value: "set" }),
      ]);
      expect([name, await variable(talks[0], name)]).toStrictEqual([name, "set"]);
    }
    expect(await variable(talks[0], "sys_unanswered_consecutive")).toBe("10");
  });

  test("keep an event once, and what a reader does meanwhile", async () => {
    let meanwhile: () => Promise<unknown> = () => Promise.resolve();
    const { storage, talks } = await nodes({}, () => meanwhile());
    meanwhile = () => talks[0].say("zebra");
    await talks[1].post("/v1/tracking/events", { type: "SEEN", data: {} });
    expect(await storage.events.latest(10)).toHaveLength(1);
    expect(await variable(talks[1], "sys_unanswered_consecutive")).toBe("1");
  });

  test("submit a form once, even if something else is written before the webhook answers", async () => {
    let answer: (outcome: SubmissionOutcome) => void = () => undefined;
    let calls = 0;
    const { talks } = await nodes({
      submit: () => {
        calls += 1;
        return new Promise((resolve) => void (answer = resolve));
      },
    });
    await talks[0].say("write to us");
    const submitted = talks[0].say("Hello!");
    await expect.poll(() => calls).toBe(1);
    await talks[1].post("/v1/conversation/variables", { name: "meanwhile", value: "set" });
    answer({ kind: "accepted", message: "Ticket 5.", variables: {}, actions: [] });
    expect((await submitted).message).toBe("Ticket 5.");
    expect(calls).toBe(1);
    // The form is over, on the other node too.
    expect((await talks[1].say("opening hours")).attributes.title).toBe("Opening hours");
    expect(calls).toBe(1);
  });
});
