import type { z } from "zod";
import {
  agentChange,
  agentFilter,
  agentLogin,
  agentLogout,
  availabilityQuery,
  newAgent,
} from "../../api/chat/schema-agents.ts";
import {
  activity,
  appData,
  newRoom,
  newUser,
  userChange,
  userFilter,
} from "../../api/chat/schema.ts";
import type { ChatAgentChange } from "../../api/chat/schema-agents.ts";
import { Refusal } from "../http/refusal.ts";
import { toStorable } from "../../storage/storable.ts";
import { logIn, logOut } from "./agents/agent-login.ts";
import { toUserView, toAgents, toUsers } from "./agents/agent-rows.ts";
import { changeAgent, createAgent, readAgent } from "./agents/agents.ts";
import { readApp, registerApp } from "./agents/apps.ts";
import { parseQuery } from "../auth/handling.ts";
import { actorOf, parseFields, parseFieldsOrQuery } from "./request.ts";
import type { ChatRequest, ChatHandler } from "./request.ts";
import { chatOf, notePresence, noteWriting } from "./chats/messages.ts";
import { readPage } from "../http/paging.ts";
import { changeUser, createUser, readUser } from "./agents/people.ts";
import {
  requireEditRight,
  requireKeysKept,
  requireKnown,
  requireNamer,
  requireNoUser,
} from "./rights.ts";
import { listRooms, saveRoom } from "./agents/rooms.ts";
import { countFreeSlots, speaks, type Candidate, readCandidates } from "./agents/choose-agent.ts";

/** Apps, users, agents and rooms. */
export const PEOPLE_HANDLERS = {
  createApp: (request) => registerApp(request.options, parseFields(appData, request).name),
  apps: async (request) => ({
    apps: [await readApp(request.queries, request.app, request.app)],
  }),
  app: async (request) => ({
    app: await readApp(request.queries, request.app, request.id),
  }),
  async changeApp(request) {
    const { name } = parseFields(appData, request);
    await readApp(request.queries, request.app, request.id);
    const update = request.queries.updateTable("chat_apps").set({ name: toStorable(name) });
    await update.where("id", "=", request.app).execute();
    return { app: await readApp(request.queries, request.app, request.id) };
  },
  validateApp: async ({ app, id }) => ({ valid: app === id }),

  createUser: (request) =>
    createUser(request.options, request.app, parseFields(newUser, request), request.caller.secret),
  async users(request) {
    const { externalId, ...page } = parseQuery(userFilter, request);
    let query = request.queries
      .selectFrom("chat_people")
      .selectAll()
      .where("app", "=", request.app)
      .where("kind", "=", "user");
    if (externalId !== undefined) query = query.where("external_id", "=", toStorable(externalId));
    const { data, hasMore } = await readPage(page, (limit, offset) =>
      query.orderBy("number").limit(limit).offset(offset).execute(),
    );
    return { users: await toUsers(request.queries, data), hasMore };
  },
  async user(request) {
    await requireKnown(request, request.id);
    const user = await readUser(request.queries, request.app, request.id);
    return { user: request.caller.person?.kind === "user" ? toUserView(user) : user };
  },
  async changeUser(request) {
    const change = parseFields(userChange, request);
    await requireEditRight(request, request.id);
    if (change.externalId !== undefined) requireNamer(request);
    await requireKeysKept(request, request.id, change);
    return { user: await changeUser(request.options, request.app, request.id, change) };
  },
  async activity(request) {
    const { type, chatId } = parseFields(activity, request);
    const person = actorOf(request, request.id, "id");
    await readUser(request.queries, request.app, person);
    const chat = chatId ?? (await chatOf(request.queries, request.app, person)).id;
    if (type === "away" || type === "back") {
      await notePresence(request.options, request.app, chat, person, type);
    } else await noteWriting(request.options, request.app, chat, person, type);
    return { success: true };
  },

  async agents(request) {
    requireNoUser(request);
    const { roomId, online, ...page } = parseQuery(agentFilter, request);
    let query = request.queries
      .selectFrom("chat_people")
      .innerJoin("chat_agents", "chat_agents.id", "chat_people.id")
      .selectAll("chat_people")
      .where("chat_people.app", "=", request.app);
    if (online !== undefined) query = query.where("chat_agents.online", "=", Number(online));
    if (roomId !== undefined) {
      const room = toStorable(roomId);
      query = query.where("chat_people.id", "in", (builder) =>
        builder.selectFrom("chat_agent_rooms").select("agent").where("room", "=", room),
      );
    }
    const { data, hasMore } = await readPage(page, (limit, offset) =>
      query.orderBy("chat_people.number").limit(limit).offset(offset).execute(),
    );
    return { agents: await toAgents(request.queries, request.app, data), hasMore };
  },
  createAgent: (request) =>
    createAgent(request.options, request.app, parseFields(newAgent, request)),
  async availableAgents(request) {
    return { agents: await countAvailable(request, parseQuery(availabilityQuery, request)) };
  },
  async onlineAgents(request) {
    return { agentsOnline: await isAnybodyOnline(request, parseQuery(availabilityQuery, request)) };
  },
  loginAgent: (request) => logIn(request, parseFields(agentLogin, request)),
  async logoutAgent(request) {
    requireNoUser(request);
    const { agentId, roomIds = [] } = parseFieldsOrQuery(agentLogout, request);
    await logOut(request.options, request.app, actorOf(request, agentId, "agentId"), roomIds);
    return { success: true };
  },
  async agent(request) {
    const { person } = request.caller;
    if (person !== null && person.kind !== "agent") {
      throw new Refusal(403, "Only agents see agents' records.");
    }
    return { agent: await readAgent(request.queries, request.app, request.id) };
  },
  async changeAgent(request) {
    requireNoUser(request);
    const change = parseFields(agentChange, request);
    const { person } = request.caller;
    if (person !== null && (person.id !== request.id || !changesOnlyStatus(change))) {
      throw new Refusal(
        403,
        "Agents may change online and status of themselves; the rest needs the app's secret.",
      );
    }
    const by = person === null ? "app" : "agent";
    return { agent: await changeAgent(request.options, request.app, request.id, change, by) };
  },
  async rooms(request) {
    requireNoUser(request);
    return { rooms: await listRooms(request.queries, request.app) };
  },
  createRoom: async (request) => ({
    room: await saveRoom(request.queries, request.app, parseFields(newRoom, request)),
  }),
} satisfies Readonly<Record<string, ChatHandler>>;

function changesOnlyStatus(change: ChatAgentChange): boolean {
  const { online: _, status: __, ...rest } = change;
  return Object.values(rest).every((value) => value === undefined);
}

type AvailabilityQuery = z.infer<typeof availabilityQuery>;

/** Counts online agents with a free slot by room, in the named rooms or in all. */
async function countAvailable(
  request: ChatRequest,
  { roomIds, langs = [] }: AvailabilityQuery,
): Promise<Readonly<Record<string, number>>> {
  const { kysely } = request.options.database;
  const rooms = roomIds ?? (await listRooms(kysely, request.app)).map(({ id }) => id);
  const free = (await readCandidates(kysely, request.app)).filter(
    (agent) => countFreeSlots(agent) > 0,
  );
  return Object.fromEntries(
    rooms.map((room) => [room, free.filter((agent) => serves(agent, room, langs)).length]),
  );
}

/** True if an agent is online in one of the rooms, or in any room if none is named. */
async function isAnybodyOnline(
  request: ChatRequest,
  { roomIds, langs = [] }: AvailabilityQuery,
): Promise<boolean> {
  const candidates = await readCandidates(request.options.database.kysely, request.app);
  return candidates.some((agent) =>
    roomIds === undefined
      ? speaksAny(agent, langs)
      : roomIds.some((room) => serves(agent, room, langs)),
  );
}

function serves(agent: Candidate, room: string, langs: readonly string[]): boolean {
  return agent.rooms.has(toStorable(room)) && speaksAny(agent, langs);
}

function speaksAny({ languages }: Candidate, langs: readonly string[]): boolean {
  return langs.length === 0 || langs.some((lang) => speaks(languages, lang));
}
