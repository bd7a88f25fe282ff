import type { Flag } from "../../direct-answers/flags.ts";

/** A bot master's form: questions asked one by one, and the use of their values. */
export interface FormDefinition {
  readonly name: string;
  readonly fields: readonly FormField[];
  /** The webhook that receives the values. If null, the form ends with the flag `end-form`. */
  readonly webhook: FormWebhook | null;
  /** True if the values become a ticket. Never beside a webhook. */
  readonly ticket: boolean;
  /**
   * The closing text in HTML, which may contain `{{field}}`. Without a webhook the engine's line for
   * `end-form` follows it. With one, it is used when the webhook accepts without a message.
   */
  readonly finished: string | null;
  /** The actions of the front end when the form has ended, such as `escalateToAgent`. */
  readonly actions: readonly ContentAction[];
}

/** A call of the front end; `data` maps names to texts that may contain `{{variable}}`. */
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
  /** Said after an invalid value. Null for the engine's text with flag `generic-error-message`. */
  readonly errorMessage: string | null;
  /** The variable (lower case) that gets the value. With `prefill`, its valid value is used unasked. */
  readonly variable: string | null;
  readonly prefill: boolean;
  /** RE2 pattern (linear time) that must match a text as a whole, or null. */
  readonly pattern: string | null;
  /**
   * Bounds of a number, of a date (ISO 8601, or `today` in UTC with an offset such as `today-18y`),
   * or of a text's length in code points. Null for the other types.
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

/** The part of a session that belongs to a form under way, as plain JSON. */
export interface FormState {
  /** Id of the content whose form it is. */
  readonly content: number;
  /** Name of the field that was asked last. */
  readonly field: string;
  readonly values: Readonly<Record<string, string>>;
  /** Invalid values in a row for this field. */
  readonly errors: number;
  /**
   * The question that the reader answers next. asking: the value of `field`. continue: whether to go
   * on (`form-continue`). retry: whether to fill in the form again (`form-retry`), where `invalid`
   * names the fields.
   */
  readonly step: "asking" | "continue" | "retry";
  /** Fields that the webhook found invalid and that will be asked again. */
  readonly invalid: readonly string[];
  /** The number of submissions so far, which is part of the idempotency key. */
  readonly submissions: number;
  /** Milliseconds since the epoch at the form's start. It distinguishes two runs in one session. */
  readonly begun: number;
}

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
