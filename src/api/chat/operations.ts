import { z } from "zod";
import {
  bodyTooLarge,
  type Operation,
  operationsOf,
  createRow,
  loginTooLarge,
  wrongField,
} from "../call/operation.ts";
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
import { chatRows, notForUsers, unknownId, wrongState } from "./operations-chats.ts";
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
  agentChange,
  agentFilter,
  agentLogin,
  agentLogout,
  availabilityQuery,
  newAgent,
} from "./schema-agents.ts";
import {
  activity,
  appData,
  newRoom,
  newUser,
  page,
  surveyAbout,
  userChange,
  userFilter,
} from "./schema.ts";

const errors: Operation["errors"] = [
  { status: 401, when: "The app's id, its secret or a token is missing, wrong or expired." },
  { status: 403, when: "The credentials do not allow this operation." },
  bodyTooLarge,
  wrongField,
  {
    status: 429,
    when: "The app or the person has made too many calls. `Retry-After` says after how many seconds to call again.",
  },
];

const session = z.object({ token: z.string() });
const oneUser = z.object({ user });
const oneAgent = z.object({ agent });
const taken = {
  status: 409,
  when: "Another user or agent of the app has this `externalId` or login.",
};
const locked = {
  status: 429,
  when: "After ten wrong passwords in a row from an address, that address cannot use this login for a minute. Also: too many logins at once.",
};
const wrongPassword = { status: 401, when: "The login or the password is wrong." };
const cannedAnswers = z.object({ cannedAnswers: z.array(cannedAnswer) });
const failedCheck = {
  status: 422,
  when: "The target is not allowed, or did not repeat the secret.",
};
const oneWebhook = z.object({ webhook, secret: z.string().optional() });

const peopleRows = {
  createApp: createRow(
    "Creates another app. Only this answer shows its secret.",
    z.object({ app, appId: z.string(), secret: z.string() }),
    { body: appData },
  ),
  apps: createRow(
    "Returns a list of the calling app alone, because apps do not see each other.",
    z.object({ apps: z.array(app) }),
  ),
  app: createRow("Returns the calling app. No other id is known.", z.object({ app }), {
    errors: [unknownId],
  }),
  changeApp: createRow("Renames the calling app.", z.object({ app }), {
    body: appData,
    errors: [unknownId],
  }),
  validateApp: createRow(
    "Tells whether the id is that of the calling app.",
    z.object({ valid: z.boolean() }),
    {
      credentials: "app",
    },
  ),
  createUser: createRow(
    "Creates a user, and returns a token to act as this user for 30 days.",
    z.object({ user, session }),
    { credentials: "app", body: newUser, errors: [taken] },
  ),
  users: createRow(
    "Lists the users of the app, or the one with this `externalId`.",
    z.object({ users: z.array(user), hasMore: z.boolean() }),
    { query: userFilter },
  ),
  user: createRow(
    "Returns a user or an agent. With their own token, users and agents can read themselves and people in chats that they may see; agents can also read other agents.",
    oneUser,
    { persons: true, errors: [unknownId] },
  ),
  changeUser: createRow(
    "Changes a user. With their own token, users can change themselves except for `externalId`. Agents with the right CHAT_EDIT_USER_INFO can change the users of open chats that they are in.",
    oneUser,
    { persons: true, body: userChange, errors: [unknownId, taken] },
  ),
  activity: createRow(
    "Tells the others in a chat that a user or agent is `writing` or `not-writing` any more, or that the user has left the page (`away`) or is `back`. The default chat is the person's latest open one.",
    success,
    { persons: true, body: activity, errors: [unknownId, wrongState] },
  ),
  agents: createRow(
    "Lists the agents of the app, or those of a room.",
    z.object({ agents: z.array(agent), hasMore: z.boolean() }),
    {
      persons: true,
      query: agentFilter,
      errors: [notForUsers],
    },
  ),
  createAgent: createRow(
    "Creates an agent. If `password` is left out, one is generated, which only this answer shows.",
    z.object({ agent, password: z.string().optional() }),
    { body: newAgent, errors: [taken] },
  ),
  availableAgents: createRow(
    "Counts the agents of each room who are online, neither busy nor away, and have a free slot. The default is all rooms.",
    z.object({ agents: z.record(z.string(), z.int()) }),
    { credentials: "app", query: availabilityQuery },
  ),
  onlineAgents: createRow(
    "Tells whether any agent of the rooms is online, and neither busy nor away. Free slots do not matter. The default is all rooms.",
    z.object({ agentsOnline: z.boolean() }),
    { credentials: "app", query: availabilityQuery },
  ),
  loginAgent: createRow(
    "Logs an agent in, who is online from then on. The token is valid for 12 hours.",
    z.object({ agent, session }),
    {
      credentials: "app",
      body: agentLogin,
      commonErrors: errors.map((one) => (one === bodyTooLarge ? loginTooLarge : one)),
      errors: [wrongPassword, locked],
    },
  ),
  logoutAgent: createRow(
    "Logs an agent out: the agent goes offline, and all tokens of the agent end. With `roomIds`, only removes the agent from these rooms.",
    success,
    {
      persons: true,
      body: agentLogout,
      bodyOptional: true,
      errors: [notForUsers, unknownId],
    },
  ),
  agent: createRow("Returns an agent.", oneAgent, {
    persons: true,
    errors: [notForUsers, unknownId],
  }),
  changeAgent: createRow(
    "Changes an agent. With their own token, agents can change `online` and `status` of themselves, and nothing else.",
    oneAgent,
    { persons: true, body: agentChange, errors: [notForUsers, unknownId, taken] },
  ),
  rooms: createRow("Lists the rooms of the app.", z.object({ rooms: z.array(room) }), {
    persons: true,
    errors: [notForUsers],
  }),
  createRoom: createRow(
    "Creates a room, or changes the one with this id: its name, and the rule by which agents are chosen.",
    z.object({ room }),
    { body: newRoom },
  ),
};

const projectRows = {
  settings: createRow(
    "Returns the settings of the app: without the secret only `queue`, `languages` and `allowedMediaTypes`.",
    z.object({ settings: z.union([settings, publicSettings]) }),
    { credentials: "app" },
  ),
  changeSettings: createRow(
    "Changes the given settings, and keeps the others. `allowedMediaTypes` is stored exactly as it was sent, also as a bare list instead of an object. If it is empty, no file is allowed.",
    z.object({ settings }),
    { body: settingsChange },
  ),
  cannedAnswers: createRow(
    "Lists the canned answers of the app: texts that agents send often.",
    cannedAnswers,
    {
      persons: true,
      errors: [notForUsers],
    },
  ),
  changeCannedAnswers: createRow(
    "Replaces all canned answers of the app. Agents need the right CHAT_EDIT_CANNED_ANSWERS.",
    cannedAnswers,
    { persons: true, body: cannedAnswersChange, errors: [notForUsers] },
  ),
  figures: createRow(
    "Returns a table of figures about chats and tickets by its name: `waiting`, `agents`, `chats-by-room`… The agent needs the right SUPERVISE, and for tables about tickets and surveys also TICKET_VIEW. Chats are those of the agent's rooms. `format=csv` returns CSV.",
    z.object({ figures }),
    {
      credentials: "app-token",
      persons: true,
      query: figuresQuery,
      errors: [
        { status: 403, when: "The agent does not have the right SUPERVISE or TICKET_VIEW." },
        { status: 404, when: "There is no table of this name." },
      ],
    },
  ),
  surveys: createRow("Lists the surveys of the app.", z.object({ surveys: z.array(survey) })),
  survey: createRow(
    "Returns a survey. `sourceType` and `sourceId` are added to the query of its `url`.",
    z.object({ survey }),
    {
      query: surveyAbout,
      errors: [unknownId],
    },
  ),
  createSurvey: createRow(
    "Creates a survey, which is a name and the address of its page.",
    z.object({ survey }),
    { body: newSurvey },
  ),
  webhooks: createRow(
    "Lists the webhooks of the app, without their secrets.",
    z.object({ webhooks: z.array(webhook) }),
  ),
  webhook: createRow("Returns a webhook, without its secret.", oneWebhook, { errors: [unknownId] }),
  createWebhook: createRow(
    "Creates a webhook. Its `target` must first answer a POST with status 200 and the same header X-Hook-Secret, within 5 seconds. Only this answer shows the secret, which is generated if it is left out.",
    oneWebhook,
    { body: newWebhook, errors: [failedCheck] },
  ),
  changeWebhook: createRow(
    "Replaces the events and the target of a webhook, after the same check. If `secret` is left out, it stays.",
    oneWebhook,
    {
      body: newWebhook,
      errors: [unknownId, failedCheck],
    },
  ),
  removeWebhook: createRow(
    "Deletes a webhook, and the events that were not delivered to it yet.",
    success,
    { errors: [unknownId] },
  ),
  undelivered: createRow(
    "Lists the events that the webhook's target did not accept in any attempt, oldest first. They are kept for 30 days.",
    z.object({ undelivered: z.array(undelivered), hasMore: z.boolean() }),
    {
      query: page,
      errors: [unknownId],
    },
  ),
  resendUndelivered: createRow(
    "Sends undelivered events again: those in `ids`, or all. `resent` counts them.",
    z.object({ resent: z.int() }),
    {
      body: resending,
      bodyOptional: true,
      errors: [unknownId],
    },
  ),
  events: createRow(
    "Streams events as they happen, as `text/event-stream`. With the secret, these are all events of chats; with their own token, people receive those of the chats that they may see, and agents also those of tickets. `Last-Event-ID` continues after the event with this id. A stream ends after 15 minutes, an agent's after 12 seconds: open the next one at once.",
    null,
    {
      persons: true,
      errors: [
        { status: 403, when: "The page that asks is not on one of the `domains` in the settings." },
        { status: 429, when: "The person or the app has 50 open streams." },
        { status: 503, when: "The service has too many open streams, or is about to restart." },
      ],
    },
  ),
  newId: createRow("Returns a new random id.", z.object({ id: z.string() })),
};

/** The live chat (seed.md 7; chat.md); `/` may trail, media, settings and surveys omit `/v1`. */
export const CHAT_OPERATIONS: readonly Operation[] = operationsOf(
  "chat",
  { credentials: "app-secret", errors },
  { ...peopleRows, ...chatRows, ...projectRows, ...ticketRows },
);
