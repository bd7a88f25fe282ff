import { z } from "zod";
import { type Operation, operationsOf, createRow } from "../call/operation.ts";
import {
  agent,
  app,
  cannedAnswer,
  publicSettings,
  room,
  settings,
  success,
  survey,
  undelivered,
  user,
  webhook,
} from "./answers.ts";
import { figures } from "./answers-figures.ts";
import { chatRows, unknownId } from "./operations-chats.ts";
import { figuresQuery } from "./schema-figures.ts";
import {
  cannedAnswersChange,
  newSurvey,
  newWebhook,
  resending,
  settingsChange,
} from "./schema-project.ts";
import { ticketRows } from "./operations-tickets.ts";
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
  page,
  surveyAbout,
  userChange,
  userFilter,
} from "./schema.ts";

const errors: Operation["errors"] = [
  { status: 401, when: "The app's id, its secret or a token is missing, wrong or expired." },
  { status: 403, when: "These credentials do not allow it." },
  { status: 413, when: "The body is larger than 10 MB." },
  { status: 422, when: "A field is missing or cannot be read; the message names it." },
  { status: 429, when: "Too many calls; Retry-After says when to come back." },
];

const session = z.object({ token: z.string() });
const oneUser = z.object({ user });
const oneAgent = z.object({ agent });
const taken = {
  status: 409,
  when: "Another user or agent of this app has this externalId or login.",
};
const locked = { status: 429, when: "Too many wrong passwords; wait a minute." };
const cannedAnswers = z.object({ cannedAnswers: z.array(cannedAnswer) });
const oneWebhook = z.object({ webhook, secret: z.string().optional() });

const peopleRows = {
  createApp: createRow(
    "Registers a further app; its secret is shown here and never again.",
    z.object({ app, appId: z.string(), secret: z.string() }),
    { body: appData },
  ),
  apps: createRow("The calling app: an app sees no other.", z.object({ apps: z.array(app) })),
  app: createRow("The calling app.", z.object({ app }), { errors: [unknownId] }),
  changeApp: createRow("Renames the calling app.", z.object({ app }), {
    body: appData,
    errors: [unknownId],
  }),
  validateApp: createRow(
    "Whether the id is that of the calling app.",
    z.object({ valid: z.boolean() }),
    {
      credentials: "app",
    },
  ),
  createUser: createRow(
    "Signs a user up, with a token to act as this user.",
    z.object({ user, session }),
    { credentials: "app", body: newUser, errors: [taken] },
  ),
  users: createRow(
    "Users, all or the one with this externalId.",
    z.object({ users: z.array(user), hasMore: z.boolean() }),
    { query: userFilter },
  ),
  user: createRow("One user or agent.", oneUser, { persons: true, errors: [unknownId] }),
  changeUser: createRow(
    "Changes a user. Agents with the right CHAT_EDIT_USER_INFO may change the users they are chatting with.",
    oneUser,
    { persons: true, body: userChange, errors: [unknownId, taken] },
  ),
  activity: createRow(
    "Tells the others in the chat that somebody is writing or not any more, or that its user is `away` (has left the page) or `back`.",
    success,
    { persons: true, body: activity, errors: [unknownId] },
  ),
  agents: createRow(
    "Agents, all or those of a room. Agents see their colleagues.",
    z.object({ agents: z.array(agent), hasMore: z.boolean() }),
    {
      persons: true,
      query: agentFilter,
    },
  ),
  createAgent: createRow(
    "Adds an agent. A password that was not given is generated, and shown here and never again.",
    z.object({ agent, password: z.string().optional() }),
    { body: newAgent, errors: [taken] },
  ),
  availableAgents: createRow(
    "How many agents in each room are online and have a free slot.",
    z.object({ agents: z.record(z.string(), z.int()) }),
    { credentials: "app", query: availabilityQuery },
  ),
  onlineAgents: createRow(
    "Whether anybody in the rooms is online, free or not.",
    z.object({ agentsOnline: z.boolean() }),
    { credentials: "app", query: availabilityQuery },
  ),
  loginAgent: createRow(
    "Signs an agent in, who is online from then on.",
    z.object({ agent, session }),
    {
      credentials: "app",
      body: agentLogin,
      errors: [locked],
    },
  ),
  logoutAgent: createRow("Signs an agent out, or out of the named rooms only.", success, {
    persons: true,
    body: agentLogout,
    bodyOptional: true,
    errors: [unknownId],
  }),
  agent: createRow("One agent.", oneAgent, { persons: true, errors: [unknownId] }),
  changeAgent: createRow(
    "Changes an agent. Agents themselves set online and status, and nothing else.",
    oneAgent,
    { persons: true, body: agentChange, errors: [unknownId, taken] },
  ),
  rooms: createRow("Rooms.", z.object({ rooms: z.array(room) }), { persons: true }),
  createRoom: createRow(
    "Adds a room, or changes its name or the rule by which agents are chosen.",
    z.object({ room }),
    { body: newRoom },
  ),
};

const projectRows = {
  settings: createRow(
    "Settings. Without the secret, only those of the queue and the languages.",
    z.object({ settings: z.union([settings, publicSettings]) }),
    { credentials: "app" },
  ),
  changeSettings: createRow(
    "Changes settings. A list of media types, bare or as `allowedMediaTypes`, is stored exactly; an empty one allows nothing.",
    z.object({ settings }),
    { body: settingsChange },
  ),
  cannedAnswers: createRow("Canned answers: texts that agents send often.", cannedAnswers, {
    persons: true,
  }),
  changeCannedAnswers: createRow(
    "Replaces all canned answers. An agent needs the right CHAT_EDIT_CANNED_ANSWERS.",
    cannedAnswers,
    { persons: true, body: cannedAnswersChange },
  ),
  figures: createRow(
    "One table of figures about chats and tickets, by its name (`waiting`, `agents`, `chats-by-room`…). It needs the token of an agent with the right SUPERVISE. Chats are those of the agent's rooms; tickets and surveys need the right TICKET_VIEW too. `format=csv` returns CSV.",
    z.object({ figures }),
    { persons: true, query: figuresQuery, errors: [unknownId] },
  ),
  surveys: createRow("Surveys.", z.object({ surveys: z.array(survey) })),
  survey: createRow(
    "One survey. `sourceType` and `sourceId` are added to its `url`.",
    z.object({ survey }),
    {
      query: surveyAbout,
      errors: [unknownId],
    },
  ),
  createSurvey: createRow("Adds a survey.", z.object({ survey }), { body: newSurvey }),
  webhooks: createRow("Registered webhooks.", z.object({ webhooks: z.array(webhook) })),
  webhook: createRow("One webhook.", oneWebhook, { errors: [unknownId] }),
  createWebhook: createRow(
    "Registers a webhook, whose address must answer a POST with 200 and repeat X-Hook-Secret. The secret is shown here and never again.",
    oneWebhook,
    { body: newWebhook },
  ),
  changeWebhook: createRow("Replaces a webhook.", oneWebhook, {
    body: newWebhook,
    errors: [unknownId],
  }),
  removeWebhook: createRow("Removes a webhook.", success, { errors: [unknownId] }),
  undelivered: createRow(
    "Events that a webhook's address did not accept for more than six hours, oldest first. They are kept for 30 days.",
    z.object({ undelivered: z.array(undelivered), hasMore: z.boolean() }),
    {
      query: page,
      errors: [unknownId],
    },
  ),
  resendUndelivered: createRow(
    "Sends undelivered events again: the named ones, or all.",
    z.object({ resent: z.int() }),
    {
      body: resending,
      bodyOptional: true,
      errors: [unknownId],
    },
  ),
  events: createRow(
    "Events as they happen (text/event-stream): an app receives all of its events, a person those of their own chats.",
    null,
    { persons: true },
  ),
  newId: createRow("A new random id.", z.object({ id: z.string() })),
};

/** The live chat (seed.md 7; chat.md); `/` may trail, media, settings and surveys omit `/v1`. */
export const CHAT_OPERATIONS: readonly Operation[] = operationsOf(
  "chat",
  { credentials: "app-secret", errors },
  { ...peopleRows, ...chatRows, ...projectRows, ...ticketRows },
);
