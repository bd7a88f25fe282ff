import { isCallError } from "../call/call-error.ts";
import type { CallOptions } from "../call/caller.ts";
import type { Chat, ChatUser } from "./answers.ts";
import type { ChatClient, SignedUp, StartOutcome, StartRequest } from "./client-types.ts";

type Steps = Pick<
  ChatClient,
  | "availableAgents"
  | "areAgentsOnline"
  | "createUser"
  | "findUser"
  | "changeUser"
  | "user"
  | "createChat"
  | "chat"
  | "assign"
>;

/** The steps of starting a chat: availability, user, chat, agent search (seed.md 7.3). */
export async function startChat(
  client: Steps,
  request: StartRequest,
  options: CallOptions = {},
): Promise<StartOutcome> {
  if (!(await hasAgents(client, request, options))) {
    return { started: false, reason: "no-agents" };
  }
  const { user, token } = await findOrCreateUser(client, request.user, options);
  const ongoing = await findOngoing(client, user, options);
  if (ongoing !== null) {
    return { started: true, user, token, chat: ongoing, agent: null, outcome: "ongoing" };
  }
  const { room, history, source, lang, externalId, idempotencyKey } = request;
  const created = await client.createChat(
    { room, creator: user.id, history, source, lang, externalId },
    { ...options, ...(idempotencyKey !== undefined && { idempotencyKey }) },
  );
  // The chat was queued when it was created. The queue invites an agent, so none is assigned here.
  const queued = request.queue === true || created.inQueue === 1;
  if (queued) {
    return { started: true, user, token, chat: created, agent: null, outcome: "queued" };
  }
  const { agent, chat } = await client.assign(created.id, options);
  const outcome = agent === null ? "alone" : "invited";
  return { started: true, user, token, chat: chat ?? created, agent, outcome };
}

async function hasAgents(
  client: Steps,
  { room, lang, queue = false }: StartRequest,
  options: CallOptions,
): Promise<boolean> {
  if (queue) return client.areAgentsOnline(room, options);
  const langs = lang === undefined ? {} : { langs: [lang] };
  const agents = await client.availableAgents([room], { ...options, ...langs });
  return (agents[String(room)] ?? 0) > 0;
}

/** Updates an existing user, as clients do when the sign-up is answered 409 (chat.md 6). */
async function findOrCreateUser(
  client: Steps,
  user: StartRequest["user"],
  options: CallOptions,
): Promise<SignedUp> {
  if ("id" in user) return { user: await client.user(user.id, options), token: null };
  try {
    return await client.createUser(user, options);
  } catch (error) {
    const { externalId } = user;
    const taken = isCallError(error) && (error.status === 409 || error.wireCode === 409);
    if (!taken || externalId === undefined) throw error;
    const found = await client.findUser(externalId, options);
    if (found === null) throw error;
    return { user: await client.changeUser(found.id, user, options), token: null };
  }
}

/** A user has one open chat at most. */
async function findOngoing(
  client: Steps,
  user: ChatUser,
  options: CallOptions,
): Promise<Chat | null> {
  const [id] = user.chats;
  if (id === undefined) return null;
  const chat = await client.chat(id, options);
  return chat.status === "closed" ? null : chat;
}
