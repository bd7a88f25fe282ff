import { advanceAfterField, askField, startForm, withValue, findFarewell } from "./advance.ts";
import {
  createErrorLine,
  createPolarLine,
  createQuestionLine,
  fillActions,
  createFlaggedLine,
  createTextLine,
} from "./lines.ts";
import { readValue } from "./read-value.ts";
import type {
  FormField,
  FormState,
  FormContext,
  FormInput,
  FormStep,
  FormLine,
  SubmissionOutcome,
} from "./types.ts";
import { isBlank } from "../../locales/plain-text.ts";

/** Begins a form at the first field that no variable prefills. The exports of this file are pure. */
export function beginForm(context: FormContext): FormStep {
  const state: FormState = {
    content: context.content,
    field: context.definition.fields[0]?.name ?? "",
    values: {},
    errors: 0,
    step: "asking",
    invalid: [],
    submissions: 0,
    begun: context.now,
  };
  return { ...startForm(context, state), variables: {} };
}

/**
 * Applies the reader's message to a form under way. Implements the table of docs/forms.md, which
 * has a row for each state and input.
 *
 * The form ends if a hot reload has removed the field.
 */
export function answerForm(context: FormContext, state: FormState, input: FormInput): FormStep {
  return answers[state.step](context, state, input);
}

type Answer = (context: FormContext, state: FormState, input: FormInput) => FormStep;

const answers: Readonly<Record<FormState["step"], Answer>> = {
  asking: (context, state, { text }) => {
    const field = fieldOf(context, state.field);
    if (field === null) return left;
    // The choices of a list come before the words for leaving: a choice may be called «Cancel».
    const value = field.type === "list" ? readValue(field, text, context) : null;
    if (value !== null) return accept(context, state, field, value);
    if (asksToLeave(context, text)) return left;
    return settle(context, state, field, text);
  },

  continue: (context, state, input) => {
    const field = fieldOf(context, state.field);
    if (field === null) return left;
    const polar = polarOf(context, input);
    if (polar === "no" || (polar === null && asksToLeave(context, input.text))) return left;
    if (polar === null) return settle(context, state, field, input.text);
    const asking: FormState = { ...state, step: "asking" };
    return { state: asking, says: [createQuestionLine(context, asking, field)], variables: {} };
  },

  retry: (context, state, input) => {
    const named = context.definition.fields.filter(({ name }) => state.invalid.includes(name));
    const [field, ...others] = named;
    if (field === undefined) return left;
    const polar = polarOf(context, input);
    if (polar === "no" || (polar === null && asksToLeave(context, input.text))) return left;
    const again: FormState = {
      ...named.reduce((kept, one) => withValue(kept, one, ""), state),
      step: "asking",
      errors: 0,
      invalid: others.map(({ name }) => name),
    };
    if (polar === "yes") return { ...askField(context, again, field), variables: {} };
    const value = others.length === 0 ? readCorrection(context, field, input.text) : null;
    if (value !== null) return accept(context, again, field, value);
    return { state, says: [createPolarLine("form-retry")], variables: {} };
  },
};

/** Ends a form that the reader cancelled, or whose field was removed from the content. */
const left: FormStep = {
  state: null,
  says: [createFlaggedLine("follow-up-question")],
  variables: {},
};

function settle(context: FormContext, state: FormState, field: FormField, text: string): FormStep {
  const value = readValue(field, text, context);
  return value === null ? refuse(context, state, field) : accept(context, state, field, value);
}

function accept(context: FormContext, state: FormState, field: FormField, value: string): FormStep {
  const variables = field.variable === null ? {} : { [field.variable]: value };
  return { ...advanceAfterField(context, withValue(state, field, value), field), variables };
}

function refuse(context: FormContext, before: FormState, field: FormField): FormStep {
  const state: FormState = { ...before, errors: before.errors + 1 };
  const error = createErrorLine(context, state, field);
  const { allowUserToAbandonForm, errorRetries } = context.limits;
  if (!allowUserToAbandonForm && state.errors < errorRetries) {
    const says = [error, createQuestionLine(context, state, field)];
    return { state: { ...state, step: "asking" }, says, variables: {} };
  }
  // The control is shown because a valid value counts as a yes, unless the choices are yes and no.
  const control = readsAsPolar(context, field) ? null : field;
  const says = [{ ...error, field: control }, createPolarLine("form-continue")];
  return { state: { ...state, step: "continue" }, says, variables: {} };
}

function fieldOf({ definition }: FormContext, name: string): FormField | null {
  return definition.fields.find((field) => field.name === name) ?? null;
}

function asksToLeave({ limits, cancelOf, language }: FormContext, text: string): boolean {
  return limits.allowUserToAbandonForm && cancelOf(text, language);
}

function polarOf({ polarOf, language }: FormContext, input: FormInput): "yes" | "no" | null {
  return input.polar ?? polarOf(input.text, language);
}

function readsAsPolar({ polarOf, language }: FormContext, field: FormField): boolean {
  return field.values.some(
    ({ label, value }) => polarOf(label, language) !== null || polarOf(value, language) !== null,
  );
}

/** Reads a value typed instead of a yes. A field for free text has none: anything would be one. */
function readCorrection(context: FormContext, field: FormField, text: string): string | null {
  if (field.type === "text" && field.pattern === null) return null;
  const value = readValue(field, text, context);
  return value === "" ? null : value;
}

/**
 * Applies the outcome of a submission. The form ends if the webhook accepted it. If the webhook
 * names fields of this form as invalid, the reader is asked whether to fill them in again. In all
 * other cases the form ends with the flag of the reason.
 */
export function advanceAfterSubmission(
  context: FormContext,
  state: FormState,
  outcome: SubmissionOutcome,
): FormStep {
  switch (outcome.kind) {
    case "accepted":
      return acceptSubmission(context, state, outcome);
    case "invalid-fields":
      return refuseSubmission(context, state, outcome);
    case "failed":
      return endForm([createFlaggedLine("webhook-bad-request")]);
  }
}

function acceptSubmission(
  context: FormContext,
  state: FormState,
  outcome: Extract<SubmissionOutcome, { kind: "accepted" }>,
): FormStep {
  const variables = Object.fromEntries(
    Object.entries(outcome.variables).map(([name, value]) => [name.toLowerCase(), value] as const),
  );
  // The closing text may use variables that the webhook has just set, such as a ticket's number.
  const informed: FormContext = {
    ...context,
    variables: new Map([...context.variables, ...Object.entries(variables)]),
  };
  if (context.definition.webhook === null) {
    const last = createFlaggedLine("end-form", fillActions(informed, state));
    const text = findFarewell(informed, state);
    return { ...endForm(text === null ? [last] : [text, last]), variables };
  }
  const line =
    toSpokenLine(outcome.message) ?? findFarewell(informed, state) ?? createFlaggedLine("end-form");
  const actions = [...fillActions(informed, state), ...outcome.actions];
  return { ...endForm([{ ...line, actions }]), variables };
}

function refuseSubmission(
  { definition }: FormContext,
  state: FormState,
  outcome: Extract<SubmissionOutcome, { kind: "invalid-fields" }>,
): FormStep {
  const names = new Set(outcome.fields);
  const known = definition.fields.filter(({ name }) => names.has(name)).map(({ name }) => name);
  if (known.length < names.size || known.length === 0)
    return endForm([createFlaggedLine("webhook-wrong-field")]);
  const message = toSpokenLine(outcome.message);
  const question = createPolarLine("form-retry");
  return {
    state: { ...state, step: "retry", errors: 0, invalid: known },
    says: message === null ? [question] : [message, question],
    variables: {},
  };
}

/** An empty message counts as none, because clients drop such an answer. */
function toSpokenLine(message: string | null): FormLine | null {
  return message === null || isBlank(message) ? null : createTextLine(message);
}

function endForm(says: readonly FormLine[]): FormStep {
  return { state: null, says, variables: {} };
}
