import {
  type ChatTicketAnswer,
  type ChatTicketChange,
  REFUSED_TAGS,
} from "../../../api/chat/schema-tickets.ts";
import { LIMITS } from "../../../api/call/limits.ts";
import { toStorable } from "../../../storage/storable.ts";
import { refuseFor } from "../../http/refusal.ts";
import { addSearchedTexts } from "../../storage/search-index.ts";
import type { Queries } from "../../storage/tables/database.ts";
import { htmlOfWritten, ensureUserOfAgent } from "../../ticketing/agent-users.ts";
import {
  checkTransition,
  lockRow,
  type TicketColumns,
  writeColumns,
} from "../../ticketing/change-ticket.ts";
import { createOnce } from "../../ticketing/idempotency.ts";
import { uuidFrom } from "../../ticketing/identity.ts";
import { mergeTickets } from "../../ticketing/merge-tickets.ts";
import { requireQueue } from "../../ticketing/queues.ts";
import { addReply } from "../../ticketing/replies.ts";
import { changeTags, tagsOf } from "../../ticketing/tags.ts";
import { recordChanges } from "../../ticketing/ticket-rows.ts";
import type { TicketRow } from "../../ticketing/ticket-rows.ts";
import type { ChatOptions } from "../options.ts";
import { readReadableTicket, requireTicketEdit, type TicketAccess } from "./access.ts";
import { requireAttachableFiles } from "./files.ts";
import { findSolver, staysSolver } from "./solver.ts";

/**
 * Changes that an agent makes to tickets. Each is one transaction, which checks the ticket's state
 * first.
 */

/**
 * Changes a ticket. A new ticket becomes open when it is assigned. In another queue it keeps its
 * assignee only if that agent may answer there.
 *
 * @throws Refusal 403, 404, 409 where another has changed the same since `seen`, 422
 */
export function changeTicketAtDesk(
  { database, now, random }: ChatOptions,
  access: TicketAccess,
  id: string,
  { seen, assignee, ...fields }: ChatTicketChange,
): Promise<TicketRow> {
  return database.durable(async (queries) => {
    const before = await lockEditableTicket(queries, access, id);
    const { project, agent } = access;
    const actor = await ensureUserOfAgent(queries, { now, random }, project, agent);
    const queue = fields.queue ?? before.queue;
    await requireQueue(queries, project, queue);
    const columns: TicketColumns = {
      ...(fields.title !== undefined && { title: toStorable(fields.title) }),
      ...(fields.status !== undefined && { status: fields.status }),
      ...(fields.queue !== undefined && { queue }),
      ...(await toSolverColumns(queries, { now, random }, access, { before, assignee, queue })),
    };
    if (fields.status !== undefined) checkTransition(before, fields.status);
    const opened =
      before.status === 1 && fields.status === undefined && (columns.solver ?? null) !== null;
    const tagsBefore = (await tagsOf(queries, [before.id])).get(before.id) ?? [];
    const tags = toTags(tagsBefore, fields);
    const changed = listChangedFields(before, columns, tags, tagsBefore);
    await requireUnchanged(queries, before, { seen, actor, fields: changed });
    const by = { actor, at: now() };
    await writeColumns(queries, before, { ...columns, ...(opened && { status: 2 }) }, by);
    if (tags !== undefined && changed.includes("tags")) {
      await changeTags(queries, { project, ticket: before.id, ...by }, tagsBefore, tags);
      await markUpdated(queries, before.id, by.at);
    }
    return lockRow(queries, before.id);
  });
}

/**
 * Answers a ticket, and assigns it to the agent if it has no assignee. With a key, the answer is
 * stored once.
 *
 * @throws Refusal 403, 404, 409 where something was said since `seen`, or for a closed ticket, 422
 */
export function answerTicket(
  { database, now, random, mail }: ChatOptions,
  access: TicketAccess,
  id: string,
  { seen, ...answer }: ChatTicketAnswer,
  key: string | null,
): Promise<TicketRow> {
  return database.durable(async (queries) => {
    const before = await lockEditableTicket(queries, access, id);
    const { project } = access;
    const once = {
      project,
      key: key === null ? null : `desk ${access.agent} ${key}`,
      request: JSON.stringify(["answer", before.id, answer]),
      now: now(),
    };
    await createOnce(queries, once, async () => {
      const { message, attachments = [], status } = answer;
      requireOpen(before);
      const actor = await ensureUserOfAgent(queries, { now, random }, project, access.agent);
      await requireNoNewMessage(queries, before, seen);
      if (status !== undefined) checkTransition(before, status);
      await requireAttachableFiles(queries, access, attachments);
      const html = htmlOfWritten(message);
      const reply = { project, ticket: before.id, creator: actor, message: html, attachments };
      const made = await addReply(queries, { now, random, ...(mail && { mail }) }, reply);
      const columns = {
        ...(status !== undefined && { status }),
        ...(before.solver === null && { solver: actor }),
      };
      await writeColumns(queries, before, columns, { actor, at: now() });
      return made;
    });
    return lockRow(queries, before.id);
  });
}

/** Keeps a note for agents, also about a closed ticket. Throws 403, 404, 409 for too many. */
export function addTicketNote(
  { database, now, random }: ChatOptions,
  access: TicketAccess,
  id: string,
  message: string,
  key: string | null,
): Promise<TicketRow> {
  return database.durable(async (queries) => {
    const { project, agent } = access;
    const { id: ticket } = await lockEditableTicket(queries, access, id);
    const once = {
      project: `ticket note ${project} ${agent}`,
      key,
      request: JSON.stringify([ticket, message]),
      now: now(),
    };
    await createOnce(queries, once, async () => {
      const kept = await queries
        .selectFrom("ticket_notes")
        .select("id")
        .where("ticket", "=", ticket)
        .execute();
      if (kept.length >= LIMITS.chatNotes) {
        throw refuseFor(409, "notes", `The ticket has ${LIMITS.chatNotes} notes already.`, {
          count: LIMITS.chatNotes,
        });
      }
      const at = now();
      const hash = uuidFrom(random(16));
      const row = { project, hash_uuid: hash, created: at, ticket, author: agent };
      const added = await queries
        .insertInto("ticket_notes")
        .values({ ...row, message: toStorable(message) })
        .returning("id")
        .executeTakeFirstOrThrow();
      await addSearchedTexts(queries, [
        { kind: "ticket-note", source: added.id, subject: ticket, text: message },
      ]);
      const actor = await ensureUserOfAgent(queries, { now, random }, project, agent);
      const record = { action: "note", after: added.id } as const;
      await recordChanges(queries, { project, ticket, actor }, at, [record]);
      await markUpdated(queries, ticket, at);
      return added.id;
    });
    return lockRow(queries, ticket);
  });
}

/** Merges a duplicate into another ticket, and returns that one. Throws 403, 404, 409, 422. */
export function mergeAtDesk(
  { database, now, random }: ChatOptions,
  access: TicketAccess,
  id: string,
  into: string,
): Promise<TicketRow> {
  return database.durable(async (queries) => {
    const { project, agent } = access;
    const [from, other] = [
      await readReadableTicket(queries, access, id),
      await readReadableTicket(queries, access, into),
    ];
    for (const { queue } of [from, other]) requireTicketEdit(access, queue);
    const actor = await ensureUserOfAgent(queries, { now, random }, project, agent);
    await mergeTickets(queries, { from: from.id, into: other.id }, { actor, at: now() });
    return lockRow(queries, other.id);
  });
}

/** Locks a ticket that the agent may change for this transaction. */
export async function lockEditableTicket(
  queries: Queries,
  access: TicketAccess,
  id: string,
): Promise<TicketRow> {
  const row = await lockRow(queries, (await readReadableTicket(queries, access, id)).id);
  requireTicketEdit(access, row.queue);
  return row;
}

function requireOpen({ merged, status }: TicketRow): void {
  if (merged !== null)
    throw refuseFor(409, "ticket-closed", "The ticket has been merged into another one.");
  if (status === 5) throw refuseFor(409, "ticket-closed", "The ticket is closed.");
}

interface Assignment {
  readonly before: TicketRow;
  /** Id of an agent, empty for nobody, undefined for no change. */
  readonly assignee: string | undefined;
  readonly queue: number;
}

/**
 * Makes the columns of a new assignee. One who may not answer tickets of the new queue would not see
 * the ticket any more, so it is nobody's there. Throws 422 for an agent who may not answer.
 */
async function toSolverColumns(
  queries: Queries,
  options: Pick<ChatOptions, "now" | "random">,
  access: TicketAccess,
  { before, assignee, queue }: Assignment,
): Promise<TicketColumns> {
  if (assignee === undefined) {
    const { solver } = before;
    const stays =
      queue === before.queue || (await staysSolver(queries, access.app, { solver, queue }));
    return stays ? {} : { solver: null };
  }
  if (assignee === "") return { solver: null };
  return { solver: await findSolver(queries, options, access, { assignee, queue }) };
}

/** Finds the tags that a ticket is to have; undefined if they stay as they are. */
function toTags(
  before: readonly string[],
  { tags, addTags = [], removeTags = [] }: ChatTicketChange,
): readonly string[] | undefined {
  if (tags === undefined && addTags.length + removeTags.length === 0) return undefined;
  const gone = new Set(removeTags);
  const all = [...new Set([...(tags ?? before), ...addTags])].filter((tag) => !gone.has(tag));
  if (all.length <= LIMITS.tags) return all;
  const { reason, params } = REFUSED_TAGS;
  throw refuseFor(422, reason, `tags: must have at most ${LIMITS.tags} entries`, params);
}

/** Lists the fields whose value a change alters, by their names in the history. */
function listChangedFields(
  before: TicketRow,
  columns: TicketColumns,
  tags: readonly string[] | undefined,
  tagsBefore: readonly string[],
): readonly string[] {
  const names = ["title", "status", "queue", "solver"] as const;
  const changed: string[] = names.filter(
    (name) => Object.hasOwn(columns, name) && columns[name] !== before[name],
  );
  const same =
    tags === undefined || new Set(tags).symmetricDifference(new Set(tagsBefore)).size === 0;
  return same ? changed : [...changed, "tags"];
}

interface Since {
  /** The last change that the agent has seen; undefined for all of them. */
  readonly seen: number | undefined;
  /** The user who changes it now, whose own changes are no conflict. */
  readonly actor: number;
  readonly fields: readonly string[];
}

/** Throws 409 where another has changed one of the fields meanwhile. */
async function requireUnchanged(
  queries: Queries,
  { id }: TicketRow,
  { seen, actor, fields }: Since,
): Promise<void> {
  if (seen === undefined || fields.length === 0) return;
  const row = await queries
    .selectFrom("ticket_events")
    .select("field")
    .where("ticket", "=", id)
    .where("id", ">", seen)
    .where("field", "in", [...fields])
    .where((builder) => builder.or([builder("actor", "is", null), builder("actor", "<>", actor)]))
    .executeTakeFirst();
  if (row === undefined) return;
  throw refuseFor(409, "changed", `${row.field}: another has changed it in the meantime.`);
}

/** Throws 409 where an agent has answered, in another tab too, or the person has written. */
async function requireNoNewMessage(
  queries: Queries,
  { id }: TicketRow,
  seen: number | undefined,
): Promise<void> {
  if (seen === undefined) return;
  const row = await queries
    .selectFrom("ticket_events")
    .select("id")
    .where("ticket", "=", id)
    .where("id", ">", seen)
    .where("action", "in", ["reply", "answer"])
    .executeTakeFirst();
  if (row === undefined) return;
  throw refuseFor(409, "answered", "Somebody has written in this ticket in the meantime.");
}

async function markUpdated(queries: Queries, ticket: number, at: number): Promise<void> {
  await queries.updateTable("tickets").set({ updated: at }).where("id", "=", ticket).execute();
}
