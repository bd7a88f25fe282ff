import type { Flag } from "../../direct-answers/flags.ts";
import type { ContentAction } from "../content/types.ts";
import type { FormDefinition, FormField, FormState, FormWebhook } from "./types.ts";

/** Everything a form's step depends on, beside its state and what the reader said. */
export interface FormContext {
  readonly definition: FormDefinition;
  /** Id of the content whose form it is. */
  readonly content: number;
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

export interface FormLimits {
  /**
   * False: words such as «cancel» are values like any other, and the reader is asked whether to go
   * on at `errorRetries` only.
   */
  readonly allowUserToAbandonForm: boolean;
  /**
   * Invalid values in a row for one field after which the reader is asked whether to go on; less
   * than 1 counts as 1.
   */
  readonly errorRetries: number;
}

/**
 * What the reader did: typed a message, or chose an option of the yes/no question that was asked.
 */
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
        /** False: the words are said without the flag, whose cause did not occur. */
        readonly caused: boolean;
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

/** What a step comes to. */
export interface FormStep {
  /** Null: the form is over. */
  readonly state: FormState | null;
  /** Empty only when something is to be submitted. */
  readonly says: readonly FormLine[];
  /**
   * Conversation variables that changed, by lower-case name. An empty value is a field that was
   * skipped.
   */
  readonly variables: Readonly<Record<string, string>>;
  /**
   * Present: send this to the webhook, then call `afterSubmission` with `state` and the outcome.
   */
  readonly submit?: Submission;
}

/** The values of a form, ready to be sent. */
export interface Submission {
  readonly webhook: FormWebhook;
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

/** What became of a submission. */
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
