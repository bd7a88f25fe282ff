import { storable } from "../../storage/storable.ts";
import type { NewReply } from "../../api/ticketing/schema.ts";
import type { Reply } from "../../api/ticketing/answers.ts";
import { attach, attachmentsOf, inlineMedia } from "./attaching.ts";
import { lockedRow } from "./change-ticket.ts";
import type { TicketingOptions } from "./context.ts";
import { userOf } from "./create-ticket.ts";
import { createdAnswer, idOf, uuidFrom } from "./identity.ts";
import type { Queries } from "../storage/tables/database.ts";
import { createdOnce } from "./idempotency.ts";
import { queueEvents } from "./outbox.ts";
import { Refusal } from "../refusal.ts";
import { record } from "./ticket-rows.ts";

export interface ReplyCreation {
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
    return createdOnce(queries, { project, key: idempotencyKey, request, now: now() }, () =>
      insertReply(queries, options, project, about, reply),
    );
  });
  const row = database.kysely.selectFrom("replies").select("hash_uuid").where("id", "=", id);
  return createdAnswer(wire, id, (await row.executeTakeFirstOrThrow()).hash_uuid);
}

async function insertReply(
  queries: Queries,
  { now, random }: TicketingOptions,
  project: string,
  ticket: number,
  reply: NewReply,
): Promise<number> {
  const at = now();
  const about = await lockedRow(queries, ticket);
  if (about.status === 5) {
    throw new Refusal(409, "The ticket is closed: create a new one, with this one as its parent.");
  }
  const creator = await userOf(queries, project, "creator", reply.creator);
  const type = creator === about.creator ? "reply" : "answer";
  const { id } = await queries
    .insertInto("replies")
    .values({
      project,
      hash_uuid: uuidFrom(random(16)),
      ticket,
      creator,
      message: storable(reply.message),
      type,
      created: at,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const media = [...(reply.attachments ?? []), ...inlineMedia(reply.message)];
  await attach(queries, project, media, { ticket, reply: id, now: at });
  const reopened = about.status === 4 && type === "reply";
  await queries
    .updateTable("tickets")
    .set({ updated: at, ...(reopened && { status: 2 }) })
    .where("id", "=", ticket)
    .execute();
  const records = [
    { action: type, after: id } as const,
    ...(reopened
      ? [{ action: "reopen", field: "status", before: about.status, after: 2 } as const]
      : []),
  ];
  await record(queries, { project, ticket, actor: creator }, at, records);
  await queueEvents(queries, project, at, [
    { id, item: "reply", action: "add", actor: creator, parent: ticket },
  ]);
  return id;
}

/** Replies of a ticket, oldest first. */
export async function listReplies(
  queries: Queries,
  ticket: number,
  limit: number,
  offset: number,
): Promise<readonly Reply[]> {
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
