import { textOfHtml } from "../../locales/html-text.ts";
import { readMailAddress, readPersonName } from "../../locales/person.ts";
import { LIMITS } from "../../api/call/limits.ts";
import type { Submission } from "../forms/types.ts";
import type { HistoryItem } from "../storage/types.ts";
import { createSubmissionKey } from "../webhooks/caller.ts";
import type { TicketingOptions } from "./context.ts";
import { createTicket } from "./create-ticket.ts";
import { createPlaceholderAddress, userAt } from "./users.ts";

/** A form that a reader has filled in, and its conversation. */
export interface FilledForm {
  readonly project: string;
  readonly submission: Submission;
  /** Id of the session, never its token. */
  readonly session: string;
  /** The conversation's variables by lower-case name. */
  readonly variables: ReadonlyMap<string, string>;
  /** The messages of the conversation so far. */
  readonly history: readonly HistoryItem[];
}

/**
 * Creates a ticket from a form. Its message has each question with its value, then the form, the
 * language and the session; the conversation comes before it. A submission creates one ticket,
 * however often it is retried.
 *
 * @returns the ticket's number
 */
export async function createFormTicket(
  options: TicketingOptions,
  form: FilledForm,
): Promise<string> {
  const { project, submission, session, history } = form;
  const key = await createSubmissionKey(submission, session);
  const creator = await creatorOf(options, form, key);
  const answers = submission.answers.map(({ question, value }) => `${question}\n${value}`);
  const about = [submission.form, submission.language, session].join(" · ");
  const messages = history.slice(-LIMITS.priorLines).map(({ user, message }) => ({
    user,
    message: textOfHtml(message).slice(0, LIMITS.priorLine),
  }));
  const ticket = {
    title: submission.title.slice(0, LIMITS.title),
    message: [...answers, about].join("\n\n").slice(0, LIMITS.ticketMessage),
    creator: String(creator),
    external_id: `form-${key}`,
    language: submission.language,
    history: { messages },
  };
  const made = await createTicket(options, { project, ticket, parent: null, idempotencyKey: key });
  return made.full_uuid;
}

/** Finds or creates the user with the reader's address. */
function creatorOf(options: TicketingOptions, form: FilledForm, key: string): Promise<number> {
  const { name, address } = personOf(form);
  return userAt(options, form.project, {
    name: name ?? address ?? "Guest",
    address: address ?? createPlaceholderAddress(key),
  });
}

/**
 * Finds the person who filled in the form: its first e-mail address, and the fields or variables
 * called `name`, or `first_name` and `last_name`.
 */
function personOf({ submission: { answers, values }, variables }: FilledForm) {
  const valueOf = (name: string): string =>
    answers.find(({ field }) => field.name.toLowerCase() === name || field.variable === name)
      ?.value ??
    variables.get(name) ??
    "";
  const mail = answers.find(({ field }) => field.type === "email")?.field.name;
  return {
    name: readPersonName(valueOf("name") || `${valueOf("first_name")} ${valueOf("last_name")}`),
    address: readMailAddress((mail !== undefined && values[mail]) || valueOf("email")),
  };
}
