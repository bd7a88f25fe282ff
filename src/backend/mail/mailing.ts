import type { MailHook } from "./routes.ts";

/** The parts that e-mail adds to a backend. */
export interface Mailing {
  /** Receives mails by HTTP; absent if they come from a mailbox or not at all. */
  readonly hook?: MailHook;
  /**
   * Carries out an agent's decision about a held mail.
   *
   * @throws Refusal 404, 409
   */
  decide(decision: MailDecision): Promise<void>;
  /** Stops sending and reading, after the current round. */
  close(): Promise<void>;
}

/**
 * A mail that was not sent, or may not have been. Only its ticket has the reason, which can name
 * people.
 */
export interface MailFailure {
  readonly mail: number;
  readonly state: "failed" | "doubtful";
}

export interface MailDecision {
  readonly ticket: number;
  readonly mail: number;
  /** True if it becomes a reply of the ticket's person. False if it is discarded. */
  readonly accept: boolean;
}
