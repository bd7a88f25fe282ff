import type { Flag } from "../../direct-answers/flags.ts";

/** A bot master's form: questions asked one by one, and the use of their values. */
export interface FormDefinition {
  readonly name: string;
  readonly fields: readonly FormField[];
  /** The webhook that takes the values, or null: then the form ends with the flag `end-form`. */
  readonly webhook: FormWebhook | null;
  /** True: the values become a ticket. Never beside a webhook. */
  readonly ticket: boolean;
  /**
   * HTML said at the end; may hold `{{field}}`. Without a webhook the engine's own `end-form`
   * follows it; with one it is what is said when the webhook accepts without a message of its own.
   */
  readonly finished: string | null;
  /** The actions of the front end when the form has ended, such as `escalateToAgent`. */
  readonly actions: readonly ContentAction[];
}

/** Something for the front end to do; `data` maps a name to a text that may hold `{{variable}}`. */
export interface ContentAction {
  readonly callback: string;
  readonly data: Readonly<Record<string, string>>;
}

export type FieldType = "text" | "number" | "email" | "date" | "list" | "file";

export interface FormField {
  /** Name in the values sent to the webhook: letters, digits, `_`. */
  readonly name: string;
  readonly type: FieldType;
  /** The question; may hold `{{variable}}`. */
  readonly question: string;
  readonly required: boolean;
  /** Said after an invalid value. Null: the engine's text with flag `generic-error-message`. */
  readonly errorMessage: string | null;
  /** Variable (lower case) for the value; with `prefill`, a valid one there replaces asking. */
  readonly variable: string | null;
  readonly prefill: boolean;
  /** RE2 pattern (linear time) that must match a text as a whole, or null. */
  readonly pattern: string | null;
  /**
   * Least and greatest: a number; a date (ISO 8601, or `today` with an offset such as `today-18y`,
   * by the day in UTC); the length of a text in code points. Null for the other types.
   */
  readonly min: number | string | null;
  readonly max: number | string | null;
  /** For a list: what can be chosen. */
  readonly values: readonly FieldValue[];
  readonly display: "buttons" | "dropdown";
}

export interface FieldValue {
  readonly label: string;
  readonly value: string;
}

export interface FormWebhook {
  readonly url: string;
  /** Milliseconds for the whole call. */
  readonly timeout: number;
  /** Signs the body (HMAC-SHA256) when given. */
  readonly secret: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

/** The part of a session that belongs to a form under way. Plain JSON. */
export interface FormState {
  /** Id of the content whose form it is. */
  readonly content: number;
  /** Name of the field that was asked last. */
  readonly field: string;
  readonly values: Readonly<Record<string, string>>;
  /** Invalid values in a row for this field. */
  readonly errors: number;
  /**
   * asking: a value for `field` is awaited. continue: the reader was asked whether to go on
   * (`form-continue`). retry: the reader was asked whether to fill in the form again
   * (`form-retry`), and `invalid` names the fields.
   */
  readonly step: "asking" | "continue" | "retry";
  /** Fields that the webhook found invalid and that will be asked again. */
  readonly invalid: readonly string[];
  /** Submissions so far: part of the idempotency key. */
  readonly submissions: number;
  /** Milliseconds since the epoch at the form's start: tells two runs in one session apart. */
  readonly begun: number;
}

/** Everything a form's step depends on, beside its state and what the reader said. */
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
  /** False: words such as «cancel» are values; only `errorRetries` asks whether to go on. */
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
  /** True: a yes/no question. */
  readonly polar: boolean;
  /** Their data is filled in already: what a reader typed must not be read as a slot again. */
  readonly actions: readonly ContentAction[];
}

/** The result of a step. */
export interface FormStep {
  /** Null: the form is over. */
  readonly state: FormState | null;
  /** Empty only when something is to be submitted. */
  readonly says: readonly FormLine[];
  /** Changed conversation variables by lower-case name; an empty value is a skipped field. */
  readonly variables: Readonly<Record<string, string>>;
  /** If present, send it to the webhook, then call `advanceAfterSubmission` with `state` and outcome. */
  readonly submit?: Submission;
}

/** The values of a form, ready to be sent. */
export interface Submission {
  /** Null: they become a ticket. */
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
      /** For the operator's log: no secret, no value of the reader's. */
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
