import { textOfHtml } from "../../locales/html-text.ts";
import { toStorable } from "../../storage/storable.ts";
import { addSearchedTexts } from "../storage/search-index.ts";
import type { TicketReply } from "../../api/ticketing/answers.ts";
import type { NewReply } from "../../api/ticketing/schema.ts";
import { refuseFor } from "../http/refusal.ts";
import type { Queries } from "../storage/tables/database.ts";
import { attach, attachmentsOf, inlineMedia } from "./attaching.ts";
import { lockRow, solvedColumnOf } from "./change-ticket.ts";
import type { TicketingOptions, WritingOptions } from "./context.ts";
import { userOf } from "./create-ticket.ts";
import { createOnce } from "./idempotency.ts";
import { toCreatedAnswer, idOf, uuidFrom } from "./identity.ts";
import { queueMail } from "../mail/mails.ts";
import { queueEvent } from "./outbox.ts";
import { recordChanges } from "./ticket-rows.ts";
import type { TicketRow } from "./ticket-rows.ts";

interface ReplyCreation {
  readonly project: string;
  readonly ticket: string;
  readonly reply: NewReply;
  readonly idempotencyKey: string | null;
}

/** Adds a reply. Throws 404, 409 for a closed ticket, 410, 422. */
export async function createReply(
  options: TicketingOptions,
  { project, ticket, reply, idempotencyKey }: ReplyCreation,
): Promise<object> {
  const { database, now, wire } = options;
  const request = JSON.stringify(["reply", ticket, reply]);
  const id = await database.durable(async (queries) => {
    const about = await idOf(queries, "tickets", project, ticket);
    return createOnce(queries, { project, key: idempotencyKey, request, now: now() }, async () => {
      const creator = await userOf(queries, project, "creator", reply.creator);
      const { message, attachments = [] } = reply;
      return addReply(queries, options, { project, ticket: about, creator, message, attachments });
    });
  });
  const row = database.kysely.selectFrom("replies").select("hash_uuid").where("id", "=", id);
  return toCreatedAnswer(wire, id, (await row.executeTakeFirstOrThrow()).hash_uuid);
}

/** A reply that has arrived by any channel. */
export interface ArrivedReply {
  readonly project: string;
  readonly ticket: number;
  /** Id of the user who wrote it. */
  readonly creator: number;
  /** HTML. */
  readonly message: string;
  /** Identifiers of files. */
  readonly attachments: readonly string[];
}

/**
 * Adds a reply that has arrived, within a transaction. A reply to a merged ticket goes to the ticket
 * that it was merged into. A reply of the person who asked reopens a solved or waiting ticket; a reply
 * of the team is sent to that person by e-mail, if that is configured.
 *
 * @returns the reply's number
 *
 * @throws Refusal 409 for a closed ticket, 410 and 422 for files
 */
export async function addReply(
  queries: Queries,
  { now, random, mail }: Pick<WritingOptions, "now" | "random" | "mail">,
  { project, ticket: named, creator, message, attachments }: ArrivedReply,
): Promise<number> {
  const at = now();
  const about = await lockSuccessor(queries, named);
  const ticket = about.id;
  if (about.status === 5) {
    throw refuseFor(
      409,
      "ticket-closed",
      "The ticket is closed: create a new one, with this one as its parent.",
    );
  }
  const type = (await hasAsked(queries, ticket, creator)) ? "reply" : "answer";
  const { id } = await queries
    .insertInto("replies")
    .values({
      project,
      hash_uuid: uuidFrom(random(16)),
      ticket,
      creator,
      message: toStorable(message),
      type,
      created: at,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await addSearchedTexts(queries, [
    { kind: "reply", source: id, subject: ticket, text: textOfHtml(message) },
  ]);
  const media = [...attachments, ...inlineMedia(message)];
  await attach(queries, project, media, { ticket, reply: id, now: at });
  const reopened = (about.status === 3 || about.status === 4) && type === "reply";
  await queries
    .updateTable("tickets")
    .set({
      updated: at,
      ...(reopened && { status: 2, ...solvedColumnOf(about, { status: 2 }, at) }),
      ...(type === "answer" && { answered: about.answered ?? at }),
    })
    .where("id", "=", ticket)
    .execute();
  const records = [
    { action: type, after: id } as const,
    ...(reopened
      ? [{ action: "reopen", field: "status", before: about.status, after: 2 } as const]
      : []),
  ];
  await recordChanges(queries, { project, ticket, actor: creator }, at, records);
  await queueEvent(queries, project, at, {
    id,
    item: "reply",
    action: "add",
    actor: creator,
    parent: ticket,
  });
  if (mail !== undefined && type === "answer") {
    await queueMail(queries, { mail, now, random }, { ticket, reply: id, text: message });
  }
  return id;
}

/** Locks a ticket, or the one that it was merged into, for this transaction. */
async function lockSuccessor(queries: Queries, ticket: number): Promise<TicketRow> {
  const row = await lockRow(queries, ticket);
  return row.merged === null ? row : lockSuccessor(queries, row.merged);
}

/** Tells whether a user asked in this ticket, or in one that was merged into it. */
async function hasAsked(queries: Queries, ticket: number, user: number): Promise<boolean> {
  const row = await queries
    .selectFrom("tickets")
    .select("id")
    .where("creator", "=", user)
    .where((builder) => builder.or([builder("id", "=", ticket), builder("merged", "=", ticket)]))
    .executeTakeFirst();
  return row !== undefined;
}

/** Lists the replies of a ticket, oldest first. */
export async function listReplies(
  queries: Queries,
  ticket: number,
  limit: number,
  offset: number,
): Promise<readonly TicketReply[]> {
  const rows = await queries
    .selectFrom("replies")
    .selectAll()
    .where("ticket", "=", ticket)
    .orderBy("id")
    .limit(limit)
    .offset(offset)
    .execute();
  const files = Map.groupBy(await attachmentsOf(queries, [ticket]), ({ reply }) => reply);
  return rows.map((row) => ({
    id: row.id,
    hash_uuid: row.hash_uuid,
    ticket: row.ticket,
    creator: row.creator,
    message: row.message,
    type: row.type === "reply" ? "reply" : "answer",
    attachments: (files.get(row.id) ?? []).map(({ id, hash_uuid, name }) => ({
      id,
      hash_uuid,
      name,
    })),
    created: Math.floor(row.created / 1000),
  }));
}
