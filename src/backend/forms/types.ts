import type { ContentAction } from "../content/types.ts";

/**
 * What a bot master defines: questions that are asked one by one, and what becomes of the values.
 */
export interface FormDefinition {
  readonly name: string;
  readonly fields: readonly FormField[];
  /** Where the values are sent, or null: then the form ends with the flag `end-form`. */
  readonly webhook: FormWebhook | null;
  /**
   * HTML said at the end; may hold `{{field}}`. Without a webhook the engine's own `end-form`
   * follows it; with one it is what is said when the webhook accepts without a message of its own.
   */
  readonly finished: string | null;
  /** What the front end is told when the form has ended, such as `escalateToAgent`. */
  readonly actions: readonly ContentAction[];
}

export type FieldType = "text" | "number" | "email" | "date" | "list" | "file";

export interface FormField {
  /** Name in the values sent to the webhook: letters, digits, `_`. */
  readonly name: string;
  readonly type: FieldType;
  /** What the reader is asked; may hold `{{variable}}`. */
  readonly question: string;
  readonly required: boolean;
  /**
   * Said after an invalid value. Null: the engine's own text with the flag `generic-error-message`.
   */
  readonly errorMessage: string | null;
  /**
   * Conversation variable (lower case) that gets the value; one that already has a valid value when
   * `prefill` is set is not asked.
   */
  readonly variable: string | null;
  readonly prefill: boolean;
  /**
   * Regular expression in RE2's syntax (matched in linear time) that a text must match as a whole,
   * or null.
   */
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

/** What a session keeps of a form under way. Plain JSON. */
export interface FormState {
  /** Id of the content whose form it is. */
  readonly content: number;
  /** Name of the field that was asked last. */
  readonly field: string;
  readonly values: Readonly<Record<string, string>>;
  /** Invalid values in a row for this field. */
  readonly errors: number;
  /**
   * True when anything in this form has failed so far: a value was not valid, or the webhook
   * refused a submission.
   */
  readonly failed: boolean;
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
  /**
   * Milliseconds since the epoch when the form began: tells two runs of one form in one session
   * apart.
   */
  readonly begun: number;
}
