import type { ContentItem } from "../content/types.ts";
import { advanceAfterSubmission, beginForm } from "../forms/machine.ts";
import type { FormDefinition, FormContext, FormLine, FormStep, FormField } from "../forms/types.ts";
import type { Session } from "../storage/types.ts";
import { createPolarAnswer, createAnswer, toActions } from "./answer.ts";
import type { BotAnswer } from "./answer.ts";
import { contentOf, type TurnContext, type BotTurn } from "./turn-context.ts";
import { readChoice } from "../forms/read-value.ts";
import { isSystemVariable, variablesOf } from "./system-variables.ts";

/** Begins the form of a content that was just shown by `turn`. */
export async function startForm(
  context: TurnContext,
  item: ContentItem,
  form: FormDefinition,
  turn: BotTurn,
): Promise<BotTurn> {
  const step = beginForm(formContext(context, item.id, form));
  const outcome = await takeStep({ ...context, session: turn.session }, item.id, form, step);
  const answers = outcome.lines.map((line) => toAnswer(context, line));
  return { ...turn, answers: [...turn.answers, ...answers], session: outcome.session };
}

/** The result of a step, its submission included. */
export interface FormOutcome {
  readonly lines: readonly FormLine[];
  readonly session: Session;
}

/** Takes a step of a form: stores its variables and state, and submits the form when it is due. */
export async function takeStep(
  context: TurnContext,
  content: number,
  form: FormDefinition,
  step: FormStep,
): Promise<FormOutcome> {
  const session: Session = {
    ...withFormVariables(context.session, step.variables),
    open: step.state === null ? null : { kind: "form", form: step.state },
  };
  if (step.submit === undefined || step.state === null) return { lines: step.says, session };
  const outcome = await context.submit(step.submit, session.id);
  const next = { ...context, session };
  const after = advanceAfterSubmission(formContext(next, content, form), step.state, outcome);
  const last = await takeStep(next, content, form, after);
  return { lines: [...step.says, ...last.lines], session: last.session };
}

/** Creates the context that the state machine of a form depends on. */
export function formContext(
  context: TurnContext,
  content: number,
  definition: FormDefinition,
): FormContext {
  const { session, audience, recognition } = context;
  return {
    definition,
    content,
    title: contentOf(context, content)?.title ?? definition.name,
    variables: variablesOf(session),
    limits: session.settings.forms,
    language: session.language,
    polarOf: recognition.polarOf,
    cancelOf: recognition.isCancel,
    now: audience.now,
  };
}

/** Turns a form's line into an answer: a question has an action field, a yes/no question has options. */
export function toAnswer({ texts }: TurnContext, line: FormLine): BotAnswer {
  const text = line.text ?? texts[line.flag];
  const flags = line.flag === null ? [] : [line.flag];
  return {
    ...(line.polar ? createPolarAnswer(text, flags) : { ...createAnswer([text]), flags }),
    actionField: line.field === null ? null : actionFieldOf(line.field),
    ...(line.actions.length > 0 && { actions: toActions(line.actions) }),
  };
}

function withFormVariables(session: Session, set: Readonly<Record<string, string>>): Session {
  const own = Object.entries(set).filter(([name]) => !isSystemVariable(name));
  return own.length === 0
    ? session
    : { ...session, variables: [...new Map([...session.variables, ...own])] };
}

/** The control that a front end should show: `actionField` of an answer. */
interface ActionField {
  readonly fieldType: "list" | "datePicker" | "default";
  /** Always false: typed answers are understood too, and a reader must be able to leave. */
  readonly disableInput: boolean;
  readonly actionFieldId: string;
  readonly variableName: string;
  readonly listValues?: {
    readonly displayType: "buttons" | "dropdown";
    /** The reply is an ordinary message that holds `option`. */
    readonly values: readonly { readonly label: readonly [string]; readonly option: string }[];
  };
}

/** Turns a field into its form on the wire. */
export function actionFieldOf(field: FormField): ActionField {
  const common = {
    disableInput: false,
    actionFieldId: field.name,
    variableName: field.variable ?? field.name,
  };
  if (field.type === "date") return { fieldType: "datePicker", ...common };
  if (field.type !== "list") return { fieldType: "default", ...common };
  // Voice clients read `option` aloud, so it is the label, unless that would choose another value.
  const values = field.values.map(({ label, value }) => ({
    label: [label] as const,
    option: readChoice(label, field.values) === value ? label : value,
  }));
  return { fieldType: "list", ...common, listValues: { displayType: field.display, values } };
}
