import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FLAG_FACTS } from "../../../src/direct-answers/flags.ts";
import type { Flag } from "../../../src/direct-answers/flags.ts";
import { SPECIFICATION, type SpecifiedFlag } from "../../direct-answers/specification.ts";
import type { App, Json } from "../client.ts";
import { runs } from "../../fixtures/runs.ts";
import { bot, chat, content, form, option } from "./bot.ts";
import { webhook } from "./webhook.ts";
import type { Webhook } from "./webhook.ts";

type Step = Readonly<Record<string, unknown>>;

/** The requests that cause each flag: the last one is answered with it, the ones before are not. */
const causes: Readonly<
  Record<SpecifiedFlag, readonly Step[]> & Partial<Record<Flag, readonly Step[]>>
> = {
  "all-options-discarded": [{ message: "how to pay" }, { message: "no" }, { option: 2 }],
  "character-limit-exceeded": [{ message: "😀".repeat(257) }],
  "conversation-error-message": [{ directCall: "no-such-call" }],
  "end-form": [{ directCall: "form" }, { message: "ada@shop.example" }, { message: "d" }],
  "follow-up-question": [{ directCall: "form" }, { message: "nobody" }, { message: "no" }],
  "form-continue": [{ directCall: "form" }, { message: "nobody" }],
  "form-retry": [{ directCall: "recoverable" }, { message: "a@b.example" }, { message: "d" }],
  "generic-error-message": [{ directCall: "form" }, { message: "nobody" }],
  "multiple-options": [{ message: "How can I pay?" }],
  "no-question": [{ message: "" }, { message: "" }],
  "no-results": [{ message: "zebra" }],
  "no-subset-match": [{ message: "How can I pay?" }, { message: "zebra" }],
  refinement: [{ message: "Delivery" }],
  "webhook-bad-request": [{ directCall: "bad" }, { message: "a@b.example" }, { message: "d" }],
  "webhook-wrong-field": [{ directCall: "wrong" }, { message: "a@b.example" }, { message: "d" }],
  welcome: [{ message: "" }],
};

let hook: Webhook;
let app: App;
beforeAll(async () => {
  hook = await webhook();
  const to = { url: hook.url, timeout: 5000, secret: null, headers: {} };
  const sending = (id: number, directCall: string): ReturnType<typeof content> =>
    content({ id, title: directCall, directCall, hidden: true, form: form({ webhook: to }) });
  app = await bot(
    [
      content({
        id: 1,
        title: "How can I pay?",
        options: [option("Card", 2), option("Invoice", 3)],
      }),
      content({ id: 2, title: "Cards", alternatives: ["how to pay"], checkQuestion: "By card?" }),
      content({ id: 3, title: "Bills", alternatives: ["how to pay"], checkQuestion: "By bill?" }),
      content({ id: 4, title: "Our form", directCall: "form", form: form() }),
      sending(5, "recoverable"),
      sending(6, "bad"),
      sending(7, "wrong"),
      ...[10, 11, 12, 13].map((id) =>
        content({ id, title: `Way ${id} to send it`, alternatives: ["delivery"] }),
      ),
    ],
    { submit: hook.submit },
  );
});
afterAll(() => hook.close());

/** A flag beside the specification's needs a cause only when this backend sends it. */
const caused = FLAG_FACTS.flatMap((facts) => {
  const steps: readonly Step[] | undefined = causes[facts.name];
  return steps === undefined ? [] : [{ ...facts, steps }];
});

test("every flag of the specification has a cause in this table", () => {
  expect(caused.map(({ name }) => name)).toEqual(
    expect.arrayContaining(Object.keys(SPECIFICATION)),
  );
});

test.each(caused)("$name: $returnedWhen", async ({ name, text, steps }) => {
  const answers: Readonly<Partial<Record<Flag, unknown>>> = {
    "form-retry": { ok: false, invalidFields: ["email"] },
    "webhook-wrong-field": { ok: false, invalidFields: ["shoe"] },
  };
  hook.answer(answers[name] ?? "no JSON");
  const { turn } = await chat(app);
  const turns: Json[][] = [];
  for (const step of steps) turns.push(await turn(step));
  expectFlags(turns);
  const flagged = turns.map((turn) => turn.filter(({ flags }) => flags.includes(name)));
  expect(flagged.slice(0, -1).flat()).toStrictEqual([]);
  expect(flagged.at(-1)).toStrictEqual([
    expect.objectContaining({ flags: [name], message: text, messageList: [text] }),
  ]);
});

/** Every answer that is a line of the engine's own carries the flag of that line. */
function expectFlags(turns: readonly (readonly Json[])[]): void {
  for (const { message, flags } of turns.flat()) {
    // Two flags share one text.
    const names = FLAG_FACTS.filter(({ text }) => text === message).map(({ name }) => name);
    if (names.length > 0) expect(names.map((name) => [name])).toContainEqual(flags);
  }
}

test("no line of the engine is sent without its flag, whatever the reader does", async () => {
  const steps = [
    ...new Set(
      Object.values(causes)
        .flat()
        .map((step) => JSON.stringify(step)),
    ),
    ...["cancel", "yes", "no", "opening", "Card", ""].map((message) => JSON.stringify({ message })),
    ...["sys-welcome", "sys-no-results"].map((directCall) => JSON.stringify({ directCall })),
  ].map((step) => JSON.parse(step) as Step);
  const accepted = { ok: true };
  const answer = fc.constantFrom<unknown>("no JSON", accepted, {
    ok: false,
    invalidFields: ["email"],
  });
  const walk = fc.array(fc.constantFrom(...steps), { minLength: 2, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(walk, answer, async (walked, answered) => {
      hook.answer(answered);
      const { turn } = await chat(app);
      const turns: Json[][] = [];
      for (const step of walked) turns.push(await turn(step));
      expectFlags(turns);
    }),
    { numRuns: runs(60) },
  );
});
