import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { tieApp } from "../../../src/backend/chat/agents/apps.ts";
import { CHAT_OPERATIONS } from "../../../src/api/chat/operations.ts";
import type { Operation } from "../../../src/api/call/operation.ts";
import { png } from "./service.ts";
import type { Service } from "./service.ts";

/** One of every kind of record that an app can have, with its owners. */
export interface Belongings {
  readonly app: string;
  readonly room: string;
  readonly user: string;
  readonly userToken: string;
  /** Holds the chat. */
  readonly agent: string;
  readonly agentToken: string;
  /** Is free, and invited to nothing. */
  readonly colleague: string;
  readonly chat: string;
  readonly message: string;
  readonly media: string;
  readonly survey: string;
  readonly webhook: string;
  /** A ticket of the project that the app belongs to, which the agent may read. */
  readonly ticket: string;
  readonly otherTicket: string;
  readonly ticketFile: string;
}

/** Creates them in a service's own app. */
export async function belongings(made: Service): Promise<Belongings> {
  const { ask, agent: newAgent } = made;
  const unique = `${Math.random()}`.slice(2);
  const login = { login: `ann-${unique}`, password: "a long password" };
  const agent = await newAgent({ name: "Ann", slots: 5, ...login });
  const colleague = await newAgent({ name: "Cole", login: `cole-${unique}`, slots: 5 });
  const agentToken = (await ask("POST", "agents/login", login)).body.session.token;
  const signedUp = await ask("POST", "users", { name: "Ana", externalId: `crm-${unique}` });
  const user = signedUp.body.user.id;
  const { body } = await ask("POST", "chats", { room: "1", creator: user, externalId: unique });
  const chat = body.chat.id;
  await ask("POST", `chats/${chat}/join`, { userId: agent });
  const answer = await ask("POST", `chats/${chat}/messages`, { sender: user, message: "A secret" });
  const file = { name: "a.png", content: Buffer.from(png).toString("base64") };
  const sent = await ask("POST", "media", { ...file, chatId: chat, senderId: user });
  const survey = await ask("POST", "surveys", { name: "S", url: "https://survey.test/" });
  const target = { events: "chats:close", target: "https://hook.test/" };
  const hook = await ask("POST", "webhooks", target);
  await ask("PUT", `agents/${agent}`, {
    rights: { TICKET_VIEW: true, TICKET_EDIT: true, SUPERVISE: true },
  });
  await tieApp(made.options, made.appId, "shop");
  expect([answer, sent, survey, hook].map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  return {
    app: made.appId,
    room: "1",
    user,
    userToken: signedUp.body.session.token,
    agent,
    agentToken,
    colleague,
    chat,
    message: answer.body.message.id,
    media: sent.body.media.id,
    survey: survey.body.survey.id,
    webhook: hook.body.webhook.id,
    ...(await newTicket(made)),
  };
}

async function newTicket({ options, time }: Service) {
  const { kysely } = options.database;
  const owned = () => ({ project: "shop", hash_uuid: randomUUID(), created: time.now() });
  const person = { name: "Ana", address: "", address_key: randomUUID(), extra: "[]", updated: 0 };
  const { id: creator } = await kysely
    .insertInto("users")
    .values({ ...owned(), ...person })
    .returning("id")
    .executeTakeFirstOrThrow();
  const picture = { name: "a.png", type: "image/png", size: 3, data: png, attached: time.now() };
  const media = await kysely
    .insertInto("media")
    .values({ ...owned(), ...picture })
    .returning(["id", "hash_uuid"])
    .executeTakeFirstOrThrow();
  const texts = { title: "A secret", message: "A secret", prior: "[]", external_id: null };
  const numbers = { creator, solver: null, source: 3, queue: 1, status: 1, updated: 0 };
  const newRow = () =>
    kysely
      .insertInto("tickets")
      .values({ ...owned(), ...texts, ...numbers, classification: null, parent: null })
      .returning(["id", "hash_uuid"])
      .executeTakeFirstOrThrow();
  const ticket = await newRow();
  const other = await newRow();
  const attachment = { media: media.id, ticket: ticket.id, reply: null };
  await kysely.insertInto("attachments").values(attachment).execute();
  return {
    ticket: ticket.hash_uuid,
    otherTicket: other.hash_uuid,
    ticketFile: media.hash_uuid,
  };
}

export interface OneRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
}

/** The values of a request: ids for the path, and a body. */
type Filled = { readonly id?: string; readonly query?: string; readonly body?: object };

/**
 * Returns a successful request of every operation by a permitted caller, for these belongings. `me`
 * is the actor. A new operation without a line here fails the tests that run them all.
 */
export function requestOf(operation: Operation, own: Belongings, me: string): OneRequest {
  const fill = filled[operation.id];
  if (fill === undefined) throw new Error(`${operation.id} is missing in this table`);
  const { id = "", query = "", body } = fill(own, me);
  return {
    method: operation.method,
    path: operation.path.replace("{id}", id) + query,
    ...(body !== undefined && { body }),
  };
}

export const EVERY: readonly Operation[] = CHAT_OPERATIONS;

const filled: Readonly<Record<string, (own: Belongings, me: string) => Filled>> = {
  "chat.createApp": () => ({ body: { name: "Further" } }),
  "chat.apps": () => ({}),
  "chat.app": ({ app }) => ({ id: app }),
  "chat.changeApp": ({ app }) => ({ id: app, body: { name: "Renamed" } }),
  "chat.validateApp": ({ app }) => ({ id: app }),
  "chat.createUser": () => ({ body: { name: "Bo" } }),
  "chat.users": () => ({}),
  "chat.user": ({ user }) => ({ id: user }),
  "chat.changeUser": ({ user }) => ({ id: user, body: { contact: "new@example.test" } }),
  "chat.activity": ({ chat }, me) => ({ id: me, body: { type: "writing", chatId: chat } }),
  "chat.agents": () => ({}),
  "chat.createAgent": () => ({ body: { name: "New", login: "new" } }),
  "chat.availableAgents": ({ room }) => ({ query: `?roomIds=${room}` }),
  "chat.onlineAgents": ({ room }) => ({ query: `?roomId=${room}` }),
  "chat.loginAgent": () => ({ body: { login: "nobody", password: "a long password" } }),
  "chat.logoutAgent": ({ agent }) => ({ body: { agentId: agent } }),
  "chat.agent": ({ agent }) => ({ id: agent }),
  "chat.changeAgent": ({ agent }) => ({ id: agent, body: { online: true } }),
  "chat.rooms": () => ({}),
  "chat.createRoom": () => ({ body: { id: "2" } }),
  "chat.createChat": ({ user, room }) => ({ body: { room, creator: user } }),
  "chat.chats": () => ({}),
  "chat.chat": ({ chat }) => ({ id: chat }),
  "chat.changeChat": ({ chat }) => ({ id: chat, body: { lang: "en" } }),
  "chat.closeChat": ({ chat }) => ({ id: chat }),
  "chat.assign": ({ chat }) => ({ id: chat }),
  "chat.toInbox": ({ chat }) => ({ id: chat }),
  "chat.join": ({ chat }, me) => ({ id: chat, body: { userId: me } }),
  "chat.leave": ({ chat }, me) => ({ id: chat, body: { userId: me } }),
  "chat.transfer": ({ chat, colleague }) => ({ id: chat, body: { userId: colleague } }),
  "chat.chatUsers": ({ chat }) => ({ id: chat }),
  "chat.messages": ({ chat }) => ({ id: chat }),
  "chat.sendMessage": ({ chat }, me) => ({ id: chat, body: { sender: me, message: "Hi" } }),
  "chat.readMessage": ({ message }, me) => ({ id: message, body: { userId: me } }),
  "chat.notes": ({ chat }) => ({ id: chat }),
  "chat.addNote": ({ chat, agent }) => ({
    id: chat,
    body: { author: agent, text: "Called before" },
  }),
  "chat.history": ({ chat }) => ({ id: chat }),
  "chat.importHistory": ({ chat }) => ({
    id: chat,
    body: { history: [{ sender: "assistant", message: "Hello", created: 1_700_000_000 }] },
  }),
  "chat.invite": ({ chat, colleague }) => ({ body: { chatId: chat, userId: colleague } }),
  "chat.accept": ({ chat }, me) => ({ body: { chatId: chat, userId: me } }),
  "chat.reject": ({ chat }, me) => ({ body: { chatId: chat, userId: me } }),
  "chat.mediaList": ({ chat }) => ({ query: `?chatId=${chat}` }),
  "chat.upload": ({ chat }, me) => ({
    body: {
      name: "a.png",
      content: Buffer.from(png).toString("base64"),
      chatId: chat,
      senderId: me,
    },
  }),
  "chat.download": ({ media }) => ({ id: media }),
  "chat.queueStatus": () => ({}),
  "chat.queuePosition": ({ chat }) => ({ id: chat }),
  "chat.settings": () => ({}),
  "chat.changeSettings": () => ({ body: { languages: ["en"] } }),
  "chat.cannedAnswers": () => ({}),
  "chat.changeCannedAnswers": () => ({
    body: { cannedAnswers: [{ name: "hello", texts: { en: "Hello {user}" } }] },
  }),
  "chat.tickets": () => ({}),
  "chat.ticket": ({ ticket }) => ({ id: ticket }),
  "chat.ticketFile": ({ ticketFile }) => ({ id: ticketFile }),
  "chat.ticketChoices": () => ({}),
  "chat.ticketPeople": () => ({ query: "?search=ana" }),
  "chat.createTicket": ({ chat }) => ({ body: { chat } }),
  "chat.changeTicket": ({ ticket }) => ({ id: ticket, body: { tags: ["late"] } }),
  "chat.changeTickets": () => ({
    body: { tickets: [{ id: 1 }], addTags: ["late"] },
  }),
  "chat.answerTicket": ({ ticket }) => ({ id: ticket, body: { message: "On its way" } }),
  "chat.addTicketNote": ({ ticket }) => ({ id: ticket, body: { message: "Called before" } }),
  "chat.decideTicketMail": ({ ticket }) => ({ id: ticket, body: { mail: 1, action: "resend" } }),
  "chat.noteTicketActivity": ({ ticket }) => ({ id: ticket, body: { type: "looking" } }),
  "chat.mergeTicket": ({ ticket, otherTicket }) => ({ id: ticket, body: { into: otherTicket } }),
  "chat.uploadTicketFile": () => ({
    body: { name: "a.png", content: Buffer.from(png).toString("base64") },
  }),
  "chat.chatTickets": ({ chat }) => ({ id: chat }),
  "chat.figures": () => ({ id: "chats-by-room", query: "?period=week&timeZone=Europe/Madrid" }),
  "chat.surveys": () => ({}),
  "chat.survey": ({ survey }) => ({ id: survey }),
  "chat.createSurvey": () => ({ body: { name: "T", url: "https://survey.test/" } }),
  "chat.webhooks": () => ({}),
  "chat.webhook": ({ webhook }) => ({ id: webhook }),
  "chat.createWebhook": () => ({ body: { events: "chats:close", target: "https://h.test/" } }),
  "chat.changeWebhook": ({ webhook }) => ({
    id: webhook,
    body: { events: "chats:join", target: "https://h.test/" },
  }),
  "chat.removeWebhook": ({ webhook }) => ({ id: webhook }),
  "chat.undelivered": ({ webhook }) => ({ id: webhook }),
  "chat.resendUndelivered": ({ webhook }) => ({ id: webhook }),
  "chat.events": () => ({}),
  "chat.newId": () => ({}),
};
