import type { ChatTicket } from "../../api/chat/answers-tickets.ts";
import {
  chatTicketActivity,
  chatTicketAnswer,
  chatTicketChange,
  chatTicketMail,
  chatTicketMerge,
  chatTicketNote,
  chatTicketsChange,
  TICKET_REASONS,
  newChatTicket,
  ticketFilter,
  ticketPeopleFilter,
} from "../../api/chat/schema-tickets.ts";
import { TICKETING_MEDIA_TYPES } from "../../config/schema/media-types.ts";
import { serveStoredFile } from "../http/files.ts";
import { parseQuery } from "../auth/handling.ts";
import { refuseNotFound, toPrintable } from "../http/refusal.ts";
import { createFileReader, readMedia, storeFile } from "../ticketing/media.ts";
import { listQueues } from "../ticketing/queues.ts";
import { listTags } from "../ticketing/tags.ts";
import type { TicketRow } from "../ticketing/ticket-rows.ts";
import { requirePersonalLimit } from "./access.ts";
import { readVisibleChat } from "./chats/visible.ts";
import { readSentFile } from "./handlers-messages.ts";
import { type ChatHandler, type ChatRequest, parseFields } from "./request.ts";
import {
  readReadableTicket,
  requireAnyEdit,
  requireTicketView,
  type TicketAccess,
} from "./tickets/access.ts";
import { createTicketByHand } from "./tickets/by-hand.ts";
import { changeTicketsAtDesk } from "./tickets/change-several.ts";
import { readTicketDetail } from "./tickets/detail.ts";
import { explainRefusal } from "./tickets/explain-refusal.ts";
import { requireReadableFile } from "./tickets/files.ts";
import { createTicketOfChat, ticketsOfChat } from "./tickets/from-chat.ts";
import { countTickets, listTicketLines, selectLines, toLines } from "./tickets/list.ts";
import { decideMailAtDesk } from "./tickets/mail.ts";
import { findPerson, listKnownPeople } from "./tickets/person.ts";
import { listPresent, noteTicketActivity } from "./tickets/presence.ts";
import { covers } from "./tickets/rights.ts";
import { addTicketNote, answerTicket, changeTicketAtDesk, mergeAtDesk } from "./tickets/work.ts";

/** Tickets of the app's project, for agents with the rights to read and to answer them. */
export const TICKET_HANDLERS = {
  async tickets(request) {
    const access = await requireTicketView(request);
    const { database } = request.options;
    const { person, ...given } = parseQuery(ticketFilter, request);
    const of = person === undefined ? null : await findPerson(request, person);
    const filter = { ...given, addresses: of?.addresses };
    const { data, hasMore, next } = await listTicketLines(database, access, filter);
    const counts = await countTickets(database, access, filter);
    return { tickets: data, hasMore, next, counts };
  },

  async ticket(request) {
    const access = await requireTicketView(request);
    return toTicketAnswer(
      request,
      access,
      await readReadableTicket(request.queries, access, request.id),
    );
  },

  async ticketChoices(request) {
    const { project, view, edit } = await requireTicketView(request);
    return {
      queues: (await listQueues(request.queries, project)).map((queue) => ({
        ...queue,
        readable: covers(view, queue.id),
        editable: covers(view, queue.id) && covers(edit, queue.id),
      })),
      tags: await listTags(request.queries, project, view),
      fileTypes: request.options.mediaTypes ?? TICKETING_MEDIA_TYPES,
      editable: edit?.length !== 0,
      mail: request.options.mail !== undefined,
    };
  },

  async ticketPeople(request) {
    const access = await requireTicketView(request);
    const { search } = parseQuery(ticketPeopleFilter, request);
    return { people: await listKnownPeople(request.options.database, access, search) };
  },

  async createTicket(request) {
    return changeAndAnswer(request, async (access) => {
      const fields = parseFields(newChatTicket, request);
      const { options, idempotencyKey } = request;
      if (fields.chat === undefined) {
        return createTicketByHand(options, access, fields, idempotencyKey);
      }
      const chat = await readVisibleChat(request, fields.chat);
      return createTicketOfChat(options, access, chat, fields);
    });
  },

  async changeTicket(request) {
    return changeAndAnswer(request, (access) =>
      changeTicketAtDesk(
        request.options,
        access,
        request.id,
        parseFields(chatTicketChange, request, TICKET_REASONS),
      ),
    );
  },

  async changeTickets(request) {
    const access = await requireTicketView(request);
    await requirePersonalLimit(request, "messages");
    return explainRefusals(request, access, () =>
      changeTicketsAtDesk(
        request.options,
        access,
        parseFields(chatTicketsChange, request, TICKET_REASONS),
      ),
    );
  },

  async answerTicket(request) {
    return changeAndAnswer(request, async (access) => {
      const answer = parseFields(chatTicketAnswer, request);
      const { options, idempotencyKey } = request;
      const row = await answerTicket(options, access, request.id, answer, idempotencyKey);
      const here = { ticket: row.id, agent: access.agent };
      await noteTicketActivity(request.queries, here, "looking", options.now());
      return row;
    });
  },

  async addTicketNote(request) {
    return changeAndAnswer(request, (access) => {
      const { message } = parseFields(chatTicketNote, request);
      return addTicketNote(request.options, access, request.id, message, request.idempotencyKey);
    });
  },

  async noteTicketActivity(request) {
    const access = await requireTicketView(request);
    const { type } = parseFields(chatTicketActivity, request);
    const { id } = await readReadableTicket(request.queries, access, request.id);
    const here = { ticket: id, agent: access.agent };
    const now = request.options.now();
    await noteTicketActivity(request.queries, here, type, now);
    return { present: await listPresent(request.queries, here, now) };
  },

  async mergeTicket(request) {
    return changeAndAnswer(request, (access) =>
      mergeAtDesk(request.options, access, request.id, parseFields(chatTicketMerge, request).into),
    );
  },

  async decideTicketMail(request) {
    return changeAndAnswer(request, (access) =>
      decideMailAtDesk(request.options, access, request.id, parseFields(chatTicketMail, request)),
    );
  },

  async uploadTicketFile(request) {
    const access = await requireTicketView(request);
    await requirePersonalLimit(request, "uploads");
    requireAnyEdit(access);
    const { name, data } = await readSentFile(request);
    const file = await storeFile(request.options, access.project, name, data);
    const { hash, type } = file;
    return { media: { id: hash, url: `/tickets/media/${hash}`, type, name: file.name } };
  },

  async ticketFile(request) {
    const access = await requireTicketView(request);
    const media = await readMedia(request.options, access.project, request.id);
    // A file that was only uploaded belongs to no ticket yet.
    if (!media.attached) throw refuseNotFound(`media file ${toPrintable(request.id)}`);
    await requireReadableFile(request.queries, access, media.id, request.id);
    return serveStoredFile(media, createFileReader(request.options, media));
  },

  async chatTickets(request) {
    const access = await requireTicketView(request);
    const chat = await readVisibleChat(request, request.id);
    const { project, view } = access;
    const found = await ticketsOfChat(request.queries, project, chat);
    const ids = found.filter(({ queue }) => covers(view, queue)).map(({ id }) => id);
    if (ids.length === 0) return { tickets: [] };
    const lines = selectLines(request.queries, project).where("tickets.id", "in", ids);
    const rows = await lines.orderBy("tickets.id").execute();
    return { tickets: await toLines(request.queries, project, rows) };
  },
} satisfies Readonly<Record<string, ChatHandler>>;

/** Changes a ticket, and answers with its new state. */
async function changeAndAnswer(
  request: ChatRequest,
  change: (access: TicketAccess) => Promise<TicketRow>,
): Promise<{ readonly ticket: ChatTicket }> {
  const access = await requireTicketView(request);
  await requirePersonalLimit(request, "messages");
  return explainRefusals(request, access, async () =>
    toTicketAnswer(request, access, await change(access)),
  );
}

async function explainRefusals<T>(
  { options }: ChatRequest,
  access: TicketAccess,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw await explainRefusal(options, access, error);
  }
}

async function toTicketAnswer(
  request: ChatRequest,
  access: TicketAccess,
  row: TicketRow,
): Promise<{ readonly ticket: ChatTicket }> {
  return { ticket: await readTicketDetail(request.queries, access, row, request.options.now()) };
}
