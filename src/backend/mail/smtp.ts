import { once } from "node:events";
import { Readable } from "node:stream";
import MailComposer from "nodemailer/lib/mail-composer";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import { readMailAddress } from "../../locales/person.ts";
import { readServerAddress } from "./server-address.ts";
import type { OutgoingMail, SendMail, SendOutcome } from "./send-mails.ts";

/** Milliseconds of silence, and for a whole mail, which has to stay below the claim on it. */
const SILENCE = 30_000;
const WHOLE = 150_000;

const PORTS = { secure: 465, plain: 587 };

/**
 * Sends through an SMTP server, with a connection for each mail. A server on another machine gets
 * the password and the mail only over TLS: `smtps:`, or `smtp:` with STARTTLS.
 *
 * @param address `smtps://user:password@host:465` or `smtp://user:password@host:587`
 */
export function createSmtpSender(address: string): SendMail {
  const { host, port, secure, isLocal, account } = readServerAddress(address, PORTS);
  const options = {
    host,
    port,
    secure,
    requireTLS: !secure && !isLocal,
    ignoreTLS: !secure && isLocal,
    connectionTimeout: SILENCE,
    greetingTimeout: SILENCE,
    socketTimeout: SILENCE,
  };
  return async (mail) => {
    const message = await render(mail);
    const connection = new SMTPConnection(options);
    // An error of the connection also rejects the step under way.
    connection.on("error", () => undefined);
    // The stream ends just before the line that completes the transfer. From then on the server may
    // have accepted the mail.
    let handedOver = false;
    const source = Readable.from([message]).once("end", () => {
      handedOver = true;
    });
    try {
      return await Promise.race([
        exchange(connection, account, mail, source).then((): SendOutcome => ({ kind: "sent" })),
        failureOf(connection),
      ]);
    } catch (error) {
      return outcomeOf(error, handedOver);
    } finally {
      source.destroy();
      connection.close();
    }
  };
}

/**
 * Connects, logs in, and hands the mail over. Rejects with the error of the server or the network.
 */
async function exchange(
  connection: SMTPConnection,
  account: { readonly user: string; readonly pass: string } | null,
  mail: OutgoingMail,
  source: Readable,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    connection.connect((error) => (error ? reject(error) : resolve()));
  });
  if (account !== null) {
    await new Promise<void>((resolve, reject) => {
      connection.login({ credentials: account }, (error) => (error ? reject(error) : resolve()));
    });
  }
  const from = readMailAddress(mail.from) ?? mail.from;
  await new Promise<void>((resolve, reject) => {
    connection.send({ from, to: [mail.to] }, source, (error) =>
      error ? reject(error) : resolve(),
    );
  });
}

/** Rejects when the connection closes, or the whole exchange takes too long. */
async function failureOf(connection: SMTPConnection): Promise<never> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error("the server took too long")), WHOLE).unref();
  try {
    const broken = once(connection, "end").then(() => {
      throw new Error("the server closed the connection");
    });
    return await Promise.race([broken, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A refusal with a status is certain; silence after the mail was handed over is not. */
function outcomeOf(error: unknown, handedOver: boolean): SendOutcome {
  const reason = error instanceof Error ? error.message : String(error);
  const status = error instanceof Error && "responseCode" in error ? Number(error.responseCode) : 0;
  if (status >= 500) return { kind: "refused", reason };
  return { kind: status < 400 && handedOver ? "doubtful" : "later", reason };
}

async function render(mail: OutgoingMail): Promise<Buffer> {
  const ids = mail.references.map((id) => `<${id}>`);
  const last = ids.at(-1);
  const composer = new MailComposer({
    from: mail.from,
    to: mail.to,
    subject: mail.subject,
    text: mail.text,
    messageId: `<${mail.messageId}>`,
    date: mail.date,
    ...(last !== undefined && { inReplyTo: last, references: ids }),
    ...(mail.automatic && {
      headers: { "Auto-Submitted": "auto-replied", "X-Auto-Response-Suppress": "All" },
    }),
    attachments: mail.files.map(({ name, type, data }) => ({
      filename: name,
      contentType: type,
      content: Buffer.from(data),
    })),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}
