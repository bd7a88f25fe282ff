import type { Flag } from "../../direct-answers/flags.ts";
import { fillData, fillMarkup } from "./slots.ts";
import type { ValueOf } from "./slots.ts";
import { textOfHtml } from "../../locales/html-text.ts";
import type {
  FormAnswer,
  ContentAction,
  FormField,
  FormState,
  FormContext,
  FormLine,
} from "./types.ts";

/** The engine's own text for a flag. */
export function createFlaggedLine(flag: Flag, actions: readonly ContentAction[] = []): FormLine {
  return { flag, text: null, field: null, polar: false, actions };
}

/** A yes/no question in the engine's own words. */
export function createPolarLine(flag: "form-continue" | "form-retry"): FormLine {
  return { ...createFlaggedLine(flag), polar: true };
}

/** A text of the bot master's or the webhook's, whose slots are filled. */
export function createTextLine(text: string, actions: readonly ContentAction[] = []): FormLine {
  return { flag: null, text, field: null, polar: false, actions };
}

/** The field's question, with its control. */
export function createQuestionLine(
  context: FormContext,
  state: FormState,
  field: FormField,
): FormLine {
  return {
    ...createTextLine(fillMarkup(field.question, createShownValues(context, state))),
    field,
  };
}

/** Says that a value is invalid. */
export function createErrorLine(
  context: FormContext,
  state: FormState,
  field: FormField,
): FormLine {
  return field.errorMessage === null
    ? createFlaggedLine("generic-error-message")
    : createTextLine(fillMarkup(field.errorMessage, createShownValues(context, state)));
}

/** Fills a text's slots with the form's values (choices by label), or else with variables. */
export function fillText(context: FormContext, state: FormState, text: string): string {
  return fillMarkup(text, createShownValues(context, state));
}

/** The form's actions with the values in their data. */
export function fillActions(context: FormContext, state: FormState): readonly ContentAction[] {
  const valueOf = lookUp(context, state, (_, value) => value);
  return context.definition.actions.map(({ callback, data }) => ({
    callback,
    data: Object.fromEntries(
      Object.entries(data).map(([name, text]) => [name, fillData(text, valueOf)] as const),
    ),
  }));
}

/** The filled-in fields with their questions, as plain text. */
export function answersOf(context: FormContext, state: FormState): readonly FormAnswer[] {
  const valueOf = createShownValues(context, state);
  return context.definition.fields.flatMap((field) => {
    if (!Object.hasOwn(state.values, field.name)) return [];
    const question = textOfHtml(fillMarkup(field.question, valueOf));
    return [{ field, question, value: valueOf(field.name) ?? "" }];
  });
}

function createShownValues(context: FormContext, state: FormState): ValueOf {
  return lookUp(context, state, (field, value) =>
    field.type === "date"
      ? toSpokenDate(value, context.language)
      : (field.values.find((choice) => choice.value === value)?.label ?? value),
  );
}

/** Formats a day as readers of a language write it: `8 December 2026`. */
function toSpokenDate(iso: string, language: string): string {
  const day = Date.parse(`${iso}T00:00Z`);
  return Number.isNaN(day) ? iso : createDateFormat(language).format(day);
}

/** Uses `en-GB` for English, because `readDate` expects the day before the month. */
function createDateFormat(language: string): Intl.DateTimeFormat {
  const options = { dateStyle: "long", timeZone: "UTC" } as const;
  try {
    return new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, options);
  } catch {
    return new Intl.DateTimeFormat("en-GB", options);
  }
}

function lookUp(
  { definition, variables }: FormContext,
  { values }: FormState,
  spell: (field: FormField, value: string) => string,
): ValueOf {
  return (name) => {
    const key = name.toLowerCase();
    const field = definition.fields.find((one) => one.name.toLowerCase() === key);
    if (field === undefined) return variables.get(key) ?? null;
    const value = Object.hasOwn(values, field.name) ? values[field.name] : undefined;
    return value === undefined ? (variables.get(key) ?? null) : spell(field, value);
  };
}
