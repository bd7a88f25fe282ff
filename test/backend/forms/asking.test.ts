import { describe, expect, it } from "vitest";
import { answerForm, beginForm } from "../../../src/backend/forms/machine.ts";
import { AGE, EMAIL, FIRM, context, field, form, textsOf, state, typed } from "./form-states.ts";

const filled = { email: "anna@example.com" };
const atAge = state({ field: "age", values: filled });

describe("a form that begins", () => {
  it("asks its first field and keeps when it began", () => {
    const step = beginForm(context());
    expect(textsOf(step)).toEqual(["email? (email)"]);
    expect(step.state).toEqual(state());
    expect(step.submit).toBeUndefined();
  });

  it("does not ask for what a variable already contains", () => {
    const known = { ...EMAIL, variable: "mail", prefill: true };
    const step = beginForm(
      context(form({ fields: [known, AGE] }), { variables: new Map([["mail", "a@b.example"]]) }),
    );
    expect(textsOf(step)).toEqual(["age? (age)"]);
    expect(step.state?.values).toEqual({ email: "a@b.example" });
    expect(step.variables).toEqual({});
  });

  it("asks when the variable's value is not a valid one", () => {
    const known = { ...EMAIL, variable: "mail", prefill: true };
    const step = beginForm(
      context(form({ fields: [known] }), { variables: new Map([["mail", "nobody"]]) }),
    );
    expect(textsOf(step)).toEqual(["email? (email)"]);
  });

  it("asks when prefill is not set, whatever the variable holds", () => {
    const known = { ...EMAIL, variable: "mail" };
    const step = beginForm(
      context(form({ fields: [known] }), { variables: new Map([["mail", "a@b.example"]]) }),
    );
    expect(textsOf(step)).toEqual(["email? (email)"]);
  });

  it("ends at once when every value is known", () => {
    const known = { ...EMAIL, variable: "mail", prefill: true };
    const step = beginForm(
      context(form({ fields: [known] }), { variables: new Map([["mail", "a@b.example"]]) }),
    );
    expect(textsOf(step)).toEqual(["end-form"]);
    expect(step.state).toBeNull();
  });
});

describe("asking, and the reader says", () => {
  it("a valid value: the next field is asked", () => {
    const step = answerForm(context(), state(), typed("anna@example.com"));
    expect(textsOf(step)).toEqual(["age? (age)"]);
    expect(step.state).toEqual(atAge);
  });

  it("a valid value of the last field without a webhook: end-form", () => {
    const step = answerForm(context(), atAge, typed("42"));
    expect(textsOf(step)).toEqual(["end-form"]);
    expect(step.state).toBeNull();
  });

  it("a valid value of the last field with a webhook: a submission, and nothing yet", () => {
    const webhook = { url: "https://hooks.example.com", timeout: 1, secret: null, headers: {} };
    const step = answerForm(context(form({ webhook, finished: "Done." })), atAge, typed("42"));
    expect(step.says).toEqual([]);
    expect(step.submit).toMatchObject({
      webhook,
      form: "contact",
      content: 7,
      language: "en",
      values: { email: "anna@example.com", age: "42" },
      fields: ["email", "age"],
      attempt: 1,
    });
    expect(step.state).toMatchObject({ submissions: 1, step: "asking" });
  });

  it("an invalid value: generic-error-message, then form-continue", () => {
    const step = answerForm(context(), state(), typed("nobody"));
    expect(textsOf(step)).toEqual(["generic-error-message (email)", "form-continue ?"]);
    expect(step.state).toEqual(state({ step: "continue", errors: 1 }));
  });

  it("an invalid value of a field with a message of its own: that message without a flag", () => {
    const own = { ...EMAIL, errorMessage: "That is no address." };
    const step = answerForm(context(form({ fields: [own] })), state(), typed("nobody"));
    expect(textsOf(step)).toEqual(["That is no address. (email)", "form-continue ?"]);
    expect(step.says[0]?.flag).toBeNull();
  });

  it.each([0, 1, 9])("the last of %i errors that are expected: form-continue as well", (errors) => {
    const limits = { allowUserToAbandonForm: true, errorRetries: errors };
    const before = state({ errors: Math.max(0, errors - 1) });
    const step = answerForm(context(form(), { limits }), before, typed("nobody"));
    expect(textsOf(step)).toEqual(["generic-error-message (email)", "form-continue ?"]);
  });

  it("a cancel word before any error: the follow-up-question without the flag, and the form is over", () => {
    const step = answerForm(context(), state(), typed("Cancel"));
    expect(textsOf(step)).toEqual(["follow-up-question"]);
    expect(step.state).toBeNull();
  });

  it("a cancel word after an error: follow-up-question, and the form is over", () => {
    const step = answerForm(context(), state({ errors: 1 }), typed("cancel"));
    expect(textsOf(step)).toEqual(["follow-up-question"]);
    expect(step.state).toBeNull();
  });

  it("a cancel word after an error in an earlier field: follow-up-question", () => {
    const failing = answerForm(context(), state(), typed("nobody"));
    const next = answerForm(context(), failing.state ?? state(), typed("anna@example.com"));
    expect(next.state).toMatchObject({ field: "age", errors: 0 });
    expect(textsOf(answerForm(context(), next.state ?? state(), typed("cancel")))).toEqual([
      "follow-up-question",
    ]);
  });

  it("a cancel word that is a choice of the list: the choice", () => {
    const what = field("what", { type: "list", values: [{ label: "Cancel", value: "c" }] });
    const definition = form({ fields: [what, AGE] });
    const step = answerForm(context(definition), state({ field: "what" }), typed("cancel"));
    expect(step.state?.values).toEqual({ what: "c" });
  });

  it("a cancel word where leaving is not allowed: an invalid value like another", () => {
    const step = answerForm(context(form(), FIRM), state(), typed("cancel"));
    expect(textsOf(step)).toEqual(["generic-error-message", "email? (email)"]);
    expect(step.state).toEqual(state({ errors: 1 }));
  });

  it("a cancel word where leaving is not allowed, for a text: a value", () => {
    const name = field("name");
    const step = answerForm(
      context(form({ fields: [name, AGE] }), FIRM),
      state({ field: "name" }),
      typed("cancel"),
    );
    expect(step.state?.values).toEqual({ name: "cancel" });
  });

  it("errorRetries invalid values where leaving is not allowed: form-continue all the same, and a no ends the form", () => {
    const step = answerForm(context(form(), FIRM), state({ errors: 1 }), typed("nobody"));
    expect(textsOf(step)).toEqual(["generic-error-message (email)", "form-continue ?"]);
    const no = answerForm(context(form(), FIRM), step.state ?? state(), typed("no"));
    expect(textsOf(no)).toEqual(["follow-up-question"]);
    expect(no.state).toBeNull();
  });

  it("nothing, for a required field: an invalid value", () => {
    const step = answerForm(context(), state(), typed("  "));
    expect(textsOf(step)).toEqual(["generic-error-message (email)", "form-continue ?"]);
  });

  it.each(["", " ", "-", "\u200b"])("%j, for an optional field: the field is skipped", (text) => {
    const optional = { ...EMAIL, required: false, variable: "mail" };
    const step = answerForm(context(form({ fields: [optional, AGE] })), state(), typed(text));
    expect(textsOf(step)).toEqual(["age? (age)"]);
    expect(step.state?.values).toEqual({});
    expect(step.variables).toEqual({ mail: "" });
  });

  it("a yes or a no: a value like another", () => {
    const step = answerForm(
      context(form({ fields: [field("name"), AGE] })),
      state({ field: "name" }),
      typed("no"),
    );
    expect(step.state?.values).toEqual({ name: "no" });
  });

  it("anything, when the field is gone from the content: the form is over without a flag", () => {
    const step = answerForm(context(), state({ field: "street" }), typed("x"));
    expect(textsOf(step)).toEqual(["follow-up-question"]);
    expect(step.state).toBeNull();
  });

  it("a valid value: the errors of the field before do not count for the next", () => {
    const step = answerForm(context(), state({ errors: 1 }), typed("anna@example.com"));
    expect(step.state?.errors).toBe(0);
  });
});

describe("the values and last words of a form", () => {
  it("store a value as the conversation's variable", () => {
    const known = { ...EMAIL, variable: "mail" };
    const step = answerForm(context(form({ fields: [known] })), state(), typed("a@b.example"));
    expect(step.variables).toEqual({ mail: "a@b.example" });
  });

  it("put the bot master's last words before end-form, which carries the actions", () => {
    const topic = field("topic", { type: "list", values: [{ label: "My order", value: "o" }] });
    const definition = form({
      fields: [topic],
      finished: "We will see to {{topic}}.",
      actions: [{ callback: "escalateToAgent", data: { INQUIRY: "{{topic}} of {{name}}" } }],
    });
    const variables = new Map([["name", "A & B {{topic}}"]]);
    const step = answerForm(
      context(definition, { variables }),
      state({ field: "topic" }),
      typed("my order"),
    );
    expect(textsOf(step)).toEqual(["We will see to My order.", "end-form"]);
    expect(step.says[0]?.actions).toEqual([]);
    expect(step.says[1]?.actions).toEqual([
      { callback: "escalateToAgent", data: { INQUIRY: "o of A & B {{topic}}" } },
    ]);
  });

  it("escape a value in a question, insert it once, and leave nothing for a missing one", () => {
    const age = field("age", { question: "{{ Name }}, how old are you{{nothing}}?" });
    const variables = new Map([["name", "<b>{{email}}</b>"]]);
    const step = answerForm(
      context(form({ fields: [EMAIL, age] }), { variables }),
      state(),
      typed("a@b.example"),
    );
    expect(textsOf(step)).toEqual(["&lt;b&gt;{{email}}&lt;/b&gt;, how old are you? (age)"]);
  });

  it("prefer an answer of a field to a variable of the same name", () => {
    const age = field("age", { question: "{{email}} it is. Your age?" });
    const variables = new Map([["email", "old@b.example"]]);
    const step = answerForm(
      context(form({ fields: [EMAIL, age] }), { variables }),
      state(),
      typed("new@b.example"),
    );
    expect(textsOf(step)).toEqual(["new@b.example it is. Your age? (age)"]);
  });
});
