import type { z } from "zod";
import {
  activity,
  agentChange,
  agentFilter,
  agentLogin,
  agentLogout,
  appData,
  availabilityQuery,
  newAgent,
  newRoom,
  newUser,
  userChange,
  userFilter,
} from "../../api/chat/schema.ts";
import type { ChatAgentChange } from "../../api/chat/schema.ts";
import { Refusal } from "../http/refusal.ts";
import { toStorable } from "../../storage/storable.ts";
import { logIn, logOut } from "./agents/agent-login.ts";
import { toUserView, toAgents, toUsers } from "./agents/agent-rows.ts";
import { changeAgent, createAgent, readAgent } from "./agents/agents.ts";
import { readApp, registerApp } from "./agents/apps.ts";
import { parseQuery } from "../auth/handling.ts";
import { actorOf, parseFields, parseFieldsOrQuery, kyselyOf } from "./request.ts";
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
import { freeSlots, speaks, type Candidate, readCandidates } from "./agents/choose-agent.ts";

/** Apps, users, agents and rooms. */
export const PEOPLE_HANDLERS: Readonly<Record<`chat.${string}`, ChatHandler>> = {
  "chat.createApp": (asked) => registerApp(asked.options, parseFields(appData, asked).name),
  "chat.apps": async (asked) => ({ apps: [await readApp(kyselyOf(asked), asked.app, asked.app)] }),
  "chat.app": async (asked) => ({ app: await readApp(kyselyOf(asked), asked.app, asked.id) }),
  async "chat.changeApp"(asked) {
    const { name } = parseFields(appData, asked);
    await readApp(kyselyOf(asked), asked.app, asked.id);
    const update = kyselyOf(asked)
      .updateTable("chat_apps")
      .set({ name: toStorable(name) });
    await update.where("id", "=", asked.app).execute();
    return { app: await readApp(kyselyOf(asked), asked.app, asked.id) };
  },
  "chat.validateApp": async ({ app, id }) => ({ valid: app === id }),

  "chat.createUser": (asked) => createUser(asked.options, asked.app, parseFields(newUser, asked)),
  async "chat.users"(asked) {
    const { externalId, ...page } = parseQuery(userFilter, asked);
    let query = kyselyOf(asked)
      .selectFrom("chat_people")
      .selectAll()
      .where("app", "=", asked.app)
      .where("kind", "=", "user");
    if (externalId !== undefined) query = query.where("external_id", "=", toStorable(externalId));
    const { data, hasMore } = await readPage(page, (limit, offset) =>
      query.orderBy("number").limit(limit).offset(offset).execute(),
    );
    return { users: await toUsers(kyselyOf(asked), data), hasMore };
  },
  async "chat.user"(asked) {
    await requireKnown(asked, asked.id);
    const user = await readUser(kyselyOf(asked), asked.app, asked.id);
    return { user: asked.caller.person?.kind === "user" ? toUserView(user) : user };
  },
  async "chat.changeUser"(asked) {
    const change = parseFields(userChange, asked);
    await requireEditRight(asked, asked.id);
    if (change.externalId !== undefined) requireNamer(asked);
    await requireKeysKept(asked, asked.id, change);
    return { user: await changeUser(asked.options, asked.app, asked.id, change) };
  },
  async "chat.activity"(asked) {
    const { type, chatId } = parseFields(activity, asked);
    const person = actorOf(asked, asked.id, "id");
    await readUser(kyselyOf(asked), asked.app, person);
    const chat = chatId ?? (await chatOf(kyselyOf(asked), asked.app, person)).id;
    if (type === "away" || type === "back") {
      await notePresence(asked.options, asked.app, chat, person, type);
    } else await noteWriting(asked.options, asked.app, chat, person, type);
    return { success: true };
  },

  async "chat.agents"(asked) {
    requireNoUser(asked);
    const { roomId, online, ...page } = parseQuery(agentFilter, asked);
    let query = kyselyOf(asked)
      .selectFrom("chat_people")
      .innerJoin("chat_agents", "chat_agents.id", "chat_people.id")
      .selectAll("chat_people")
      .where("chat_people.app", "=", asked.app);
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
    return { agents: await toAgents(kyselyOf(asked), asked.app, data), hasMore };
  },
  "chat.createAgent": (asked) =>
    createAgent(asked.options, asked.app, parseFields(newAgent, asked)),
  async "chat.availableAgents"(asked) {
    return { agents: await countAvailable(asked, parseQuery(availabilityQuery, asked)) };
  },
  async "chat.onlineAgents"(asked) {
    return { agentsOnline: await isAnybodyOnline(asked, parseQuery(availabilityQuery, asked)) };
  },
  "chat.loginAgent": (asked) => logIn(asked, parseFields(agentLogin, asked)),
  async "chat.logoutAgent"(asked) {
    requireNoUser(asked);
    const { agentId, roomIds = [] } = parseFieldsOrQuery(agentLogout, asked);
    await logOut(asked.options, asked.app, actorOf(asked, agentId, "agentId"), roomIds);
    return { success: true };
  },
  async "chat.agent"(asked) {
    const { person } = asked.caller;
    if (person !== null && person.kind !== "agent") {
      throw new Refusal(403, "Only agents see agents' records.");
    }
    return { agent: await readAgent(kyselyOf(asked), asked.app, asked.id) };
  },
  async "chat.changeAgent"(asked) {
    requireNoUser(asked);
    const change = parseFields(agentChange, asked);
    const { person } = asked.caller;
    if (person !== null && (person.id !== asked.id || !saysStatusAlone(change))) {
      throw new Refusal(
        403,
        "Agents may change online and status of themselves; the rest needs the app's secret.",
      );
    }
    const by = person === null ? "app" : "agent";
    return { agent: await changeAgent(asked.options, asked.app, asked.id, change, by) };
  },
  async "chat.rooms"(asked) {
    requireNoUser(asked);
    return { rooms: await listRooms(kyselyOf(asked), asked.app) };
  },
  "chat.createRoom": async (asked) => ({
    room: await saveRoom(kyselyOf(asked), asked.app, parseFields(newRoom, asked)),
  }),
};

function saysStatusAlone(change: ChatAgentChange): boolean {
  const { online: _, status: __, ...rest } = change;
  return Object.values(rest).every((value) => value === undefined);
}

type Question = z.infer<typeof availabilityQuery>;

/** Agents online with a free slot, by room: of the rooms named, or of all. An object always. */
async function countAvailable(
  asked: ChatRequest,
  { roomIds, langs = [] }: Question,
): Promise<Readonly<Record<string, number>>> {
  const { kysely } = asked.options.database;
  const rooms = roomIds ?? (await listRooms(kysely, asked.app)).map(({ id }) => id);
  const free = (await readCandidates(kysely, asked.app)).filter((agent) => freeSlots(agent) > 0);
  return Object.fromEntries(
    rooms.map((room) => [room, free.filter((agent) => serves(agent, room, langs)).length]),
  );
}

/** True when anybody is online in one of the rooms, or in any where none is named. */
async function isAnybodyOnline(
  asked: ChatRequest,
  { roomIds, langs = [] }: Question,
): Promise<boolean> {
  const candidates = await readCandidates(asked.options.database.kysely, asked.app);
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
