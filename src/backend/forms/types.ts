import type { OutputOf } from "../../api/call/fields.ts";
import type { Flag } from "../../direct-answers/flags.ts";
import type { formState } from "../storage/types.ts";
import type { actionSchema, fieldSchema, formSchema, webhookSchema } from "./schema.ts";

/** A bot master's form: questions asked one by one, and the use of their values. */
export type FormDefinition = OutputOf<typeof formSchema>;
export type FormField = OutputOf<typeof fieldSchema>;
export type FieldType = FormField["type"];
export type FieldValue = FormField["values"][number];
export type FormWebhook = OutputOf<typeof webhookSchema>;
/** A call of the front end; `data` maps names to texts that may contain `{{variable}}`. */
export type ContentAction = OutputOf<typeof actionSchema>;
/** The part of a session that belongs to a form under way, as plain JSON. */
export type FormState = OutputOf<typeof formState>;

/** The inputs of a form's step, apart from its state and the reader's message. */
export interface FormContext {
  readonly definition: FormDefinition;
  /** Id of the content whose form it is. */
  readonly content: number;
  /** Title of that content. */
  readonly title: string;
  /** The conversation's variables by lower-case name. */
  readonly variables: ReadonlyMap<string, string>;
  readonly limits: FormLimits;
  /** The conversation's language, a tag such as `de` or `en-us`. */
  readonly language: string;
  /** Whether a message is a yes or a no in a language; null for neither. */
  readonly polarOf: (text: string, language: string) => "yes" | "no" | null;
  /** True for a message that asks to leave, such as «cancel». */
  readonly cancelOf: (text: string, language: string) => boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

interface FormLimits {
  /** False if words such as «cancel» are values; only `errorRetries` asks whether to go on. */
  readonly allowUserToAbandonForm: boolean;
  /** Invalid values in a row for one field until asking whether to go on; below 1 counts as 1. */
  readonly errorRetries: number;
}

/** The reader's act: a typed message, or an option of the yes/no question. */
export interface FormInput {
  readonly text: string;
  /** The chosen option, or null for a typed message. */
  readonly polar: "yes" | "no" | null;
}

/** One thing to say: a text, or the engine's own words for a direct answer. */
export type FormLine = FormLineParts &
  (
    | {
        readonly flag: null;
        /** HTML. Never blank. */
        readonly text: string;
      }
    | {
        readonly flag: Flag;
        readonly text: null;
      }
  );

interface FormLineParts {
  /** The field whose control is shown (`actionFieldOf`), or null. */
  readonly field: FormField | null;
  /** True for a yes/no question. */
  readonly polar: boolean;
  /** Slots in their data are already filled, so that a reader's text is never read as a slot. */
  readonly actions: readonly ContentAction[];
}

/** The result of a step. */
export interface FormStep {
  /** Null if the form is over. */
  readonly state: FormState | null;
  /** Empty only if `submit` is present. */
  readonly says: readonly FormLine[];
  /** Changed conversation variables by lower-case name; an empty value is a skipped field. */
  readonly variables: Readonly<Record<string, string>>;
  /** If present, send it to the webhook, then call `advanceAfterSubmission` with `state` and outcome. */
  readonly submit?: Submission;
}

/** The values of a form, ready to be sent. */
export interface Submission {
  /** Null if they become a ticket. */
  readonly webhook: FormWebhook | null;
  /** Title of the content. */
  readonly title: string;
  /** The filled-in fields as a person reads them, in their order. */
  readonly answers: readonly FormAnswer[];
  readonly form: string;
  /** Id of the content whose form it is. */
  readonly content: number;
  readonly language: string;
  /** By field name; a field that was skipped is missing. */
  readonly values: Readonly<Record<string, string>>;
  /** Names of all fields of the form. */
  readonly fields: readonly string[];
  /** Counts from 1. */
  readonly attempt: number;
  /** Milliseconds since the epoch when the form began. */
  readonly begun: number;
}

/** A filled-in field, as plain text. */
export interface FormAnswer {
  readonly field: FormField;
  /** The field's question, filled in. */
  readonly question: string;
  /** A choice by its label. */
  readonly value: string;
}

/** The result of a submission. */
export type SubmissionOutcome =
  | {
      readonly kind: "accepted";
      /** HTML, or null. */
      readonly message: string | null;
      readonly variables: Readonly<Record<string, string>>;
      readonly actions: readonly ContentAction[];
    }
  | {
      readonly kind: "invalid-fields";
      /** Names, never empty. */
      readonly fields: readonly string[];
      /** HTML, or null. */
      readonly message: string | null;
    }
  | {
      readonly kind: "failed";
      readonly reason: SubmissionFailure;
      /** For the operator's log. It contains no secrets and no values of the reader. */
      readonly detail: string;
    };

/** Why a submission got no usable response. */
export type SubmissionFailure =
  /** The configuration doesn't allow the address. */
  | "refused"
  | "unreachable"
  /** The connection broke before the response was complete. */
  | "broken"
  | "timeout"
  /** A redirect, which is never followed. */
  | "redirect"
  /** A status that is not 2xx. */
  | "status"
  | "too-large"
  /** It names fields as invalid that the form does not have. */
  | "unknown-field"
  /** Not JSON, or not of the documented form. */
  | "invalid-response";
