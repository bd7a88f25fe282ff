import { z } from "zod";
import { wholeNumber, text } from "../fields.ts";
import { LIMITS } from "../limits.ts";
import { agent, app, room, success, user } from "./answers.ts";
import { operation, unknownId } from "./operation.ts";
import type { ChatOperation } from "./operation.ts";
import {
  activity,
  agentChange,
  agentLogin,
  agentLogout,
  appData,
  availabilityQuery,
  newAgent,
  newRoom,
  newUser,
  userChange,
} from "./schema.ts";

const paging = { length: wholeNumber.optional(), offset: wholeNumber.optional() };
const session = z.object({ token: z.string() });
const oneUser = z.object({ user });
const oneAgent = z.object({ agent });
const taken = { status: 409, when: "Somebody else of this app has the externalId or login." };
const locked = { status: 429, when: "Too many wrong passwords; wait a minute." };

/** Apps, users, agents and rooms. */
export const CHAT_PEOPLE_OPERATIONS: readonly ChatOperation[] = [
  operation(
    "chat.createApp",
    ["POST", "/apps"],
    "Registers a further app; its secret is shown here and never again.",
    z.object({ app, appId: z.string(), secret: z.string() }),
    { body: appData },
  ),
  operation(
    "chat.apps",
    ["GET", "/apps"],
    "The calling app: an app sees no other.",
    z.object({ apps: z.array(app) }),
  ),
  operation("chat.app", ["GET", "/apps/{id}"], "The calling app.", z.object({ app }), {
    errors: [unknownId],
  }),
  operation("chat.changeApp", ["PUT", "/apps/{id}"], "Renames it.", z.object({ app }), {
    body: appData,
    errors: [unknownId],
  }),
  operation(
    "chat.validateApp",
    ["GET", "/apps/{id}/validate"],
    "Whether the id is that of the calling app.",
    z.object({ valid: z.boolean() }),
    { credentials: "app" },
  ),
  operation(
    "chat.createUser",
    ["POST", "/users"],
    "Signs a user up, with a token to act as this user.",
    z.object({ user, session }),
    { credentials: "app", body: newUser, errors: [taken] },
  ),
  operation(
    "chat.users",
    ["GET", "/users"],
    "Users, all or the one with this externalId.",
    z.object({ users: z.array(user), hasMore: z.boolean() }),
    { query: z.object({ ...paging, externalId: text(LIMITS.externalId).optional() }) },
  ),
  operation("chat.user", ["GET", "/users/{id}"], "One user or agent.", oneUser, {
    persons: true,
    errors: [unknownId],
  }),
  operation(
    "chat.changeUser",
    ["PUT", "/users/{id}"],
    "Changes a user. An agent may, with the right CHAT_EDIT_USER_INFO, for whom the agent is chatting with.",
    oneUser,
    { persons: true, body: userChange, errors: [unknownId, taken] },
  ),
  operation(
    "chat.activity",
    ["POST", "/users/{id}/activity"],
    "Tells the others in the chat that somebody is writing, or not any more.",
    success,
    { persons: true, body: activity, errors: [unknownId] },
  ),
  operation(
    "chat.agents",
    ["GET", "/agents"],
    "Agents, all or those of a room. Agents see their colleagues.",
    z.object({ agents: z.array(agent), hasMore: z.boolean() }),
    {
      persons: true,
      query: z.object({
        ...paging,
        roomId: text(LIMITS.id).optional(),
        online: text(LIMITS.id).optional(),
      }),
    },
  ),
  operation(
    "chat.createAgent",
    ["POST", "/agents"],
    "Adds an agent. A password that was not given is generated, and shown here and never again.",
    z.object({ agent, password: z.string().optional() }),
    { body: newAgent, errors: [taken] },
  ),
  operation(
    "chat.availableAgents",
    ["GET", "/agents/available"],
    "How many agents in each room are online and have a free slot.",
    z.object({ agents: z.record(z.string(), z.int()) }),
    { credentials: "app", query: availabilityQuery },
  ),
  operation(
    "chat.onlineAgents",
    ["GET", "/agents/online"],
    "Whether anybody in the rooms is online, free or not.",
    z.object({ agentsOnline: z.boolean() }),
    { credentials: "app", query: availabilityQuery },
  ),
  operation(
    "chat.loginAgent",
    ["POST", "/agents/login"],
    "Signs an agent in, who is online from then on.",
    z.object({ agent, session }),
    { credentials: "app", body: agentLogin, errors: [locked] },
  ),
  operation(
    "chat.logoutAgent",
    ["POST", "/agents/logout"],
    "Signs an agent out, or out of the named rooms only.",
    success,
    { persons: true, body: agentLogout, bodyOptional: true, errors: [unknownId] },
  ),
  operation("chat.agent", ["GET", "/agents/{id}"], "One agent.", oneAgent, {
    persons: true,
    errors: [unknownId],
  }),
  operation(
    "chat.changeAgent",
    ["PUT", "/agents/{id}"],
    "Changes an agent. Agents themselves say whether they are online, and nothing else.",
    oneAgent,
    { persons: true, body: agentChange, errors: [unknownId, taken] },
  ),
  operation("chat.rooms", ["GET", "/rooms"], "Rooms.", z.object({ rooms: z.array(room) }), {
    persons: true,
  }),
  operation(
    "chat.createRoom",
    ["POST", "/rooms"],
    "Adds a room, or changes its name or the rule by which agents are chosen.",
    z.object({ room }),
    { body: newRoom },
  ),
];
