import fc from "fast-check";
import { expect, it } from "vitest";
import {
  advanceAfterSubmission,
  answerForm,
  beginForm,
} from "../../../src/backend/forms/machine.ts";
import type {
  FormDefinition,
  FormState,
  FormContext,
  FormInput,
  FormStep,
  SubmissionOutcome,
} from "../../../src/backend/forms/types.ts";
import { isBlank } from "../../../src/locales/plain-text.ts";
import { AGE, EMAIL, WEBHOOK, context, field, form } from "./form-states.ts";
import { anyText, runs } from "../../fixtures/runs.ts";

const FIELDS = [
  { ...EMAIL, variable: "mail", prefill: true },
  AGE,
  field("name", { required: false, errorMessage: "Not so, {{mail}}." }),
  field("code", { pattern: "[A-Z]{2}" }),
  field("day", { type: "date", required: false, max: "today" }),
  field("agree", {
    type: "list",
    values: [
      { label: "Yes", value: "y" },
      { label: "Cancel", value: "n" },
    ],
  }),
];

const contexts: fc.Arbitrary<FormContext> = fc
  .record({
    fields: fc.subarray(FIELDS, { minLength: 1 }),
    webhook: fc.constantFrom(null, WEBHOOK),
    finished: fc.constantFrom(null, "Done {{email}}."),
    leave: fc.boolean(),
    errorRetries: fc.integer({ min: -1, max: 4 }),
    mail: fc.constantFrom("", "a@b.example", "nobody", "<i>{{email}}</i>"),
  })
  .map(({ fields, webhook, finished, leave, errorRetries, mail }) =>
    context(form({ fields, webhook, finished }), {
      limits: { allowUserToAbandonForm: leave, errorRetries },
      variables: new Map([["mail", mail]]),
    }),
  );

const inputs: fc.Arbitrary<FormInput> = fc.record({
  text: fc.oneof(
    fc.constantFrom("yes", "no", "cancel", "", "-", "a@b.example", "42", "3", "AB", "21/11/2026"),
    fc.constantFrom("y", "Cancel", "{{email}}", "__proto__", "\u0000", "2"),
    anyText(),
  ),
  polar: fc.constantFrom(null, null, null, "yes", "no"),
});

const outcomes: fc.Arbitrary<SubmissionOutcome> = fc.oneof(
  fc.record({
    kind: fc.constant("accepted"),
    message: fc.constantFrom(null, "", " ", "Thanks"),
    variables: fc.constantFrom({}, { Mail: "x@y.example" }),
    actions: fc.constantFrom([], [{ callback: "escalateToAgent", data: {} }]),
  }),
  fc.record({
    kind: fc.constant("invalid-fields"),
    fields: fc.array(fc.constantFrom("email", "age", "name", "code", "street", "__proto__")),
    message: fc.constantFrom(null, "", "Not so."),
  }),
  fc.record({
    kind: fc.constant("failed"),
    reason: fc.constantFrom("timeout", "status"),
    detail: fc.constant(""),
  }),
);

it("no sequence of messages and answers loses a form, silences it, or leaves no way out", () => {
  fc.assert(
    fc.property(
      contexts,
      fc.array(inputs, { maxLength: 25 }),
      fc.array(outcomes),
      (at, entries, back) => {
        const answers = [...back];
        let step = settled(at, beginForm(at), answers);
        for (const input of entries) {
          if (step.state === null) return;
          // A session is kept as JSON between two turns.
          const kept: FormState = JSON.parse(JSON.stringify(step.state));
          step = settled(at, answerForm(at, kept, input), answers);
        }
        if (step.state !== null) expect(wayOut(at, step.state)).toBe(true);
      },
    ),
    { numRuns: runs(500) },
  );
});

/** The step after its submissions, each checked. */
function settled(at: FormContext, first: FormStep, answers: SubmissionOutcome[]): FormStep {
  let step = first;
  check(at, step);
  while (step.submit !== undefined && step.state !== null) {
    const outcome = answers.shift() ?? { kind: "failed", reason: "timeout", detail: "" };
    step = advanceAfterSubmission(at, step.state, outcome);
    check(at, step);
  }
  return step;
}

function check(at: FormContext, step: FormStep): void {
  const { state, says, submit } = step;
  expect(says.length > 0).toBe(submit === undefined);
  for (const { flag, text } of says)
    expect(text === null ? flag !== null : !isBlank(text)).toBe(true);
  if (says.some(({ flag }) => flag === "follow-up-question")) expect(state).toBeNull();
  expect(says.slice(0, -1).every(({ polar }) => !polar)).toBe(true);
  if (submit !== undefined) expectValues(at.definition, submit.values);
  if (state === null) return;
  const names = at.definition.fields.map(({ name }) => name);
  expect(names).toContain(state.field);
  expect(names).toEqual(expect.arrayContaining([...state.invalid]));
  // The reader is asked after every mistake, since a form ends by itself only when it is finished.
  if (submit === undefined) {
    const last = says.at(-1);
    const asks = { asking: state.field, continue: "form-continue", retry: "form-retry" };
    expect(last?.polar === true ? last.flag : last?.field?.name).toBe(asks[state.step]);
  }
  const { allowUserToAbandonForm, errorRetries } = at.limits;
  if (state.step === "continue")
    expect(allowUserToAbandonForm || state.errors >= errorRetries).toBe(true);
  if (state.step === "retry") expect(state.invalid.length).toBeGreaterThan(0);
}

function expectValues(definition: FormDefinition, values: Readonly<Record<string, string>>): void {
  for (const { name, required } of definition.fields) {
    if (required) expect(Object.hasOwn(values, name)).toBe(true);
  }
  expect(Object.values(values).every((value) => !isBlank(value))).toBe(true);
}

/** A reader who only sends invalid values, or no, leaves the form after a few turns. */
function wayOut(at: FormContext, from: FormState): boolean {
  const patient = { ...at, definition: withoutFreeText(at.definition) };
  let state: FormState | null = from;
  for (let turn = 0; turn < 12 && state !== null; turn++) {
    const text: string = state.step === "asking" ? "\u0000???" : "no";
    state = answerForm(patient, state, { text, polar: null }).state;
  }
  return state === null;
}

/** A free text takes anything as a value: here it wants something that nobody types. */
function withoutFreeText(definition: FormDefinition): FormDefinition {
  const fields = definition.fields.map((one) =>
    one.type === "text" ? { ...one, pattern: "never" } : one,
  );
  return { ...definition, fields };
}
