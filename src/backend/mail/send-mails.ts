import { sql } from "kysely";
import type { MailConfig } from "../../config/config.ts";
import { textOfHtml } from "../../locales/html-text.ts";
import type { BackendDatabase, Queries } from "../storage/tables/database.ts";
import { htmlOfWritten, toWrittenText } from "../ticketing/agent-users.ts";
import { attachmentsOf } from "../ticketing/attaching.ts";
import { findReferences } from "./mails.ts";
import type { MailFailure } from "./mailing.ts";

/** One mail as it leaves. */
export interface OutgoingMail {
  readonly from: string;
  readonly to: string;
  /** Without angle brackets, as all ids here. */
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
 * The outcome of an attempt. `later`: the server did not take it now, or could not be reached.
 * `refused`: it never will. `doubtful`: it was told everything and gave no answer.
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

/** Milliseconds that a process claims a mail; after them it is doubtful, as the process died. */
const CLAIM = 180_000;

/** Attempts at a server that is not reached, with growing waits: about two days. */
const MOST_ATTEMPTS = 60;

/** Bytes of files that go along; a larger file is named in the text alone. */
const MOST_FILE_BYTES = 10_485_760;

/**
 * Sends what is due, one mail after the other, once among all processes: each is claimed in the
 * database before the server hears of it. A mail whose process died with it, or whose answer never
 * came, becomes doubtful and is never sent again by itself.
 */
export async function sendDueMails(options: SendOptions): Promise<void> {
  // Mostly nothing is due: a look costs no turn of those who write.
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

/** The oldest that is due, of a ticket for which no earlier one waits. */
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
  // A program that drops the references of an answer mostly quotes its text.
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

/** Answers that were written as text come out as they were written; others are HTML. */
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
    bytes += size;
    if (data === null || bytes > MOST_FILE_BYTES) left.push(name);
    else files.push({ name, type, data });
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
    if (outcome.kind === "refused" || attempts >= MOST_ATTEMPTS) return { state: "failed" };
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
