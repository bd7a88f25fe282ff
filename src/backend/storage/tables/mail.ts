import type { Generated } from "kysely";

/** E-mail of tickets. Times are milliseconds since the epoch. */
export interface MailTables {
  mails: MailTable;
  mail_references: MailReferenceTable;
}

/**
 * The state of an outgoing mail: `queued`, `sending`, `sent`; `doubtful` when the server received
 * everything but did not answer, so that it may have been sent; `failed` when it was refused.
 *
 * The state of a received mail: `taken` as a reply; `held` for an agent's decision; `discarded` by
 * an agent; `automatic` and `bounced` when no person wrote it (RFC 3834, RFC 3464).
 */
export type MailState =
  | "queued"
  | "sending"
  | "sent"
  | "doubtful"
  | "failed"
  | "taken"
  | "held"
  | "discarded"
  | "automatic"
  | "bounced";

export interface MailTable {
  id: Generated<number>;
  project: string;
  ticket: number;
  /** The reply that the mail carries or became; null for acknowledgements and held mails. */
  reply: number | null;
  direction: "in" | "out";
  /** The Message-ID without angle brackets, unique within a project. */
  message_id: string;
  /** The recipient, or the sender. */
  address: string;
  subject: string;
  text: string;
  /** The text that the sender's program quoted below the answer. */
  quoted: string;
  state: MailState;
  /** Why it failed, is doubtful or is held. */
  reason: string | null;
  /** The whole mail, while it is held. */
  raw: Uint8Array | null;
  attempts: number;
  /**
   * A queued mail is not sent before this time. A mail that is being sent is claimed until then.
   */
  due: number;
  created: number;
}

export interface MailReferenceTable {
  ticket: number;
  reference: string;
}
