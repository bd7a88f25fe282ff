import type { TicketRow } from "../ticketing/ticket-rows.ts";
import type { MailState } from "../storage/tables/mail.ts";
import { LIMITS } from "../../api/call/limits.ts";
import { toComparable } from "../../locales/person.ts";
import { toStorable } from "../../storage/storable.ts";
import type { Queries } from "../storage/tables/database.ts";
import { Refusal, refuseFor, refuseNotFound } from "../http/refusal.ts";
import type { WritingOptions } from "../ticketing/context.ts";
import { insertFile } from "../ticketing/media.ts";
import { htmlOfWritten } from "../ticketing/agent-users.ts";
import { addReply } from "../ticketing/replies.ts";
import type { MailDecision } from "./mailing.ts";
import { readMail, type ReceivedMail } from "./read-mail.ts";
import { countToday, DAY, isTooMuch } from "./mails.ts";

/** The outcome of a received mail. */
export type MailOutcome =
  | { readonly kind: "stored"; readonly state: MailState; readonly ticket: number }
  /** It was stored before: mailboxes and webhooks can deliver a mail twice. */
  | { readonly kind: "known" }
  /** It names no ticket, so it is not meant for Afterword. */
  | { readonly kind: "unreferenced" };

/**
 * Stores a mail with the ticket whose reference it has, once for each Message-ID. A mail from the
 * ticket's person becomes a reply, and any other is held for an agent. An automatic mail does not
 * change the ticket, and a bounce marks the undelivered mail.
 *
 * @param whole false when `source` has only the headers of a mail that is too large
 */
export async function takeMail(
  options: WritingOptions,
  source: Uint8Array,
  whole = true,
): Promise<MailOutcome> {
  const mail = await readMail(source);
  return options.database.durable(async (queries) => {
    const ticket = await findTicket(queries, mail.references);
    if (ticket === null) return { kind: "unreferenced" };
    const isFlood = await isFlooded(queries, ticket.id, options.now());
    const unread = isFlood ? FLOODED : reasonNotToRead(mail, whole);
    const reason = unread ?? (await reasonToHold(queries, options, ticket, mail));
    const state = stateFor(mail, reason);
    const row = await queries
      .insertInto("mails")
      .values({
        project: ticket.project,
        ticket: ticket.id,
        reply: null,
        direction: "in",
        message_id: toStorable(mail.messageId),
        address: toStorable(mail.from),
        subject: toStorable(mail.subject),
        text: isFlood ? "" : toStorable(mail.message.slice(0, LIMITS.ticketMessage)),
        quoted: isFlood ? "" : toStorable(mail.quoted.slice(0, LIMITS.ticketMessage)),
        state,
        reason: mail.kind === "bounce" ? toStorable(mail.reason) : reason,
        raw: state === "held" && unread === null ? source : null,
        attempts: 0,
        due: 0,
        created: options.now(),
      })
      .onConflict((conflict) => conflict.columns(["project", "message_id"]).doNothing())
      .returning("id")
      .executeTakeFirst();
    if (row === undefined) return { kind: "known" };
    if (state === "bounced") await markUndelivered(queries, ticket.id, mail);
    if (state === "taken") await addMailAsReply(queries, options, ticket, row.id, mail);
    return { kind: "stored", state, ticket: ticket.id };
  });
}

/**
 * Carries out an agent's decision on a held mail: it becomes a reply of the ticket's person, or it
 * is discarded.
 *
 * @throws Refusal 404, or 409 for a mail that is not held, or was stored only in part
 */
export async function decideMail(
  options: WritingOptions,
  { ticket: id, mail, accept }: MailDecision,
): Promise<void> {
  const { kysely } = options.database;
  const row = await kysely
    .selectFrom("mails")
    .select(["state", "raw"])
    .where("ticket", "=", id)
    .where("id", "=", mail)
    .executeTakeFirst();
  if (row === undefined) throw refuseNotFound(`mail ${mail}`);
  const { state, raw } = row;
  if (state !== "held")
    throw refuseFor(409, "mail-decided", `The mail is ${state}: it needs no decision.`);
  if (accept && raw === null)
    throw refuseFor(
      409,
      "mail-partial",
      "Only a part of the mail is stored: open it in the mailbox.",
    );
  const received = accept && raw !== null ? await readMail(raw) : null;
  await options.database.durable(async (queries) => {
    const decided = await queries
      .updateTable("mails")
      .set({ state: accept ? "taken" : "discarded", raw: null })
      .where("id", "=", mail)
      .where("state", "=", "held")
      .executeTakeFirst();
    if (decided.numUpdatedRows === 0n)
      throw refuseFor(409, "mail-decided", "Somebody else has decided already.");
    if (received === null) return;
    const ticket = await readTicketRow(queries, id);
    if (ticket !== null) await addMailAsReply(queries, options, ticket, mail, received);
  });
}

/** Gives the reason why a mail was not read as a whole and can't become a reply; null if it was. */
function reasonNotToRead(
  { isReadable, isCut, message }: ReceivedMail,
  whole: boolean,
): string | null {
  if (!isReadable) return "it can't be read: open it in the mailbox";
  if (!whole) return "it is too large: open it in the mailbox";
  const isTooLong = isCut || message.length > LIMITS.ticketMessage;
  return isTooLong ? "it is too long: open it in the mailbox" : null;
}

const FLOODED = "too many mails came today: open it in the mailbox";

/** Mails to one ticket within a day whose text is stored, from all senders together. */
const MAX_KEPT = 100;

/**
 * True when no more text of a ticket's mails is stored today: anyone who knows its reference can
 * send them.
 */
async function isFlooded(queries: Queries, ticket: number, now: number): Promise<boolean> {
  const { count } = await queries
    .selectFrom("mails")
    .select(({ fn }) => fn.countAll<number | string>().as("count"))
    .where("ticket", "=", ticket)
    .where("direction", "=", "in")
    .where("created", ">", now - DAY)
    .executeTakeFirstOrThrow();
  return Number(count) >= MAX_KEPT;
}

/** A ticket, or the one that it was merged into, with the address of its person. */
type TicketOfMail = Pick<TicketRow, "id" | "project" | "status" | "creator"> & {
  readonly address: string;
};

async function findTicket(
  queries: Queries,
  references: readonly string[],
): Promise<TicketOfMail | null> {
  if (references.length === 0) return null;
  const rows = await queries
    .selectFrom("mail_references")
    .select(["ticket", "reference"])
    .where("reference", "in", references.slice(0, 20))
    .execute();
  const known = new Map(rows.map(({ reference, ticket }) => [reference, ticket]));
  const first = references.find((reference) => known.has(reference));
  return first === undefined ? null : readTicketRow(queries, known.get(first) ?? 0);
}

async function readTicketRow(queries: Queries, id: number): Promise<TicketOfMail | null> {
  const row = await queries
    .selectFrom("tickets")
    .innerJoin("users", "users.id", "tickets.creator")
    .select(["tickets.id", "tickets.project", "tickets.status", "tickets.creator", "users.address"])
    .select("tickets.merged")
    .where("tickets.id", "=", id)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { merged, ...ticket } = row;
  const successor = merged === null ? null : await readTicketRow(queries, merged);
  return successor === null ? ticket : { ...ticket, id: successor.id, status: successor.status };
}

/** Gives the reason why an agent has to decide about a mail, or null. */
async function reasonToHold(
  queries: Queries,
  { now }: WritingOptions,
  ticket: TicketOfMail,
  mail: ReceivedMail,
): Promise<string | null> {
  if (toComparable(mail.from) !== toComparable(ticket.address)) return "somebody else sent it";
  if (ticket.status === 5) return "the ticket is closed";
  if (mail.message === "" && mail.files.length === 0) return "it is empty";
  const about = { ticket: ticket.id, address: mail.from, now: now() };
  return isTooMuch(await countToday(queries, "in", about))
    ? "too many mails from this address today"
    : null;
}

function stateFor({ kind }: ReceivedMail, reason: string | null): MailState {
  if (kind === "bounce") return "bounced";
  if (kind === "automatic") return "automatic";
  return reason === null ? "taken" : "held";
}

/** Marks the ticket's mails that a bounce reports as undelivered. */
async function markUndelivered(
  queries: Queries,
  ticket: number,
  { undelivered, reason }: ReceivedMail,
): Promise<void> {
  if (undelivered.length === 0) return;
  await queries
    .updateTable("mails")
    .set({ state: "failed", reason: toStorable(reason) })
    .where("ticket", "=", ticket)
    .where("direction", "=", "out")
    .where("message_id", "in", [...undelivered])
    .execute();
}

/** Adds the mail as a reply of the ticket's person, with the files that uploads may have. */
async function addMailAsReply(
  queries: Queries,
  options: WritingOptions,
  ticket: TicketOfMail,
  mail: number,
  { message, files }: ReceivedMail,
): Promise<void> {
  const media: string[] = [];
  const refused: string[] = [];
  for (const { name, data } of files) {
    if (media.length === LIMITS.attachments) {
      refused.push(`(${name}: a reply has at most ${LIMITS.attachments} files)`);
      continue;
    }
    try {
      const { id } = await insertFile(queries, options, ticket.project, name, data);
      media.push(String(id));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refused.push(`(${name}: ${reasonForAgents(error)})`);
    }
  }
  const id = await addReply(queries, options, {
    project: ticket.project,
    ticket: ticket.id,
    creator: ticket.creator,
    message: htmlOfWritten([message, ...refused].join("\n")),
    attachments: media,
  });
  await queries.updateTable("mails").set({ reply: id }).where("id", "=", mail).execute();
}

/** Shortens the reason why a file is refused: agents did not send it, so no list of kinds helps them. */
function reasonForAgents({ message }: Refusal): string {
  return message.replace(/^(?:name|content): /, "").split("; ")[0] ?? message;
}
