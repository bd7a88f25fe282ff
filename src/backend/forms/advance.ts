import {
  answersOf,
  fillActions,
  fillText,
  createFlaggedLine,
  createQuestionLine,
  createTextLine,
} from "./lines.ts";
import { readValue } from "./read-value.ts";
import type { FormField, FormState, FormContext, FormLine, FormStep } from "./types.ts";

/** A step that changes no variables. */
export type FormAdvance = Omit<FormStep, "variables">;

/** Asks the first field that still needs a value, or finishes the form. */
export function startForm(context: FormContext, state: FormState): FormAdvance {
  return advance(context, state, context.definition.fields);
}

/** Goes to the next field; after a refusal only to the fields that the webhook named. */
export function advanceAfterField(
  context: FormContext,
  state: FormState,
  field: FormField,
): FormAdvance {
  const { fields } = context.definition;
  if (state.submissions === 0) {
    return advance(context, state, fields.slice(fields.indexOf(field) + 1));
  }
  const [name, ...invalid] = state.invalid;
  const again = fields.find((one) => one.name === name);
  return again === undefined
    ? finish(context, state)
    : askField(context, { ...state, invalid }, again);
}

/** Asks one field, from its first attempt on. */
export function askField(context: FormContext, state: FormState, field: FormField): FormAdvance {
  const asking: FormState = { ...state, field: field.name, step: "asking", errors: 0 };
  return { state: asking, says: [createQuestionLine(context, asking, field)] };
}

/** Returns the state with a field's value, or without it if the field was skipped. */
export function withValue(state: FormState, field: FormField, value: string): FormState {
  const others = Object.entries(state.values).filter(([name]) => name !== field.name);
  const entry = value === "" ? [] : [[field.name, value] as const];
  return { ...state, values: Object.fromEntries([...others, ...entry]) };
}

/** Finds the last line of a form, also said when its webhook accepts without a message. */
export function findFarewell(context: FormContext, state: FormState): FormLine | null {
  const { finished } = context.definition;
  return finished === null ? null : createTextLine(fillText(context, state, finished));
}

function advance(
  context: FormContext,
  before: FormState,
  fields: readonly FormField[],
): FormAdvance {
  let state = before;
  for (const field of fields) {
    const known = findPrefilled(context, field);
    if (known === null) return askField(context, state, field);
    state = withValue(state, field, known);
  }
  return finish(context, state);
}

/** Finds a valid value for a field among the conversation's variables, or null. */
function findPrefilled(context: FormContext, field: FormField): string | null {
  if (!field.prefill || field.variable === null) return null;
  const value = readValue(field, context.variables.get(field.variable) ?? "", context);
  return value === "" ? null : value;
}

function finish(context: FormContext, state: FormState): FormAdvance {
  const { definition, content, title, language } = context;
  const { webhook, ticket, name: form } = definition;
  if (webhook === null && !ticket) {
    const last = createFlaggedLine("end-form", fillActions(context, state));
    const text = findFarewell(context, state);
    return { state: null, says: text === null ? [last] : [text, last] };
  }
  const { values, begun } = state;
  const attempt = state.submissions + 1;
  const fields = definition.fields.map((field) => field.name);
  const answers = answersOf(context, state);
  return {
    state: { ...state, step: "asking", errors: 0, invalid: [], submissions: attempt },
    says: [],
    submit: {
      webhook,
      form,
      content,
      title,
      language,
      values,
      answers,
      fields,
      attempt,
      begun,
    },
  };
}
