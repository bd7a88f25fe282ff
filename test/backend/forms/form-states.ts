import type {
  FormDefinition,
  FormField,
  FormState,
  FormWebhook,
  FormContext,
  FormInput,
  FormLine,
  FormStep,
} from "../../../src/backend/forms/types.ts";

/** A noon on which tests take place: 21 November 2026. */
export const NOON: number = Date.UTC(2026, 10, 21, 12);

export function field(name: string, changes: Partial<FormField> = {}): FormField {
  return {
    name,
    type: "text",
    question: `${name}?`,
    required: true,
    errorMessage: null,
    variable: null,
    prefill: false,
    pattern: null,
    min: null,
    max: null,
    values: [],
    display: "buttons",
    ...changes,
  };
}

export const EMAIL: FormField = field("email", { type: "email" });
export const AGE: FormField = field("age", { type: "number", min: 18 });
export const WEBHOOK: FormWebhook = {
  url: "https://hooks.example.com/contact",
  timeout: 1000,
  secret: null,
  headers: {},
};

export function form(changes: Partial<FormDefinition> = {}): FormDefinition {
  return {
    name: "contact",
    fields: [EMAIL, AGE],
    webhook: null,
    ticket: false,
    finished: null,
    actions: [],
    ...changes,
  };
}

/** English words, two errors at most. */
export function context(
  definition: FormDefinition = form(),
  changes: Partial<FormContext> = {},
): FormContext {
  return {
    definition,
    content: 7,
    title: "Contact",
    variables: new Map(),
    limits: { allowUserToAbandonForm: true, errorRetries: 2 },
    language: "en",
    polarOf: (text) => {
      const word = text.trim().toLowerCase();
      return word === "yes" || word === "no" ? word : null;
    },
    cancelOf: (text) => text.trim().toLowerCase() === "cancel",
    now: NOON,
    ...changes,
  };
}

export const FIRM: Partial<FormContext> = {
  limits: { allowUserToAbandonForm: false, errorRetries: 2 },
};

export function state(changes: Partial<FormState> = {}): FormState {
  return {
    content: 7,
    field: "email",
    values: {},
    errors: 0,
    step: "asking",
    invalid: [],
    submissions: 0,
    begun: NOON,
    ...changes,
  };
}

export function typed(text: string): FormInput {
  return { text, polar: null };
}

export function chose(polar: "yes" | "no"): FormInput {
  return { text: "", polar };
}

/**
 * The lines in short: `flag` or text, `words of …` without the flag, `(field)` for a control, `?`
 * for a yes/no question.
 */
export function textsOf(step: FormStep): readonly string[] {
  return step.says.map((line: FormLine) => {
    const words = line.text ?? line.flag;
    return `${words}${line.field === null ? "" : ` (${line.field.name})`}${line.polar ? " ?" : ""}`;
  });
}
