import type { MailHook } from "./routes.ts";

/** The parts that e-mail adds to a backend. */
export interface Mailing {
  /** How mails come in by a call; absent where they come from a mailbox, or not at all. */
  readonly hook?: MailHook;
  /**
   * An agent's decision about a mail that is held.
   *
   * @throws Refusal 404, 409
   */
  decide(decision: MailDecision): Promise<void>;
  /** Ends what runs, after the round that may be under way. */
  close(): Promise<void>;
}

/** A mail that did not leave, or perhaps did. Its ticket has the reason, which may name people. */
export interface MailFailure {
  readonly mail: number;
  readonly state: "failed" | "doubtful";
}

export interface MailDecision {
  readonly ticket: number;
  readonly mail: number;
  /** True: it becomes a reply of the ticket's person. False: it is discarded. */
  readonly accept: boolean;
}
