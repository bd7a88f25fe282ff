import { isBlank } from "../../locales/plain-text.ts";
import { farewell } from "./advance.ts";
import { filledActions, flagged, polarQuestion, told } from "./lines.ts";
import type { FormContext, FormLine, FormStep, SubmissionOutcome } from "./step.ts";
import type { FormState } from "./types.ts";

/**
 * What becomes of a form when its webhook has answered, or has not: accepted, it ends; with fields
 * of this form named invalid, the reader is asked whether to fill them in again; in every other
 * case it ends with the flag that says why.
 */
export function afterSubmission(
  context: FormContext,
  state: FormState,
  outcome: SubmissionOutcome,
): FormStep {
  switch (outcome.kind) {
    case "accepted":
      return accepted(context, state, outcome);
    case "invalid-fields":
      return invalid(context, state, outcome);
    case "failed":
      return over([flagged("webhook-bad-request")]);
  }
}

function accepted(
  context: FormContext,
  state: FormState,
  outcome: Extract<SubmissionOutcome, { kind: "accepted" }>,
): FormStep {
  const variables = Object.fromEntries(
    Object.entries(outcome.variables).map(([name, value]) => [name.toLowerCase(), value] as const),
  );
  // What the webhook found out, such as the number of a ticket, can be told at once.
  const informed: FormContext = {
    ...context,
    variables: new Map([...context.variables, ...Object.entries(variables)]),
  };
  const line =
    spoken(outcome.message) ?? farewell(informed, state) ?? flagged("end-form", [], false);
  const actions = [...filledActions(informed, state), ...outcome.actions];
  return { ...over([{ ...line, actions }]), variables };
}

function invalid(
  { definition }: FormContext,
  state: FormState,
  outcome: Extract<SubmissionOutcome, { kind: "invalid-fields" }>,
): FormStep {
  const names = new Set(outcome.fields);
  const known = definition.fields.filter(({ name }) => names.has(name)).map(({ name }) => name);
  if (known.length < names.size || known.length === 0)
    return over([flagged("webhook-wrong-field")]);
  const message = spoken(outcome.message);
  const question = polarQuestion("form-retry");
  return {
    state: { ...state, step: "retry", errors: 0, failed: true, invalid: known },
    says: message === null ? [question] : [message, question],
    variables: {},
  };
}

/** An empty message makes clients drop the answer: it is as good as none. */
function spoken(message: string | null): FormLine | null {
  return message === null || isBlank(message) ? null : told(message);
}

function over(says: readonly FormLine[]): FormStep {
  return { state: null, says, variables: {} };
}
