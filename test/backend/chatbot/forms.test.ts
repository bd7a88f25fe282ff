import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { FormDefinition } from "../../../src/backend/forms/types.ts";
import type { App } from "../client.ts";
import { bot, chat, content, flagsOf, form } from "./bot.ts";
import { field } from "../forms/form-states.ts";
import { webhook } from "./webhook.ts";
import type { Webhook } from "./webhook.ts";

let hook: Webhook;
beforeAll(async () => {
  hook = await webhook();
});
afterAll(() => hook.close());

const withForm = (definition: FormDefinition): Promise<App> =>
  bot(
    [
      content({
        id: 1,
        title: "Contact us",
        answers: ["Let us know."],
        directCall: "contact",
        form: definition,
      }),
      content({ id: 2, title: "Opening hours" }),
      content({ id: 3, title: "Anything else", hidden: true, answers: ["So be it."] }),
    ],
    { submit: hook.submit, customized: { "follow-up-question": 3 } },
  );
const sending = (): FormDefinition =>
  form({ webhook: { url: hook.url, timeout: 5000, secret: null, headers: {} } });

describe("a form in a conversation", () => {
  test("follows its content's answer, asks field by field, and ends with its actions", async () => {
    const callback = "escalateToAgent";
    const actions = [{ callback, data: { EMAIL_ADDRESS: "{{email}}", QUEUE: "{{topic}}" } }];
    const { ask, get } = await chat(withForm(form({ actions, finished: "Thanks, {{email}}." })));
    const [answer, first, ...more] = await ask("contact us");
    expect(more).toStrictEqual([]);
    expect(answer).toMatchObject({ message: "Let us know.", actionField: null, flags: [] });
    expect(first).toMatchObject({
      type: "answer",
      message: "Your e-mail?",
      messageList: ["Your e-mail?"],
      flags: [],
      actionField: { fieldType: "default", actionFieldId: "email", variableName: "email" },
    });
    const [second] = await ask("ada@shop.example");
    expect(second.actionField).toStrictEqual({
      fieldType: "list",
      disableInput: false,
      actionFieldId: "topic",
      variableName: "topic",
      listValues: {
        displayType: "buttons",
        values: [
          { label: ["Delivery"], option: "Delivery" },
          { label: ["Payment"], option: "Payment" },
        ],
      },
    });
    const [thanks, end] = await ask("p");
    expect(thanks).toMatchObject({ message: "Thanks, ada@shop.example.", flags: [] });
    expect(end).toMatchObject({ flags: ["end-form"], message: "Your inquiry has been submitted" });
    expect(end.actions).toStrictEqual([
      { parameters: { callback, data: { EMAIL_ADDRESS: "ada@shop.example", QUEUE: "p" } } },
    ]);
    const { body } = await get("/v1/conversation/variables");
    expect(body.email).toStrictEqual({ value: "ada@shop.example" });
    expect((await ask("opening hours"))[0].attributes.title).toBe("Opening hours");
  });

  test("answers an invalid value with an error, and asks whether to go on", async () => {
    const { ask, turn } = await chat(withForm(form()));
    await ask("contact us");
    const [error, question] = await ask("nobody");
    expect(error).toMatchObject({
      type: "answer",
      flags: ["generic-error-message"],
      message: "The format of your answer is not valid",
      actionField: { actionFieldId: "email" },
    });
    expect(question).toMatchObject({
      type: "polarQuestion",
      flags: ["form-continue"],
      message: "Do you want to continue with this form?",
      options: [
        { label: "yes", value: 1 },
        { label: "no", value: 2 },
      ],
    });
    expect((await turn({ option: 1 }))[0]).toMatchObject({ message: "Your e-mail?", flags: [] });
  });

  test.each([[{ option: 2 }], [{ option: "no" }], [{ message: "no" }], [{ message: "cancel" }]])(
    "%j after a failure leaves it: follow-up-question",
    async (body) => {
      const items = [content({ id: 1, title: "Contact us", form: form() })];
      const { ask, turn } = await chat(bot(items));
      await ask("contact us");
      await ask("nobody");
      expect(await turn(body)).toMatchObject([
        { flags: ["follow-up-question"], message: "Please tell me how else I can help you." },
      ]);
      expect(flagsOf(await ask("ada@shop.example"))).toStrictEqual([["no-results"]]);
    },
  );

  test("a customized follow-up question is that content, without the flag", async () => {
    const { ask } = await chat(withForm(form()));
    await ask("contact us");
    expect(await ask("cancel")).toMatchObject([{ flags: [], message: "So be it." }]);
  });

  test("the bot master's own error message has no flag", async () => {
    const email = field("email", { type: "email", errorMessage: "That is no address." });
    const { ask } = await chat(withForm(form({ fields: [email] })));
    await ask("contact us");
    expect(await ask("nobody")).toMatchObject([
      { flags: [], message: "That is no address." },
      { flags: ["form-continue"] },
    ]);
  });

  test("respects the conversation's settings", async () => {
    const settings = { allowUserToAbandonForm: "false", errorRetries: 2 };
    const { ask } = await chat(withForm(form()), { body: { forms: settings } });
    await ask("contact us");
    const [error, again] = await ask("cancel");
    expect(error.flags).toStrictEqual(["generic-error-message"]);
    expect(again).toMatchObject({ type: "answer", message: "Your e-mail?", flags: [] });
    expect(flagsOf(await ask("nobody"))).toStrictEqual([
      ["generic-error-message"],
      ["form-continue"],
    ]);
    expect(await ask("no")).toMatchObject([{ flags: [], message: "So be it." }]);
  });

  test("ends with the same words and the same flag when it is left before any error", async () => {
    const app = bot([content({ id: 1, title: "Contact us", form: form() })]);
    const { ask } = await chat(app);
    await ask("contact us");
    expect(await ask("cancel")).toMatchObject([
      {
        type: "answer",
        flags: ["follow-up-question"],
        message: "Please tell me how else I can help you.",
      },
    ]);
    expect(flagsOf(await ask("ada@shop.example"))).toStrictEqual([["no-results"]]);
  });

  test("answers a value that is never valid with form-continue each time, and does not end by itself", async () => {
    const { ask } = await chat(bot([content({ id: 1, title: "Contact us", form: form() })]));
    await ask("contact us");
    for (let turn = 0; turn < 5; turn++) {
      expect(flagsOf(await ask("nobody"))).toStrictEqual([
        ["generic-error-message"],
        ["form-continue"],
      ]);
    }
    expect(flagsOf(await ask("no"))).toStrictEqual([["follow-up-question"]]);
  });

  test("reads a message as a value, not as a question; a direct call leaves it", async () => {
    const name = field("name");
    const { ask, turn } = await chat(withForm(form({ fields: [name, field("b")] })));
    await ask("contact us");
    expect((await ask("opening hours"))[0].message).toBe("b?");
    expect(flagsOf(await ask("x".repeat(257)))).toStrictEqual([["character-limit-exceeded"]]);
    expect(flagsOf(await turn({ directCall: "nowhere" }))).toStrictEqual([
      ["conversation-error-message"],
    ]);
    expect(flagsOf(await ask("c"))).toStrictEqual([["end-form"]]);
    await ask("contact us");
    await turn({ directCall: "sys-welcome" });
    expect((await ask("opening hours"))[0].attributes.title).toBe("Opening hours");
  });

  test("begins again at every call, and a prefilled form ends at once", async () => {
    const email = field("email", { type: "email", variable: "email", prefill: true });
    const { turn, post } = await chat(withForm(form({ fields: [email] })));
    expect(await turn({ directCall: "contact" })).toMatchObject([{}, { message: "email?" }]);
    await post("/v1/conversation/variables", { name: "email", value: "ada@shop.example" });
    expect(flagsOf(await turn({ directCall: "contact" }))).toStrictEqual([[], ["end-form"]]);
  });
});

describe("a form with a webhook", () => {
  test("sends its values within the turn, and returns the webhook's message", async () => {
    hook.answer({
      ok: true,
      message: "Ticket 7.",
      variables: { Ticket: 7 },
      actions: [{ callback: "customTrigger", data: { ID: "7" } }],
    });
    const { ask, get } = await chat(withForm(sending()));
    await ask("contact us");
    await ask("ada@shop.example");
    expect(await ask("delivery")).toMatchObject([
      {
        message: "Ticket 7.",
        flags: [],
        actions: [{ parameters: { callback: "customTrigger", data: { ID: "7" } } }],
      },
    ]);
    expect(hook.received.at(-1)).toMatchObject({
      form: "contact",
      content: 1,
      values: { email: "ada@shop.example", topic: "d" },
      attempt: 1,
    });
    expect((await get("/v1/conversation/variables")).body.ticket).toStrictEqual({ value: "7" });
  });

  const submitted = async (answer: unknown, status = 200): Promise<readonly unknown[]> => {
    hook.answer(answer, status);
    const { ask } = await chat(withForm(sending()));
    await ask("contact us");
    await ask("ada@shop.example");
    return ask("d");
  };

  test.each([["not json"], [{}], [{ ok: "yes" }], [{ ok: false }]])(
    "an answer such as %j is webhook-bad-request",
    async (answer) => {
      expect(await submitted(answer)).toMatchObject([
        {
          type: "answer",
          flags: ["webhook-bad-request"],
          message: "Sorry, we could not complete your request",
        },
      ]);
    },
  );

  test("a refusal that names no field is webhook-bad-request", async () => {
    expect(await submitted({ ok: true }, 500)).toMatchObject([{ flags: ["webhook-bad-request"] }]);
  });

  test("an invalid field that the form does not have is webhook-wrong-field", async () => {
    expect(await submitted({ ok: false, invalidFields: ["email", "shoe"] })).toMatchObject([
      {
        type: "answer",
        flags: ["webhook-wrong-field"],
        message: "Sorry, we could not complete your request",
      },
    ]);
  });

  test("an invalid field of the form is form-retry; yes asks it again and submits again", async () => {
    hook.answer({ ok: false, invalidFields: ["email"], message: "We know nobody there." });
    const { ask, turn } = await chat(withForm(sending()));
    await ask("contact us");
    await ask("ada@shop.example");
    expect(await ask("p")).toMatchObject([
      { flags: [], message: "We know nobody there." },
      {
        type: "polarQuestion",
        flags: ["form-retry"],
        message: "Would you like to try to fill in this form again?",
        options: [{ value: 1 }, { value: 2 }],
      },
    ]);
    expect((await turn({ option: "1" }))[0].message).toBe("Your e-mail?");
    hook.answer({ ok: true });
    expect(await ask("bob@shop.example")).toMatchObject([
      { flags: ["end-form"], message: "Your inquiry has been submitted" },
    ]);
    expect(hook.received.at(-1)).toMatchObject({
      values: { email: "bob@shop.example", topic: "p" },
      attempt: 2,
    });
  });

  test("a webhook that complains of another form's field is reported to the operator too", async () => {
    const failures: unknown[] = [];
    const items = [content({ id: 1, title: "Contact us", form: sending() })];
    const webhookFailed = (failure: unknown): void => void failures.push(failure);
    const submit = () =>
      Promise.resolve({ kind: "invalid-fields", fields: ["customer"], message: null } as const);
    const { ask } = await chat(bot(items, { webhookFailed, submit }));
    await ask("contact us");
    await ask("ada@shop.example");
    expect(flagsOf(await ask("p"))).toStrictEqual([["webhook-wrong-field"]]);
    const detail = expect.stringMatching(/customer.*it has email, topic/);
    expect(failures).toStrictEqual([
      { form: "contact", content: 1, reason: "unknown-field", detail },
    ]);
  });

  test("answers webhook-bad-request and tells the operator why when the backend cannot call it", async () => {
    const failures: unknown[] = [];
    const items = [content({ id: 1, title: "Contact us", form: sending() })];
    const webhookFailed = (failure: unknown): void => void failures.push(failure);
    const { ask } = await chat(bot(items, { webhookFailed }));
    await ask("contact us");
    await ask("ada@shop.example");
    expect(flagsOf(await ask("p"))).toStrictEqual([["webhook-bad-request"]]);
    expect(failures).toStrictEqual([
      { form: "contact", content: 1, reason: "refused", detail: expect.stringContaining("way") },
    ]);
  });
});
