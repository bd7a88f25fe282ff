import { type RawBuilder, sql } from "kysely";
import type { MailConfig } from "../../config/config.ts";
import { readMailAddress } from "../../locales/person.ts";
import { toStorable } from "../../storage/storable.ts";
import type { Queries } from "../storage/tables/database.ts";
import { refuseFor, refuseNotFound } from "../http/refusal.ts";
import { toFullUuid } from "../ticketing/identity.ts";
import { contactOf } from "../ticketing/users.ts";

/** The options of {@link queueMail}. */
export interface QueueOptions {
  readonly mail: Pick<MailConfig, "from">;
  readonly now: () => number;
  readonly random: (length: number) => Uint8Array;
}

/** Limits of mails in one direction within a day. */
const MAX_PER_DAY = { ticket: 50, address: 100 };

/** Acknowledgements to one address within a day. Anyone can open tickets in its name. */
const MAX_ACKNOWLEDGEMENTS = 5;
export const DAY = 86_400_000;

/**
 * Queues a mail to a ticket's person: an answer of the team, or an acknowledgement if `reply` is
 * null. It is part of the caller's transaction, so that it is sent only if that commits. People
 * without a mail address get none.
 */
export async function queueMail(
  queries: Queries,
  options: QueueOptions,
  about: { readonly ticket: number; readonly reply: number | null; readonly text: string },
): Promise<void> {
  const ticket = await queries
    .selectFrom("tickets")
    .innerJoin("users", "users.id", "tickets.creator")
    .select(["tickets.project", "tickets.id", "tickets.hash_uuid", "tickets.title"])
    .select("users.address")
    .where("tickets.id", "=", about.ticket)
    .executeTakeFirstOrThrow();
  const address = readMailAddress(contactOf(ticket.address));
  if (address === null) return;
  const at = options.now();
  const reference = await referenceOf(queries, ticket.id, options.random);
  const sent = await countToday(queries, "out", { ticket: ticket.id, address, now: at });
  if (about.reply === null && sent.acknowledgements >= MAX_ACKNOWLEDGEMENTS) return;
  const allowed = !isTooMuch(sent);
  await queries
    .insertInto("mails")
    .values({
      project: ticket.project,
      ticket: ticket.id,
      reply: about.reply,
      direction: "out",
      message_id: `${reference}.${toLetters(options.random(10))}@${domainOf(options.mail.from)}`,
      address,
      subject: toStorable(`${ticket.title} [${toFullUuid(ticket.id, ticket.hash_uuid)}]`),
      text: toStorable(about.text),
      quoted: "",
      state: allowed ? "queued" : "failed",
      reason: allowed ? null : "too many mails to this person today",
      raw: null,
      attempts: 0,
      due: at,
      created: at,
    })
    .execute();
}

/**
 * Reads the ticket's reference, an unguessable text that its answers quote. It is created on first
 * use.
 */
async function referenceOf(
  queries: Queries,
  ticket: number,
  random: QueueOptions["random"],
): Promise<string> {
  await queries
    .insertInto("mail_references")
    .values({ ticket, reference: `${REFERENCE_PREFIX}${toLetters(random(20))}` })
    .onConflict((conflict) => conflict.column("ticket").doNothing())
    .execute();
  const row = queries
    .selectFrom("mail_references")
    .select("reference")
    .where("ticket", "=", ticket);
  return (await row.executeTakeFirstOrThrow()).reference;
}

/** Finds the references in a text, in order of appearance and without duplicates. */
export function findReferences(text: string): readonly string[] {
  return [...new Set(text.toLowerCase().match(REFERENCE) ?? [])];
}

const REFERENCE_PREFIX = "aw-";
const REFERENCE = /\baw-[a-z2-7]{32}\b/g;

/** Base32 (RFC 4648) in small letters: mail programs may change the case of what they quote. */
function toLetters(bytes: Uint8Array): string {
  let bits = "";
  for (const byte of bytes) bits += byte.toString(2).padStart(8, "0");
  const fives = bits.match(/.{5}/g) ?? [];
  return fives.map((five) => "abcdefghijklmnopqrstuvwxyz234567"[Number.parseInt(five, 2)]).join("");
}

/** Counts the mails to or from an address in the last 24 hours, for each limit. */
export function countToday(
  queries: Queries,
  direction: "in" | "out",
  {
    ticket,
    address,
    now,
  }: { readonly ticket: number; readonly address: string; readonly now: number },
): Promise<MailCount> {
  return queries
    .selectFrom("mails")
    .select(({ fn }) => [
      countOf(sql`ticket = ${ticket}`).as("ticket"),
      countOf(sql`reply IS NULL`).as("acknowledgements"),
      fn.countAll<number>().as("address"),
    ])
    .where("direction", "=", direction)
    .where("address", "=", address)
    .where("created", ">", now - DAY)
    .executeTakeFirstOrThrow();
}

export interface MailCount {
  /** The count for the ticket. */
  readonly ticket: number;
  /** The count for the address. */
  readonly address: number;
  /** The count of acknowledgements among those, without a reply. */
  readonly acknowledgements: number;
}

/** True when a limit is reached, so that an agent has to decide. */
export function isTooMuch({ ticket, address }: MailCount): boolean {
  return ticket >= MAX_PER_DAY.ticket || address >= MAX_PER_DAY.address;
}

function countOf(condition: RawBuilder<unknown>) {
  return sql<number>`coalesce(sum(CASE WHEN ${condition} THEN 1 ELSE 0 END), 0)`;
}

/** `shop.example` of `Shop <help@shop.example>`. */
function domainOf(from: string): string {
  return readMailAddress(from)?.split("@")[1] ?? "localhost";
}

/**
 * Queues a doubtful or failed mail again. It keeps its Message-ID, so that mail programs show it
 * once even if both arrive.
 *
 * @throws Refusal 404, or 409 for a mail that waits or was sent
 */
export async function resendMail(
  queries: Queries,
  { ticket, mail, now }: { readonly ticket: number; readonly mail: number; readonly now: number },
): Promise<void> {
  const own = queries.selectFrom("mails").where("ticket", "=", ticket).where("id", "=", mail);
  const row = await own.select("state").executeTakeFirst();
  if (row === undefined) throw refuseNotFound(`mail ${mail}`);
  const changed = await queries
    .updateTable("mails")
    .set({ state: "queued", reason: null, attempts: 0, due: now })
    .where("id", "=", mail)
    .where("direction", "=", "out")
    .where("state", "in", ["doubtful", "failed"])
    .executeTakeFirst();
  if (changed.numUpdatedRows === 0n) {
    throw refuseFor(
      409,
      "mail-sent",
      `The mail is ${row.state}: only one that failed or is doubtful is sent again.`,
    );
  }
}
