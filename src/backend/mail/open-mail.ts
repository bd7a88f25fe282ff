import type { MailConfig } from "../../config/config.ts";
import { keepSweeping } from "../storage/sweeping.ts";
import type { WritingOptions } from "../ticketing/context.ts";
import type { Mailing, MailFailure } from "./mailing.ts";
import { sendDueMails } from "./send-mails.ts";

export interface OpenMailOptions extends WritingOptions {
  readonly mail: MailConfig;
  readonly report: (error: unknown) => void;
  readonly mailFailed: (failure: MailFailure) => void;
  /** Called when the mailbox can't be read, and not again before it was read or the reason changed. */
  readonly mailboxFailed: (reason: string) => void;
}

/**
 * Starts to send due mails and to read the mailbox, as every process of this database does. The
 * modules for mail servers are loaded here, so that backends without mail never load them.
 */
export async function openMail(options: OpenMailOptions): Promise<Mailing> {
  const { mail, database, now, report, mailFailed: failed } = options;
  const { createSmtpSender } = await import("./smtp.ts");
  const send = createSmtpSender(mail.smtp);
  const ends = [
    keepSweeping(() => sendDueMails({ database, mail, send, now, failed }), SEND_EVERY, report),
  ];
  const { decideMail, takeMail } = await import("./take-mail.ts");
  if (mail.inbound?.kind === "imap") {
    const { createInboxReader } = await import("./inbox.ts");
    const read = createInboxReader({
      address: mail.inbound.address,
      take: (source, whole) => takeMail(options, source, whole),
    });
    const round = createReportedRound(read, options.mailboxFailed);
    ends.push(keepSweeping(round, READ_EVERY, report));
  }
  return {
    ...(mail.inbound?.kind === "webhook" && {
      hook: { secret: mail.inbound.secret, take: (source) => takeMail(options, source) },
    }),
    decide: (decision) => decideMail(options, decision),
    async close() {
      await Promise.all(ends.map((end) => end()));
    },
  };
}

/** Milliseconds between rounds. */
const SEND_EVERY = 1_000;
const READ_EVERY = 10_000;

/** Creates a round that reports a lasting fault once, because a mailbox can be unreachable for days. */
export function createReportedRound(
  read: () => Promise<void>,
  report: (reason: string) => void,
): () => Promise<void> {
  let last: string | null = null;
  return async () => {
    try {
      await read();
      last = null;
    } catch (error) {
      const reason = String(error);
      const isKnown = reason === last;
      last = reason;
      if (!isKnown) report(reason);
    }
  };
}
