import type { ChatTicket } from "../../api/chat/answers-tickets.ts";
import {
  chatTicketActivity,
  chatTicketAnswer,
  chatTicketChange,
  chatTicketMail,
  chatTicketMerge,
  chatTicketNote,
  newChatTicket,
  ticketFilter,
} from "../../api/chat/schema-tickets.ts";
import { TICKETING_MEDIA_TYPES } from "../../config/schema/media-types.ts";
import { downloadOf } from "../http/files.ts";
import { parseQuery } from "../auth/handling.ts";
import { refuseNotFound, toPrintable } from "../http/refusal.ts";
import { readMediaFile, storeFile } from "../ticketing/media.ts";
import { listQueues } from "../ticketing/queues.ts";
import { listTags } from "../ticketing/tags.ts";
import type { TicketRow } from "../ticketing/ticket-rows.ts";
import { refuseOverPersonalLimit } from "./access.ts";
import { readVisibleChat } from "./chats/visible.ts";
import { readSentFile } from "./handlers-messages.ts";
import {
  type ChatAnswer,
  type ChatHandler,
  type ChatRequest,
  parseFields,
  kyselyOf,
} from "./request.ts";
import {
  readReadableTicket,
  requireAnyEdit,
  requireTicketView,
  type TicketAccess,
} from "./tickets/access.ts";
import { readTicketDetail } from "./tickets/detail.ts";
import { requireReadableFile } from "./tickets/files.ts";
import { createTicketOfChat, ticketsOfChat } from "./tickets/from-chat.ts";
import { countTickets, listTicketLines, selectLines, toLines } from "./tickets/list.ts";
import { decideMailAtDesk } from "./tickets/mail.ts";
import { findPerson } from "./tickets/person.ts";
import { listPresent, noteTicketActivity } from "./tickets/presence.ts";
import { covers } from "./tickets/rights.ts";
import { addTicketNote, answerTicket, changeTicketAtDesk, mergeAtDesk } from "./tickets/work.ts";

/** Tickets of the app's project, for agents with the rights to read and to answer them. */
export const TICKET_HANDLERS: Readonly<Record<`chat.${string}`, ChatHandler>> = {
  async "chat.tickets"(asked) {
    const access = await requireTicketView(asked);
    const { database } = asked.options;
    const { person, ...given } = parseQuery(ticketFilter, asked);
    const of = person === undefined ? null : await findPerson(asked, person);
    const filter = { ...given, addresses: of?.addresses };
    const { data, hasMore, next } = await listTicketLines(database, access, filter);
    const counts = await countTickets(database, access, filter);
    return { tickets: data, hasMore, next, counts };
  },

  async "chat.ticket"(asked) {
    const access = await requireTicketView(asked);
    return toTicketAnswer(
      asked,
      access,
      await readReadableTicket(kyselyOf(asked), access, asked.id),
    );
  },

  async "chat.ticketChoices"(asked) {
    const { project, view, edit } = await requireTicketView(asked);
    return {
      queues: await listQueues(kyselyOf(asked), project),
      tags: await listTags(kyselyOf(asked), project, view),
      fileTypes: asked.options.mediaTypes ?? TICKETING_MEDIA_TYPES,
      editable: edit?.length !== 0,
      mail: asked.options.mail !== undefined,
    };
  },

  async "chat.createTicket"(asked) {
    return changeAndAnswer(asked, async (access) => {
      const request = parseFields(newChatTicket, asked);
      const chat = await readVisibleChat(kyselyOf(asked), asked, request.chat);
      return createTicketOfChat(asked.options, access, chat, request);
    });
  },

  async "chat.changeTicket"(asked) {
    return changeAndAnswer(asked, (access) =>
      changeTicketAtDesk(asked.options, access, asked.id, parseFields(chatTicketChange, asked)),
    );
  },

  async "chat.answerTicket"(asked) {
    return changeAndAnswer(asked, async (access) => {
      const answer = parseFields(chatTicketAnswer, asked);
      const { options, idempotencyKey } = asked;
      const row = await answerTicket(options, access, asked.id, answer, idempotencyKey);
      const here = { ticket: row.id, agent: access.agent };
      await noteTicketActivity(kyselyOf(asked), here, "looking", options.now());
      return row;
    });
  },

  async "chat.addTicketNote"(asked) {
    return changeAndAnswer(asked, (access) => {
      const { message } = parseFields(chatTicketNote, asked);
      return addTicketNote(asked.options, access, asked.id, message, asked.idempotencyKey);
    });
  },

  async "chat.noteTicketActivity"(asked) {
    const access = await requireTicketView(asked);
    const { type } = parseFields(chatTicketActivity, asked);
    const { id } = await readReadableTicket(kyselyOf(asked), access, asked.id);
    const here = { ticket: id, agent: access.agent };
    const now = asked.options.now();
    await noteTicketActivity(kyselyOf(asked), here, type, now);
    return { present: await listPresent(kyselyOf(asked), here, now) };
  },

  async "chat.mergeTicket"(asked) {
    return changeAndAnswer(asked, (access) =>
      mergeAtDesk(asked.options, access, asked.id, parseFields(chatTicketMerge, asked).into),
    );
  },

  async "chat.decideTicketMail"(asked) {
    return changeAndAnswer(asked, (access) =>
      decideMailAtDesk(asked.options, access, asked.id, parseFields(chatTicketMail, asked)),
    );
  },

  async "chat.uploadTicketFile"(asked) {
    const access = await requireTicketView(asked);
    const refused = await refuseOverPersonalLimit(asked.options, asked.caller, "uploads");
    if (refused !== null) return refused;
    requireAnyEdit(access);
    const { name, data } = await readSentFile(asked);
    const file = await storeFile(asked.options, access.project, name, data);
    const { hash, type } = file;
    return { media: { id: hash, url: `/tickets/media/${hash}`, type, name: file.name } };
  },

  async "chat.ticketFile"(asked) {
    const access = await requireTicketView(asked);
    const { media, data } = await readMediaFile(asked.options, access.project, asked.id);
    // A file that was only uploaded belongs to no ticket yet.
    if (!media.attached) throw refuseNotFound(`media file ${toPrintable(asked.id)}`);
    await requireReadableFile(kyselyOf(asked), access, media.id, asked.id);
    return downloadOf(media, data);
  },

  async "chat.chatTickets"(asked) {
    const access = await requireTicketView(asked);
    const chat = await readVisibleChat(kyselyOf(asked), asked, asked.id);
    const { project, view } = access;
    const found = await ticketsOfChat(kyselyOf(asked), project, chat);
    const ids = found.filter(({ queue }) => covers(view, queue)).map(({ id }) => id);
    if (ids.length === 0) return { tickets: [] };
    const lines = selectLines(kyselyOf(asked), project).where("tickets.id", "in", ids);
    const rows = await lines.orderBy("tickets.id").execute();
    return { tickets: await toLines(kyselyOf(asked), project, rows) };
  },
};

/** Does something to a ticket, and answers the ticket as it is then. */
async function changeAndAnswer(
  asked: ChatRequest,
  change: (access: TicketAccess) => Promise<TicketRow>,
): Promise<ChatAnswer> {
  const access = await requireTicketView(asked);
  const refused = await refuseOverPersonalLimit(asked.options, asked.caller, "messages");
  return refused ?? toTicketAnswer(asked, access, await change(access));
}

async function toTicketAnswer(
  asked: ChatRequest,
  access: TicketAccess,
  row: TicketRow,
): Promise<{ readonly ticket: ChatTicket }> {
  return { ticket: await readTicketDetail(kyselyOf(asked), access, row, asked.options.now()) };
}
