import { describe, expect, it } from "vitest";
import { answerForm } from "../../../src/backend/forms/machine.ts";
import {
  AGE,
  EMAIL,
  FIRM,
  chose,
  context,
  field,
  form,
  textsOf,
  state,
  typed,
} from "./form-states.ts";

const waiting = state({ step: "continue", errors: 1 });

describe("asked whether to go on with the form, the reader says", () => {
  it.each([typed("yes"), chose("yes")])("yes: the field is asked again", (input) => {
    const step = answerForm(context(), waiting, input);
    expect(textsOf(step)).toEqual(["email? (email)"]);
    expect(step.state).toEqual(state({ errors: 1 }));
  });

  it.each([typed("no"), chose("no"), typed("cancel")])(
    "no, or a cancel word: follow-up-question, and the form is over",
    (input) => {
      const step = answerForm(context(), waiting, input);
      expect(textsOf(step)).toEqual(["follow-up-question"]);
      expect(step.state).toBeNull();
    },
  );

  it("a valid value: it is taken, and the next field is asked", () => {
    const step = answerForm(context(), waiting, typed("anna@example.com"));
    expect(textsOf(step)).toEqual(["age? (age)"]);
    expect(step.state).toEqual(state({ field: "age", values: { email: "anna@example.com" } }));
  });

  it("an invalid value: one more error", () => {
    const step = answerForm(context(), waiting, typed("nobody"));
    expect(textsOf(step)).toEqual(["generic-error-message (email)", "form-continue ?"]);
    expect(step.state).toEqual({ ...waiting, errors: 2 });
  });

  it("an invalid value, however many there were before: form-continue again, for nobody has cancelled the form", () => {
    const step = answerForm(context(), { ...waiting, errors: 9 }, typed("nobody"));
    expect(textsOf(step)).toEqual(["generic-error-message (email)", "form-continue ?"]);
  });

  it("yes and then another invalid value: both errors count", () => {
    const yes = answerForm(context(), waiting, typed("yes"));
    const step = answerForm(context(), yes.state ?? state(), typed("nobody"));
    expect(step.state?.errors).toBe(2);
  });

  it("nothing, for an optional field: it is skipped", () => {
    const definition = form({ fields: [{ ...EMAIL, required: false }, AGE] });
    const step = answerForm(context(definition), waiting, typed(""));
    expect(textsOf(step)).toEqual(["age? (age)"]);
  });

  it("anything, when the field is gone from the content: the form is over without a flag", () => {
    const step = answerForm(context(), { ...waiting, field: "street" }, typed("yes"));
    expect(textsOf(step)).toEqual(["follow-up-question"]);
    expect(step.state).toBeNull();
  });

  it("a cancel word where leaving is no longer allowed: an invalid value", () => {
    const limits = { ...FIRM.limits, allowUserToAbandonForm: false, errorRetries: 3 };
    const step = answerForm(context(form(), { limits }), waiting, typed("cancel"));
    expect(textsOf(step)).toEqual(["generic-error-message", "email? (email)"]);
  });
});

it("a list whose choices are a yes and a no shows no control beside the yes/no question", () => {
  const values = [
    { label: "Yes", value: "y" },
    { label: "No", value: "n" },
  ];
  const agree = field("agree", { type: "list", values });
  const step = answerForm(
    context(form({ fields: [agree] })),
    state({ field: "agree" }),
    typed("maybe"),
  );
  expect(textsOf(step)).toEqual(["generic-error-message", "form-continue ?"]);
});
