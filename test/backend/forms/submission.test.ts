import { describe, expect, it } from "vitest";
import { advanceAfterSubmission, answerForm } from "../../../src/backend/forms/machine.ts";
import type { FormStep, SubmissionOutcome } from "../../../src/backend/forms/types.ts";
import { AGE, EMAIL, FIRM, WEBHOOK, chose, context, field, form } from "./form-states.ts";
import { textsOf, state, typed } from "./form-states.ts";

const hooked = form({ webhook: WEBHOOK, finished: "Thank you, {{email}}: {{ticket}}" });
const values = { email: "a@b.example", age: "42" };
const submitted = state({ field: "age", values, submissions: 1 });

function after(outcome: SubmissionOutcome, definition = hooked): FormStep {
  return advanceAfterSubmission(context(definition), submitted, outcome);
}

function accepted(changes: Partial<Extract<SubmissionOutcome, { kind: "accepted" }>> = {}) {
  return { kind: "accepted", message: null, variables: {}, actions: [], ...changes } as const;
}

function refused(fields: readonly string[], message: string | null = null): SubmissionOutcome {
  return { kind: "invalid-fields", fields, message };
}

describe("the webhook", () => {
  it("accepts with a message: the message, and the form is over", () => {
    const step = after(accepted({ message: "<b>Ticket 5</b>" }));
    expect(textsOf(step)).toEqual(["<b>Ticket 5</b>"]);
    expect(step.state).toBeNull();
  });

  it("accepts without a message: the bot master's last words, with what the webhook found out", () => {
    const step = after(accepted({ variables: { Ticket: "T-5" } }));
    expect(textsOf(step)).toEqual(["Thank you, a@b.example: T-5"]);
    expect(step.variables).toEqual({ ticket: "T-5" });
  });

  it("accepts with a blank message: the bot master's last words", () => {
    expect(textsOf(after(accepted({ message: " \n" })))).toEqual(["Thank you, a@b.example: "]);
  });

  it("accepts, and neither it nor the bot master has a message: end-form", () => {
    expect(textsOf(after(accepted(), form({ webhook: WEBHOOK })))).toEqual(["end-form"]);
  });

  it("accepts: the form's actions with the values, then the webhook's", () => {
    const own = [{ callback: "createTicket", data: { EMAIL_ADDRESS: "{{email}}" } }];
    const further = [{ callback: "customTrigger", data: { x: "{{email}}" } }];
    const step = after(accepted({ actions: further }), { ...hooked, actions: own });
    expect(step.says[0]?.actions).toEqual([
      { callback: "createTicket", data: { EMAIL_ADDRESS: "a@b.example" } },
      { callback: "customTrigger", data: { x: "{{email}}" } },
    ]);
  });

  it("names invalid fields of this form: form-retry, in the form's order, once each", () => {
    const step = after(refused(["age", "email", "age"]));
    expect(textsOf(step)).toEqual(["form-retry ?"]);
    expect(step.state).toEqual({
      ...submitted,
      step: "retry",
      invalid: ["email", "age"],
    });
  });

  it("names invalid fields and says why: its message, then form-retry", () => {
    const step = after(refused(["email"], "We know no such address."));
    expect(textsOf(step)).toEqual(["We know no such address.", "form-retry ?"]);
  });

  it.each([[["street"]], [["email", "street"]], [["EMAIL"]], [["__proto__"]], [[]]])(
    "names %j, which this form does not have: webhook-wrong-field, and the form is over",
    (fields) => {
      const step = after(refused(fields));
      expect(textsOf(step)).toEqual(["webhook-wrong-field"]);
      expect(step.state).toBeNull();
    },
  );

  it("fails: webhook-bad-request, and the form is over", () => {
    const step = after({ kind: "failed", reason: "timeout", detail: "" });
    expect(textsOf(step)).toEqual(["webhook-bad-request"]);
    expect(step.state).toBeNull();
  });
});

describe("asked whether to try again, the reader says", () => {
  const one = { ...submitted, step: "retry", invalid: ["email"] } as const;
  const both = { ...one, invalid: ["email", "age"] } as const;

  it.each([typed("yes"), chose("yes")])("yes: the first named field is asked", (input) => {
    const step = answerForm(context(hooked), both, input);
    expect(textsOf(step)).toEqual(["email? (email)"]);
    expect(step.state).toEqual(state({ submissions: 1, invalid: ["age"] }));
  });

  it("yes: the values of the other fields are kept", () => {
    const step = answerForm(context(hooked), one, typed("yes"));
    expect(step.state?.values).toEqual({ age: "42" });
  });

  it.each([typed("no"), chose("no"), typed("cancel")])(
    "no, or a cancel word: follow-up-question, and the form is over",
    (input) => {
      const step = answerForm(context(hooked), both, input);
      expect(textsOf(step)).toEqual(["follow-up-question"]);
      expect(step.state).toBeNull();
    },
  );

  it("no, where leaving is not allowed: the form is over all the same, for it was asked", () => {
    expect(answerForm(context(hooked, FIRM), both, typed("no")).state).toBeNull();
  });

  it("a valid value, when one field is named: it is taken and submitted", () => {
    const step = answerForm(context(hooked), one, typed("c@d.example"));
    expect(step.submit).toMatchObject({
      values: { age: "42", email: "c@d.example" },
      attempt: 2,
    });
  });

  it("a valid value, when several fields are named: the question is asked again", () => {
    const step = answerForm(context(hooked), both, typed("c@d.example"));
    expect(textsOf(step)).toEqual(["form-retry ?"]);
    expect(step.state).toEqual(both);
  });

  it("free text, when a text field is named: the question again, for any text would be a value", () => {
    const definition = { ...hooked, fields: [field("name"), AGE] };
    const named = { ...submitted, step: "retry", invalid: ["name"] } as const;
    expect(textsOf(answerForm(context(definition), named, typed("what?")))).toEqual([
      "form-retry ?",
    ]);
  });

  it("nothing clear, however often: the question again, for the reader has not cancelled the form", () => {
    let step = answerForm(context(hooked), both, typed("hm"));
    for (let turn = 0; turn < 5; turn++) {
      expect(textsOf(step)).toEqual(["form-retry ?"]);
      step = answerForm(context(hooked), step.state ?? both, typed("hm"));
    }
  });

  it("anything, when the named fields are gone from the content: the form is over without a flag", () => {
    const gone = { ...one, invalid: ["street"] };
    const step = answerForm(context(hooked), gone, typed("yes"));
    expect(textsOf(step)).toEqual(["follow-up-question"]);
    expect(step.state).toBeNull();
  });
});

describe("a further round", () => {
  const round = state({ submissions: 1, values: {}, invalid: ["age"] });

  it("asks the named fields one after the other, and then submits again", () => {
    const first = answerForm(context(hooked), round, typed("c@d.example"));
    expect(textsOf(first)).toEqual(["age? (age)"]);
    expect(first.state).toMatchObject({ field: "age", invalid: [] });
    const second = answerForm(context(hooked), first.state ?? round, typed("19"));
    expect(second.says).toEqual([]);
    expect(second.submit).toMatchObject({
      values: { email: "c@d.example", age: "19" },
      attempt: 2,
    });
    expect(second.state).toMatchObject({ submissions: 2, invalid: [] });
  });

  it("asks a prefilled field too, since its value was refused", () => {
    const known = { ...EMAIL, variable: "mail", prefill: true };
    const definition = { ...hooked, fields: [known, AGE] };
    const named = { ...submitted, step: "retry", invalid: ["email"] } as const;
    const variables = new Map([["mail", "a@b.example"]]);
    const step = answerForm(context(definition, { variables }), named, typed("yes"));
    expect(textsOf(step)).toEqual(["email? (email)"]);
  });

  it("takes errors as the first round does", () => {
    const step = answerForm(context(hooked), round, typed("nobody"));
    expect(textsOf(step)).toEqual(["generic-error-message (email)", "form-continue ?"]);
    expect(step.state).toMatchObject({ step: "continue", invalid: ["age"], submissions: 1 });
  });
});
