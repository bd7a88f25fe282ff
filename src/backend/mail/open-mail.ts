import type { MailConfig } from "../../config/config.ts";
import { keepSweeping } from "../storage/sweeping.ts";
import type { WritingOptions } from "../ticketing/context.ts";
import type { Mailing, MailFailure } from "./mailing.ts";
import { sendDueMails } from "./send-mails.ts";

export interface OpenMailOptions extends WritingOptions {
  readonly mail: MailConfig;
  readonly report: (error: unknown) => void;
  readonly mailFailed: (failure: MailFailure) => void;
  /** Called when the mailbox can't be read, once for one reason. */
  readonly mailboxFailed: (reason: string) => void;
}

/**
 * Sends what is due, and reads the mailbox, in this and any other process at the database. The
 * modules that speak to mail servers are loaded here, for those who have one.
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
    ends.push(keepSweeping(read, READ_EVERY, tellOnce(options.mailboxFailed)));
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

/** Tells a fault again only when another came between: a mailbox may be away for days. */
function tellOnce(tell: (reason: string) => void): (error: unknown) => void {
  let last = "";
  return (error) => {
    const reason = String(error);
    if (reason !== last) tell(reason);
    last = reason;
  };
}
