import type { MailConfig } from "../../config/config.ts";
import { keepSweeping } from "../storage/sweeping.ts";
import type { WritingOptions } from "../ticketing/context.ts";
import type { Mailing } from "./mailing.ts";
import { sendDueMails } from "./send-mails.ts";

export interface OpenMailOptions extends WritingOptions {
  readonly mail: MailConfig;
  readonly report: (error: unknown) => void;
  /** Milliseconds between rounds. Default: a second for what leaves, ten for the mailbox. */
  readonly sendEvery?: number;
  readonly readEvery?: number;
}

/**
 * Sends what is due, and reads the mailbox, in this and any other process at the database. The
 * modules that speak to mail servers are loaded here, for those who have one.
 */
export async function openMail(options: OpenMailOptions): Promise<Mailing> {
  const { mail, database, now, report, sendEvery = 1_000, readEvery = 10_000 } = options;
  const { createSmtpSender } = await import("./smtp.ts");
  const send = createSmtpSender(mail.smtp);
  const ends = [
    keepSweeping(() => sendDueMails({ database, mail, send, now, report }), sendEvery, report),
  ];
  const { decideMail, takeMail } = await import("./take-mail.ts");
  if (mail.inbound?.kind === "imap") {
    const { createInboxReader } = await import("./inbox.ts");
    const read = createInboxReader({
      address: mail.inbound.address,
      take: (source, whole) => takeMail(options, source, whole),
    });
    ends.push(keepSweeping(read, readEvery, oncePerFault(report)));
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

/** Tells a fault again only when another came between: a mailbox may be away for days. */
function oncePerFault(report: (error: unknown) => void): (error: unknown) => void {
  let last = "";
  return (error) => {
    const text = String(error);
    if (text !== last) report(new Error(`the mailbox can't be read: ${text}`));
    last = text;
  };
}
