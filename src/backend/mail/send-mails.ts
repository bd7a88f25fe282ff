import { sql } from "kysely";
import type { MailConfig } from "../../config/config.ts";
import { textOfHtml } from "../../locales/html-text.ts";
import type { BackendDatabase, Queries } from "../storage/tables/database.ts";
import { htmlOfWritten, toWrittenText } from "../ticketing/agent-users.ts";
import { attachmentsOf } from "../ticketing/attaching.ts";
import { findReferences } from "./mails.ts";
import type { MailFailure } from "./mailing.ts";

/** A mail to be sent. */
export interface OutgoingMail {
  readonly from: string;
  readonly to: string;
  /** Without angle brackets, like all ids here. */
  readonly messageId: string;
  /** Earlier mails of the ticket, oldest first. */
  readonly references: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly files: readonly {
    readonly name: string;
    readonly type: string;
    readonly data: Uint8Array;
  }[];
  /** Written by the program, not by a person (RFC 3834). */
  readonly automatic: boolean;
  readonly date: Date;
}

/**
 * The outcome of an attempt. `later`: the server did not accept the mail yet, or could not be
 * reached. `refused`: the server will never accept it. `doubtful`: the server received all of it
 * but did not answer.
 */
export type SendOutcome =
  | { readonly kind: "sent" }
  | { readonly kind: "later" | "refused" | "doubtful"; readonly reason: string };

/** Hands a mail to a server. Never throws, and ends within {@link CLAIM}. */
export type SendMail = (mail: OutgoingMail) => Promise<SendOutcome>;

export interface SendOptions {
  readonly database: BackendDatabase;
  readonly mail: Pick<MailConfig, "from">;
  readonly send: SendMail;
  readonly now: () => number;
  /** Called for a mail that failed or is doubtful. */
  readonly failed: (failure: MailFailure) => void;
}

/**
 * Milliseconds for which a process claims a mail. After that the process has died, and the mail is
 * doubtful.
 */
const CLAIM = 180_000;

/** Attempts to reach a server, with growing pauses: about two days. */
const MAX_ATTEMPTS = 60;

/** Bytes of files attached to one mail. A file that does not fit is only named in its text. */
const MAX_FILE_BYTES = 10_485_760;

/**
 * Sends due mails one after the other. Each is claimed in the database first, so that only one
 * process sends it. If the process dies or the server does not answer, the mail becomes doubtful
 * and is not sent again automatically.
 */
export async function sendDueMails(options: SendOptions): Promise<void> {
  // Usually nothing is due, and reading does not wait for writers.
  if (!(await isAnyDue(options))) return;
  await markAbandonedDoubtful(options);
  for (;;) {
    const claimed = await claimNext(options);
    if (claimed === null) return;
    const { id, attempts } = claimed;
    const outcome = await options.send(await compose(options, id));
    await settle(options, { id, attempts }, outcome);
  }
}

async function isAnyDue({ database, now }: SendOptions): Promise<boolean> {
  const row = await database.kysely
    .selectFrom("mails")
    .select("id")
    .where("state", "in", ["queued", "sending"])
    .where("due", "<=", now())
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

async function markAbandonedDoubtful({ database, now, failed }: SendOptions): Promise<void> {
  const abandoned = await database.kysely
    .updateTable("mails")
    .set({ state: "doubtful", reason: "the program ended while it was being sent" })
    .where("state", "=", "sending")
    .where("due", "<=", now())
    .returning("id")
    .execute();
  for (const { id: mail } of abandoned) failed({ mail, state: "doubtful" });
}

/** Claims the oldest due mail whose ticket has no earlier mail waiting. */
async function claimNext({
  database,
  now,
}: SendOptions): Promise<{ readonly id: number; readonly attempts: number } | null> {
  const at = now();
  const { rows } = await database.durable((queries) =>
    sql<{ id: number; attempts: number }>`
      UPDATE mails SET state = 'sending', due = ${at + CLAIM}, attempts = attempts + 1
      WHERE state = 'queued' AND due <= ${at} AND id = (
        SELECT min(id) FROM mails AS next WHERE state = 'queued' AND due <= ${at} AND NOT EXISTS (
          SELECT 1 FROM mails AS earlier WHERE earlier.ticket = next.ticket AND earlier.id < next.id
            AND earlier.state IN ('queued', 'sending')
        )
      )
      RETURNING id, attempts
    `.execute(queries),
  );
  return rows[0] ?? null;
}

async function compose({ database, mail }: SendOptions, id: number): Promise<OutgoingMail> {
  const { kysely } = database;
  const row = await kysely
    .selectFrom("mails")
    .select(["ticket", "reply", "message_id", "address", "subject", "text", "created"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const earlier = await kysely
    .selectFrom("mails")
    .select("message_id")
    .where("ticket", "=", row.ticket)
    .where("id", "<", id)
    .where("state", "in", ["sent", "taken"])
    .orderBy("id", "desc")
    .limit(20)
    .execute();
  const { files, left } = await filesOf(kysely, row.ticket, row.reply);
  // Mail programs that drop the references of an answer usually quote its text.
  const [reference = ""] = findReferences(row.message_id);
  const foot = [...left.map((name) => `(${name})`), `Ref: ${reference}`].join("\n");
  return {
    from: mail.from,
    to: row.address,
    messageId: row.message_id,
    references: earlier.map(({ message_id: messageId }) => messageId).toReversed(),
    subject: earlier.length === 0 ? row.subject : `Re: ${row.subject}`,
    text: `${plainOf(row.text)}\n\n-- \n${foot}\n`,
    files,
    automatic: row.reply === null,
    date: new Date(row.created),
  };
}

/** Returns an answer that was written as text unchanged, and converts any other from HTML. */
function plainOf(html: string): string {
  const written = toWrittenText(html);
  return htmlOfWritten(written) === html ? written : textOfHtml(html);
}

async function filesOf(
  queries: Queries,
  ticket: number,
  reply: number | null,
): Promise<{ readonly files: OutgoingMail["files"]; readonly left: readonly string[] }> {
  const files: OutgoingMail["files"][number][] = [];
  const left: string[] = [];
  let bytes = 0;
  const attached = reply === null ? [] : await attachmentsOf(queries, [ticket]);
  for (const { id, name, type } of attached.filter((file) => file.reply === reply)) {
    const media = queries.selectFrom("media").select(["data", "size"]).where("id", "=", id);
    const { data, size } = await media.executeTakeFirstOrThrow();
    if (data === null || bytes + size > MAX_FILE_BYTES) {
      left.push(name);
      continue;
    }
    bytes += size;
    files.push({ name, type, data });
  }
  return { files, left };
}

async function settle(
  { database, now, failed }: SendOptions,
  { id, attempts }: { readonly id: number; readonly attempts: number },
  outcome: SendOutcome,
): Promise<void> {
  const set = ((): { state: "sent" | "queued" | "failed" | "doubtful"; due?: number } => {
    if (outcome.kind === "sent") return { state: "sent" };
    if (outcome.kind === "doubtful") return { state: "doubtful" };
    if (outcome.kind === "refused" || attempts >= MAX_ATTEMPTS) return { state: "failed" };
    return { state: "queued", due: now() + waitAfter(attempts) };
  })();
  const reason = outcome.kind === "sent" ? null : outcome.reason;
  await database.durable((queries) =>
    queries
      .updateTable("mails")
      .set({ ...set, reason })
      .where("id", "=", id)
      .where("state", "=", "sending")
      .execute(),
  );
  if (set.state === "failed" || set.state === "doubtful") failed({ mail: id, state: set.state });
}

/** Milliseconds until the next attempt: each waits twice as long, up to an hour. */
function waitAfter(attempts: number): number {
  return Math.min(3_600_000, 10_000 * 2 ** (attempts - 1));
}
