import { z } from "zod";
import {
  acceptText,
  booleanLike,
  numberList,
  type OutputOf,
  skipEmpty,
  wholeNumber,
} from "../call/fields.ts";
import { LIMITS } from "../call/limits.ts";
import { newPassword } from "./password.ts";
import {
  chatId,
  contact,
  externalId,
  extraInfo,
  idList,
  languages,
  name,
  paging,
  readAlias,
  roomIds,
} from "./schema.ts";
import { AGENT_STATUSES } from "./states.ts";

/** Shapes of requests about agents. */

export const agentFilter = z.object({
  ...paging,
  roomId: acceptText(LIMITS.id).optional().describe("Id of a room"),
  online: booleanLike
    .optional()
    .describe("`true`: only agents who are online; `false`: the others"),
});

/** Numbers of the queues to which a right is limited. An empty list means every queue. */
export const agentQueues = z.object({
  TICKET_VIEW: numberList.default([]).describe("Numbers of queues"),
  TICKET_EDIT: numberList.default([]).describe("Numbers of queues"),
});

const login = externalId
  .refine((value) => value.trim() !== "", { error: "must not be empty" })
  .describe("The name with which the agent logs in");

const agent = {
  password: skipEmpty(newPassword).describe("At least 12 characters"),
  nickname: acceptText(LIMITS.name).optional().describe("What users see; the default is the name"),
  contact: contact.optional(),
  externalId: externalId.optional(),
  extraInfo: extraInfo.optional(),
  rooms: roomIds.optional().describe("Ids of the agent's rooms"),
  languages: languages
    .optional()
    .describe("Languages that the agent speaks, such as `pt`; none: every one"),
  slots: wholeNumber
    .refine((value) => value <= 1000, { error: "must be at most 1000" })
    .optional()
    .describe("How many chats the agent takes at a time; the default is 3"),
  online: booleanLike.optional().describe("Whether the agent gets chats"),
  status: z
    .enum(AGENT_STATUSES, { error: `must be among ${AGENT_STATUSES.join(", ")}` })
    .optional()
    .describe("Agents who are `busy` or `away` get no new chats"),
  rights: z
    .object({
      CHAT_EDIT_USER_INFO: booleanLike
        .optional()
        .describe("To change the data of users in open chats; the default is `true`"),
      CHAT_EDIT_CANNED_ANSWERS: booleanLike
        .optional()
        .describe("To change the canned answers; the default is `false`"),
      TICKET_VIEW: booleanLike.optional().describe("To read tickets; the default is `false`"),
      TICKET_EDIT: booleanLike.optional().describe("To work on tickets; the default is `false`"),
      SUPERVISE: booleanLike.optional().describe("To read figures; the default is `false`"),
    })
    .optional()
    .describe("What the agent may do"),
  queues: agentQueues
    .optional()
    .describe("The queues to which a right is limited; none: every queue"),
};

export const newAgent = z.object({ ...agent, name, login });
export type NewChatAgent = OutputOf<typeof newAgent>;

export const agentChange = z.object({
  ...agent,
  name: name.optional(),
  login: login.optional(),
});
export type ChatAgentChange = OutputOf<typeof agentChange>;

/** The credentials that an agent signs in with: `login` (or `email`, `username`) and `password`. */
export const agentLogin = z.preprocess(
  (value) => readAlias(value, "login", ["email", "username", "user", "name"]),
  z.object({
    login: acceptText(LIMITS.externalId).describe("The name with which the agent logs in"),
    password: z.string().max(LIMITS.secret),
  }),
);

export const agentLogout = z.preprocess(
  (value) =>
    readAlias(readAlias(value, "agentId", ["userId", "id"]), "roomIds", ["rooms", "roomId"]),
  z.object({
    agentId: chatId
      .optional()
      .describe("Id of the agent; with the agent's own token it can be left out"),
    roomIds: idList.optional().describe("Ids of the rooms to leave, instead of a logout"),
  }),
);

/**
 * `roomIds` or `roomId`, one or several with commas, in both calls about availability (row 6 of the
 * spellings).
 */
export const availabilityQuery = z.preprocess(
  (value) =>
    readAlias(readAlias(value, "roomIds", ["roomId", "roomIds[]"]), "langs", ["lang", "language"]),
  z.object({
    roomIds: idList.optional().describe("Ids of rooms, separated by commas"),
    langs: idList
      .optional()
      .describe("Languages, separated by commas: only agents who speak one of them count"),
  }),
);
