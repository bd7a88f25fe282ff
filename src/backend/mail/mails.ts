import { type RawBuilder, sql } from "kysely";
import type { MailConfig } from "../../config/config.ts";
import { readMailAddress } from "../../locales/person.ts";
import { storable } from "../../storage/storable.ts";
import type { Queries } from "../storage/tables/database.ts";
import type { MailState } from "../storage/tables/mail.ts";
import { notFound, Refusal } from "../http/refusal.ts";
import { fullUuid } from "../ticketing/identity.ts";

/** What queueing a mail needs. Within the transaction that causes it: it is sent if that commits. */
export interface QueueOptions {
  readonly mail: Pick<MailConfig, "from">;
  readonly now: () => number;
  readonly random: (length: number) => Uint8Array;
}

/**
 * Mails that leave for one ticket, and for one address, within a day; more wait for an agent.
 * Anyone can open tickets in the name of an address: few of them are acknowledged.
 */
const MOST_PER_DAY = { ticket: 50, address: 100, acknowledgements: 5 };
const DAY = 86_400_000;

/**
 * Queues a mail to a ticket's person: an answer of the team, or an acknowledgement where `reply` is
 * null. Someone without a mail address gets none.
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
  const address = readMailAddress(ticket.address);
  // A person who gave no address has one under `.invalid` (RFC 2606).
  if (address === null || address.endsWith(".invalid")) return;
  const at = options.now();
  const reference = await referenceOf(queries, ticket.id, options.random);
  const sent = await sentToday(queries, ticket.id, address, at);
  if (about.reply === null && sent.acknowledgements >= MOST_PER_DAY.acknowledgements) return;
  const allowed = sent.ticket < MOST_PER_DAY.ticket && sent.address < MOST_PER_DAY.address;
  await queries
    .insertInto("mails")
    .values({
      project: ticket.project,
      ticket: ticket.id,
      reply: about.reply,
      direction: "out",
      message_id: `${reference}.${toLetters(options.random(10))}@${domainOf(options.mail.from)}`,
      address,
      subject: storable(`${ticket.title} [${fullUuid(ticket.id, ticket.hash_uuid)}]`),
      text: storable(about.text),
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

/** The unguessable text by which a mail is known to answer this ticket; made when first needed. */
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

/** References that a text names, in the order of their places, each once. */
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

/** Mails to an address since yesterday, by what bounds them. */
function sentToday(
  queries: Queries,
  ticket: number,
  address: string,
  now: number,
): Promise<Readonly<Record<keyof typeof MOST_PER_DAY, number>>> {
  return queries
    .selectFrom("mails")
    .select(({ fn }) => [
      countOf(sql`ticket = ${ticket}`).as("ticket"),
      countOf(sql`reply IS NULL`).as("acknowledgements"),
      fn.countAll<number>().as("address"),
    ])
    .where("direction", "=", "out")
    .where("address", "=", address)
    .where("created", ">", now - DAY)
    .executeTakeFirstOrThrow();
}

function countOf(condition: RawBuilder<unknown>) {
  return sql<number>`coalesce(sum(CASE WHEN ${condition} THEN 1 ELSE 0 END), 0)`;
}

/** `shop.example` of `Shop <help@shop.example>`. */
export function domainOf(from: string): string {
  return /@([^\s@<>]+?)>?\s*$/.exec(from)?.[1] ?? "localhost";
}

/**
 * Sends a mail again that was perhaps sent, or could not be: under the same Message-ID, so that a
 * mail program shows it once.
 *
 * @throws Refusal 404, or 409 for a mail that waits or was sent
 */
export async function resendMail(
  queries: Queries,
  { ticket, mail, now }: { readonly ticket: number; readonly mail: number; readonly now: number },
): Promise<void> {
  const state = await stateOf(queries, ticket, mail);
  const changed = await queries
    .updateTable("mails")
    .set({ state: "queued", reason: null, attempts: 0, due: now })
    .where("id", "=", mail)
    .where("direction", "=", "out")
    .where("state", "in", ["doubtful", "failed"])
    .executeTakeFirst();
  if (changed.numUpdatedRows === 0n) {
    throw new Refusal(
      409,
      `The mail is ${state}: only one that failed or is doubtful is sent again.`,
    );
  }
}

/** @throws Refusal 404 */
export async function stateOf(queries: Queries, ticket: number, mail: number): Promise<MailState> {
  const row = await queries
    .selectFrom("mails")
    .select("state")
    .where("ticket", "=", ticket)
    .where("id", "=", mail)
    .executeTakeFirst();
  if (row === undefined) throw notFound(`mail ${mail}`);
  return row.state;
}
